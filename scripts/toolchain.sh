#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Finds a tool, or installs it with apt-get if allowed, and prints its path.
#   scripts/toolchain.sh jdk | maven | python | thrift
# Prints only the path on stdout. If the tool is unavailable, exits with 1 and one line that says what to install.
set -euo pipefail

say() { printf '%s\n' "$*" >&2; }

# install PACKAGE...: runs apt-get as root or with passwordless sudo; fails quietly without either.
install() {
  command -v apt-get >/dev/null || return 1
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
    sudo=(sudo -n)
  fi
  say "installing $* with apt-get"
  local log
  log=$(mktemp)
  # Try the existing package lists first: they usually suffice, even if a package source is broken.
  if ! "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$log" 2>&1; then
    "${sudo[@]}" apt-get update >>"$log" 2>&1 || true
    if ! "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1; then
      tail -n 5 "$log" >&2
      rm -f "$log"
      return 1
    fi
  fi
  rm -f "$log"
}

is_jdk17() { [ -x "$1/bin/javac" ] && "$1/bin/javac" -version 2>&1 | grep -q '^javac 17\b'; }

find_jdk() {
  local home javac
  if [ -n "${JAVA_HOME:-}" ] && is_jdk17 "$JAVA_HOME"; then
    echo "$JAVA_HOME"
    return
  fi
  if javac=$(command -v javac); then
    home=$(dirname "$(dirname "$(readlink -f "$javac" 2>/dev/null || echo "$javac")")")
    if is_jdk17 "$home"; then
      echo "$home"
      return
    fi
  fi
  for home in /usr/lib/jvm/*17* /Library/Java/JavaVirtualMachines/*17*/Contents/Home; do
    if is_jdk17 "$home"; then
      echo "$home"
      return
    fi
  done
  return 1
}

find_maven() { command -v mvn; }

# Spark 3.5 supports 3.10 to 3.12.
find_python() {
  local candidate
  for candidate in python3 python3.11 python3.12 python3.10; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# Generated code is compared byte for byte, so the exact version matters.
find_thrift() { thrift -version 2>/dev/null | grep -q '0\.17\.' && command -v thrift; }

need() { # need FINDER "what to install" PACKAGE...
  local finder=$1 wanted=$2
  shift 2
  "$finder" && return
  if install "$@"; then
    "$finder" && return
  fi
  say "ERROR: $wanted is missing and could not be installed; on Debian or Ubuntu run: sudo apt-get install $*"
  exit 1
}

case "${1:-}" in
  jdk) need find_jdk "JDK 17 (or JAVA_HOME set to one)" openjdk-17-jdk-headless ;;
  maven) need find_maven "Maven 3.8 or newer" maven ;;
  python) need find_python "Python 3.10, 3.11 or 3.12 with venv" python3 python3-venv ;;
  thrift) need find_thrift "the Thrift compiler 0.17" thrift-compiler ;;
  *) say "usage: $0 jdk | maven | python | thrift"; exit 2 ;;
esac
