import os
import subprocess
import sys
from pathlib import Path


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
