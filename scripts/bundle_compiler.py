"""Puts the predicate compiler into the handler's jar, as a zip application for any Python from 3.10.

    python scripts/bundle_compiler.py RESOURCES HANDLER_JAR BUNDLE_JAR

RESOURCES gets the archive where the handler's classes look for it, for tests that run from class files;
BUNDLE_JAR is HANDLER_JAR with the archive added. Run it with the Python that has the locked packages. The
same sources and packages give the same bytes.
"""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ENTRY: Final = "io/hudiskip/compile/client/compiler.pyz"
"""The archive in the jar: what `BundledCompiler` reads."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_TIME: Final = (2026, 1, 1, 0, 0, 0)
"""As `project.build.outputTimestamp` in pom.xml."""

_MAIN: Final = "from pycompiler.compile.service.__main__ import main\n\nmain()\n"

# For a process of its own, which loads only what the service loads. Without `site` it finds no plug-in.
_LIST_MODULES: Final = """
import sys
sys.path[:0] = sys.argv[1:]
import pycompiler.compile.service.__main__
from pycompiler.compile.wire.handler import CompilerHandler
CompilerHandler().warm_up()
for name, module in sys.modules.items():
    file = getattr(module, "__file__", None)
    if name.partition(".")[0] not in sys.stdlib_module_names and name != "__main__" and file:
        print(name, file)
"""


def service_files() -> Iterator[tuple[str, Path]]:
    """The modules that the service loads, as names in the archive and files, sorted.

    Of our own packages that it loads, all modules: some are only loaded by certain filters.
    """
    import thrift

    paths = [_ROOT, Path(thrift.__file__).parents[1]]
    listed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LIST_MODULES, *map(str, paths)],
        check=True,
        capture_output=True,
        text=True,
    )
    files: dict[str, Path] = {}
    for line in listed.stdout.splitlines():
        name, _, path = line.partition(" ")
        file = Path(path)
        package = name.partition(".")[0]
        if package not in ("pycompiler", "thrift"):
            raise SystemExit(f"ERROR: the compiler service imports {name}, but may only import thrift")
        root = _ROOT if package == "pycompiler" else paths[1]
        # Thrift's accelerator is machine code, and the service does without it.
        beside = [file] if file.suffix == ".py" else []
        if package == "pycompiler" and file.parent != _ROOT / "pycompiler":
            beside = list(file.parent.glob("*.py"))
        files |= {found.relative_to(root).as_posix(): found for found in beside}
    yield from sorted(files.items())


def write_archive(path: Path) -> None:
    """Writes the zip application."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        _add(archive, "__main__.py", _MAIN.encode())
        for name, file in service_files():
            _add(archive, name, file.read_bytes())


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.external_attr = 0o644 << 16
    archive.writestr(info, content, zipfile.ZIP_DEFLATED, compresslevel=9)


def main() -> None:
    """Writes the archive and the jar that the arguments name."""
    resources, handler, bundle = map(Path, sys.argv[1:])
    archive = resources / ENTRY
    write_archive(archive)
    partial = bundle.with_suffix(".partial")
    partial.write_bytes(handler.read_bytes())
    with zipfile.ZipFile(partial, "a") as jar:
        _add(jar, ENTRY, archive.read_bytes())
    partial.replace(bundle)


if __name__ == "__main__":
    main()
