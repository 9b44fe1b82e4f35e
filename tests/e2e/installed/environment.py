"""The wheel in an environment of its own, outside of the checkout."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pycompiler.installation import find_java, installation

_FOREIGN: Final = ("HUDI_", "PYTHON", "VIRTUAL_ENV", "XDG_", "SPARK_", "PYSPARK_")


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python environment that has the wheel, and a home directory of its own.

    The wheel's dependencies are those of the tests' environment, so that nothing is downloaded; our own code
    is not among them. Hive's jars come from this machine's Maven repository, and Hudi's from the checkout: a
    user's are downloaded.

    Attributes:
        root: The directory for everything.
        variables: The environment variables of its programs.
    """

    root: Path
    variables: Mapping[str, str]

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.root / "env" / "bin" / "python"

    @property
    def command(self) -> Path:
        """Its `hudi-skip`."""
        return self.python.with_name("hudi-skip")

    def run(self, *command: str | Path, exit_code: int = 0) -> str:
        """Runs a program outside of the checkout, and returns its stdout."""
        done = subprocess.run(
            [*map(str, command)],
            cwd=self.root,
            env=dict(self.variables),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == exit_code, f"{command}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def hudi_skip(self, *arguments: str | Path, exit_code: int = 0) -> dict[str, Any]:
        """Runs `hudi-skip` and returns its JSON output."""
        document: dict[str, Any] = json.loads(
            self.run(self.command, *arguments, "--json", exit_code=exit_code)
        )
        return document

    @staticmethod
    def create(root: Path) -> "Environment":
        """Creates it in an empty directory."""
        (wheel,) = (installation() / "build" / "dist").glob("*.whl")
        home = root / "home"
        home.mkdir()
        (home / ".m2").symlink_to(Path("~/.m2").expanduser())
        variables = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)} | {
            "HOME": str(home),
            "JAVA_HOME": str(find_java().parents[1]),
            "PATH": f"{root / 'env' / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "HUDI_SPARK_BUNDLE": str(installation() / "build" / "spark" / "hudi-spark-bundle.jar"),
        }
        made = Environment(root, variables)
        made.run(sys.executable, "-m", "venv", "--without-pip", root / "env")
        pip = (sys.executable, "-m", "pip", "--python", made.python, "--disable-pip-version-check", "install")
        made.run(*pip, "--quiet", "--no-deps", "--no-index", wheel)
        purelib = "import sysconfig; print(sysconfig.get_path('purelib'))"
        packages = Path(made.run(made.python, "-c", purelib).strip())
        # The .pth files of a directory that a .pth file names, such as that of the checkout, are not read.
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        own = made.run(made.python, "-c", "import pycompiler; print(pycompiler.__file__)")
        assert Path(own.strip()).is_relative_to(root), f"the checkout's code is used: {own}"
        return made
