#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs Maven, printing one line per step; if it fails, prints its errors and the path of the full log.
#   scripts/maven.sh NAME ARGUMENT...
set -euo pipefail

name=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
JAVA_HOME=$("$root/scripts/toolchain.sh" jdk)
mvn=$("$root/scripts/toolchain.sh" maven)
export JAVA_HOME
# Builds end before the optimizing compiler pays off.
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m}
mkdir -p "$root/build/logs"
log="$root/build/logs/maven-$name.log"

cd "$root"
if ! "$mvn" -B "$@" 2>&1 | tee "$log" | awk '
  /^\[INFO\] --- / {
    goal = $3
    # Newer Mavens print "compiler:3.14.0:compile", older ones "maven-compiler-plugin:3.14.0:compile".
    sub(/:[0-9][^:]*:/, ":", goal); sub(/maven-/, "", goal); sub(/-plugin/, "", goal)
    match($0, / @ [^ ]+/)
    print "  maven: " goal substr($0, RSTART, RLENGTH)
    fflush()
  }
  /^\[INFO\] Downloaded from/ && ++downloads % 50 == 0 { print "  maven: " downloads " files downloaded"; fflush() }
  /^\[(INFO|WARNING|ERROR)\] Tests run:/ { sub(/^\[[A-Z]+\] /, "  "); print; fflush() }
'; then
  grep -E '^\[(ERROR|WARNING)\]' "$log" | grep -vE 'Help 1|re-run Maven|full (stack|debug)|^\[ERROR\] *$|mvn <args>|For more information' \
    | head -n 60 >&2 || true
  echo "ERROR: Maven failed; see the full log in $log" >&2
  exit 1
fi
