"""Runs the Java tests of `core` and `hive` with another release of Hive than the one they are compiled with.

    JAVA_HOME=… python -m tests.hive_versions BUILT_WITH.classpath RELEASE.classpath [OPTION…]

The compiled classes are used as they are, because one jar serves all releases. OPTION is one of JUnit's
console launcher, such as `--include-classname='.*FunctionValuesTest'`.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pycompiler.installation import JVM_OPTIONS
from tests.conformance.agreement.jvm_evaluator import class_path, java
from tests.jvm import JVM_OF_TESTS, OPENED_SINCE_HIVE_4_1

_ROOT: Final = Path(__file__).parents[1]
_HANDLER: Final = _ROOT / "hive-handler"
_TESTED: Final = [str(_HANDLER / module / "target" / "test-classes") for module in ("core", "hive")]
_JVM_OPTIONS: Final = ("-Xmx1g", *JVM_OF_TESTS, *JVM_OPTIONS, OPENED_SINCE_HIVE_4_1)


def with_release(tests: Sequence[str], built_with: Sequence[str], release: Sequence[str]) -> list[str]:
    """Puts a release of Hive in the place of the one in a class path.

    Args:
        tests: The class path of the tests: what the bundle has, then Hive, then what only tests need.
        built_with: hive-exec, then the libraries of the Hive in `tests`.
        release: The same of the other release.
    """
    replaced = {*built_with, *(entry for entry in tests if "/org/apache/hive/" in entry)}
    name = Path(built_with[0]).name
    hive = next(position for position, entry in enumerate(tests) if Path(entry).name == name)
    return [*tests[:hive], *release, *(entry for entry in tests[hive:] if entry not in replaced)]


def _entries(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").strip().split(os.pathsep)


def _run(built_with: Path, release: Path, options: Sequence[str]) -> int:
    entries = [
        *with_release(class_path().split(os.pathsep), _entries(built_with), _entries(release)),
        str(_ROOT / "build" / "compiler"),
        *_entries(_ROOT / "build" / "junit.classpath"),
    ]
    with tempfile.TemporaryDirectory() as resources:
        properties = {
            "hudiskip.hive.version": release.stem,
            "hudiskip.conformance.dir": _ROOT / "tests" / "conformance",
            "hudiskip.command": Path(sys.executable).with_name("hudi-skip"),
            "hive.downloaded.resources.dir": resources,
        }
        command = [
            *(java(), *_JVM_OPTIONS, *(f"-D{name}={value}" for name, value in properties.items())),
            # Tests that start another JVM pass it `java.class.path`, which must be complete.
            *("-cp", os.pathsep.join(entries), "org.junit.platform.console.ConsoleLauncher", "execute"),
            *("--scan-classpath", os.pathsep.join(_TESTED), "--fail-if-no-tests"),
            *("--disable-banner", "--disable-ansi-colors", "--details=summary", *options),
        ]
        log = _ROOT / "build" / "logs" / f"test-hive-{release.stem}.log"
        log.parent.mkdir(exist_ok=True)
        with log.open("w", encoding="utf-8") as output:
            done = subprocess.run(
                command, cwd=_HANDLER / "hive", stdout=output, stderr=subprocess.STDOUT, check=False
            )
    _, heading, report = log.read_text(encoding="utf-8", errors="replace").partition(
        "\nFailures (" if done.returncode else "\nTest run finished"
    )
    print(heading + report if heading else f"ERROR: no test ran; see {log}", flush=True)
    return done.returncode or int(not heading)


if __name__ == "__main__":
    sys.exit(_run(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
