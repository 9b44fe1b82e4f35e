"""What of a starting JVM's output a person sees."""

import subprocess
import sys

PROGRAM = """
import subprocess, sys
from pycompiler.tools.cli.console.jvm_output import JvmOutput

def say(text):
    subprocess.run([sys.executable, "-c", f"import os; os.write(2, {text!r})"])

how = sys.argv[1]
with JvmOutput("spark: " if how != "own log" else "", quiet=how == "quiet") as output:
    # It has this end of the pipe as long as it runs.
    script = "read line; echo spark: WARN late >&2; echo; read line"
    jvm = subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    say(b":: loading settings ::\\ndownloading https://repo/a.jar ...\\n\\tfound a#b;1 in central\\n")
    say(b"spark: WARN while starting\\n")
    if how == "fails":
        raise SystemExit(3)
    output.started()
    jvm.stdin.write(b"\\n")
    jvm.stdin.flush()
    jvm.stdout.readline()
    say(b"plain line after the start\\n")
"""


def _lines(how: str) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


STARTING = "spark: WARN while starting"
LATER = ["spark: WARN late", "plain line after the start"]
DOWNLOADING = "starting Spark: downloading packages"
IVY = [":: loading settings ::", "downloading https://repo/a.jar ...", "\tfound a#b;1 in central"]


def test_a_jvm_that_starts_shows_its_log_and_not_what_it_says_of_packages() -> None:
    assert _lines("starts") == (0, [DOWNLOADING, STARTING, *LATER])
    assert _lines("quiet") == (0, [STARTING, *LATER])


def test_a_jvm_that_does_not_start_shows_all_that_it_has_said() -> None:
    code, shown = _lines("fails")
    assert code == 3
    assert sorted(shown) == sorted([*IVY, DOWNLOADING, STARTING]), shown


def test_of_a_log_that_the_user_has_configured_everything_is_shown() -> None:
    _, shown = _lines("own log")
    assert set(IVY) < set(shown), shown
