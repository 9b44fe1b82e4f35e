"""What a person sees: lines of programs that run meanwhile, above a bar that is gone at the end."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import subprocess, sys, time
from pycompiler.tools.cli.console.terminal import progress_shown
with progress_shown(sys.argv[1] == "quiet") as shown:
    step = shown.add_task("reading footers", total=4)
    for number in range(4):
        shown.update(step, completed=number)
        time.sleep(0.3)
        subprocess.run([sys.executable, "-c", f"import os; os.write(2, b'WARN line [{number}]\\\\n')"])
    print("a warning of Python", file=sys.stderr)
print("the result")
"""
_CONTROL = re.compile(
    rb"\x1b\[(?P<number>\d*)(?:;\d+)*(?P<command>[A-Za-z])|\x1b\[\?25[lh]|\r|\n|[^\x1b\r\n]+"
)


def on_a_terminal(*arguments: str, **variables: str) -> bytes:
    """What a program of Python's writes to a terminal, with more environment variables."""
    ours, theirs = pty.openpty()
    command, environment = [sys.executable, *arguments], {**os.environ, "TERM": "xterm", **variables}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as program:
        os.close(theirs)
        written = b""
        try:
            while chunk := os.read(ours, 65536):
                written += chunk
        except OSError:
            pass  # This is how Linux says that nobody has the terminal open any more.
        finally:
            os.close(ours)
        assert program.wait() == 0, written.decode()
    return written


def screen(written: bytes) -> list[str]:
    """The lines that are left on a terminal that is high enough, without blank ones."""
    lines, row, column = [""], 0, 0
    for part in _CONTROL.finditer(written):
        text = part[0]
        match part["command"], text:
            case None, b"\r":
                column = 0
            case None, b"\n":
                row += 1
                lines += [""] * (row + 1 - len(lines))
            case b"A", _:
                row -= int(part["number"] or 1)
            case b"K", _:
                lines[row] = ""
            case None, _ if not text.startswith(b"\x1b"):
                shown = text.decode()
                lines[row] = lines[row][:column].ljust(column) + shown + lines[row][column + len(shown) :]
                column += len(shown)
    return [line.rstrip() for line in lines if line.strip()]


def test_lines_of_other_programs_and_the_bar_do_not_mix() -> None:
    written = on_a_terminal("-c", PROGRAM, "shown")
    assert b"reading footers" in written, "there was a bar to mix with"
    assert screen(written) == [
        *(f"WARN line [{number}]" for number in range(4)),
        "a warning of Python",
        "the result",
    ]


def test_quiet_shows_no_bar() -> None:
    assert b"reading footers" not in on_a_terminal("-c", PROGRAM, "quiet")


@pytest.mark.parametrize("how", ["shown", "quiet"])
def test_without_a_terminal_progress_is_a_line_now_and_then(how: str) -> None:
    program = """
import sys, time
from pycompiler.tools.cli.console import terminal
terminal._LINE_SECONDS = 0.25
with terminal.progress_shown(sys.argv[1] == "quiet") as shown:
    report = terminal.reporter(shown, shown.add_task("listing the table", total=None))
    for number in range(1000):
        report(number + 1, 1000)
        time.sleep(0.001)
assert "rich" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program, how], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 20 if how == "shown" else not lines
    assert all(re.fullmatch(r"reading footers: \d+ of 1000 files, \d+ s", line) for line in lines), lines


def test_completion_of_the_shell_is_installed_and_knows_the_commands(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    home = {**os.environ, "HOME": str(tmp_path), "PATH": path}
    # The command looks for the shell that it was typed in. `exit` keeps bash from making way for it.
    typed = ["bash", "-c", "hudi-skip --install-completion; exit"]
    installed = subprocess.run(typed, env=home, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    # As bash does it when somebody presses Tab behind `hudi-skip index `.
    script = (
        f". {tmp_path}/.bashrc; name=$(complete -p hudi-skip | sed -E 's/.*-F ([^ ]+).*/\\1/'); "
        "COMP_WORDS=(hudi-skip index ''); COMP_CWORD=2; $name hudi-skip; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    shell = subprocess.run(["bash", "-c", script], env=home, capture_output=True, text=True, check=False)
    assert set(shell.stdout.split()) >= {"build", "update", "status", "verify", "compact"}, shell.stderr
