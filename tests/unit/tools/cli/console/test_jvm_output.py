"""What of a starting JVM's output a person sees."""

import subprocess
import sys

PROGRAM = """
import subprocess, sys, time
from pycompiler.tools.cli.console.jvm_output import jvm_output

def say(text):
    subprocess.run([sys.executable, "-c", f"import os; os.write(2, {text!r})"])

how = sys.argv[1]
with jvm_output("spark: " if how != "own log" else "", quiet=how == "quiet") as output:
    # It has this end of the pipe as long as it runs.
    script = "read line; echo spark: WARN late >&2; echo plain line after the start >&2; echo; read line"
    jvm = subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    say(b":: loading settings ::\\ndownloading https://repo/a.jar ...\\n\\tfound a#b;1 in central\\n")
    say(b"spark: WARN while starting\\n")
    if how == "fails":
        jvm.communicate()
        print(output.held())
    else:
        time.sleep(0.5)
        output.started()
if how != "fails":
    jvm.stdin.write(b"\\n")
    jvm.stdin.flush()
    jvm.stdout.readline()
    time.sleep(0.5)
"""


STARTING = "spark: WARN while starting"
LATER = ["spark: WARN late", "plain line after the start"]
DOWNLOADING = "starting Spark: downloading packages"
IVY = [":: loading settings ::", "downloading https://repo/a.jar ...", "\tfound a#b;1 in central"]


def _shown(how: str) -> tuple[list[str], str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True)
    return done.stderr.splitlines(), done.stdout


def test_a_jvm_that_starts_shows_its_log_and_not_what_it_says_of_packages() -> None:
    assert _shown("starts") == ([DOWNLOADING, STARTING, *LATER], "")
    assert _shown("quiet") == ([STARTING, *LATER], "")


def test_what_a_jvm_has_said_that_does_not_start_is_known() -> None:
    shown, held = _shown("fails")
    assert shown[:2] == [DOWNLOADING, STARTING]
    assert all(repr(line) in held for line in IVY), held


def test_of_a_log_that_the_user_has_configured_everything_is_shown() -> None:
    assert set(IVY) < set(_shown("own log")[0])
