# SPDX-License-Identifier: Apache-2.0
"""Checks that the handler's bundle links with each release of Hive, and that Java 8 can load it.

The handler's sources are compiled against each release. Equal class files call the same methods
and have the same constants: javac copies a constant's value into the class that uses it.

    python scripts/check_hive_versions.py JAVAC CLASSPATH_FILE BUNDLE HIVE_EXEC_JAR...

The class path is the handler's own, with the first release.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

SOURCES = Path("hive-handler/hive/src/main/java")
HIVE = "/org/apache/hive/"
JAVA_8 = 52
JAVA_17 = 61


def _class_version(header: bytes) -> int:
    return int.from_bytes(header[6:8], "big")


def _for_java_17(jar: Path, to: Path) -> None:
    """Copies class files, marked as Java 17 if newer: javac refuses them, but only reads declarations."""
    with ZipFile(jar) as source, ZipFile(to, "w") as target:
        for name in source.namelist():
            if name.endswith(".class") and not name.startswith("META-INF/"):
                content = source.read(name)
                if _class_version(content) > JAVA_17:
                    content = content[:6] + JAVA_17.to_bytes(2, "big") + content[8:]
                target.writestr(name, content)


def _compiled(javac: str, class_path: str, to: Path) -> dict[str, bytes]:
    sources = [str(path) for path in sorted(SOURCES.rglob("*.java"))]
    options = ["--release", "8", "-proc:none", "-nowarn", "-Xlint:-options", "-cp", class_path, "-d", str(to)]
    done = subprocess.run([javac, *options, *sources], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"ERROR: the handler does not compile:\n{done.stderr}")
    return {str(path.relative_to(to)): path.read_bytes() for path in to.rglob("*.class")}


def _with_hive(class_path: str, jar: Path) -> str:
    """hive-exec holds the classes of Hive's other jars."""
    return ":".join([*(entry for entry in class_path.split(":") if HIVE not in entry), str(jar)])


def _differing(javac: str, class_path: str, jars: list[Path]) -> list[str]:
    problems: list[str] = []
    expected: dict[str, bytes] = {}
    for jar in jars:
        print(f"   {jar.name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            readable = Path(folder, "hive.jar")
            _for_java_17(jar, readable)
            found = _compiled(javac, _with_hive(class_path, readable), Path(folder, "classes"))
        expected = expected or found
        names = sorted((expected.keys() ^ found.keys()) | {n for n in found if found[n] != expected.get(n)})
        problems += [f"{name} differs with {jar.name}" for name in names]
    return problems


def _too_new(bundle: Path) -> list[str]:
    with ZipFile(bundle) as jar:
        classes = [
            n for n in jar.namelist() if n.endswith(".class") and not n.startswith("META-INF/versions/")
        ]
        versions = {name: _class_version(jar.open(name).read(8)) for name in classes}
    if not versions:
        sys.exit(f"ERROR: {bundle} has no classes")
    return [f"{name} is not for Java 8: class file version {v}" for name, v in versions.items() if v > JAVA_8]


def _main() -> None:
    javac, class_path, bundle, *jars = sys.argv[1:]
    problems = _too_new(Path(bundle))
    problems += _differing(javac, Path(class_path).read_text().strip(), [Path(jar) for jar in jars])
    if problems:
        sys.exit("\n".join(f"ERROR: {problem}" for problem in problems))


_main()
