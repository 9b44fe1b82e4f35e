"""scripts/CheckLinkage.java, which `make lint-hive` runs over the bundle, on a bundle of one class."""

import subprocess
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.conformance.agreement.jvm_evaluator import java

pytestmark = pytest.mark.slow

_ROOT: Final = Path(__file__).parents[2]
_SOURCES: Final = {
    "Caller": "class Caller { int size = Callee.size(); Object other = new Other(); }",
    "Callee": "class Callee { static int size() { return 1; } }",
    "Other": "class Other {}",
}
_WITHOUT_THE_METHOD: Final = "class Callee { static long size() { return 1; } }"


def compiled(folder: Path, sources: dict[str, str]) -> Path:
    """Compiles classes of the package `linked` into a folder."""
    folder.mkdir()
    for name, text in sources.items():
        (folder / f"{name}.java").write_text(f"package linked; {text}", encoding="ascii")
    files = [str(folder / f"{name}.java") for name in sources]
    javac = Path(java()).with_name("javac")
    subprocess.run([javac, "--release", "8", "-nowarn", "-Xlint:-options", "-d", folder, *files], check=True)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle, and class paths in files: `whole`, and two that lack something that it uses."""
    folder = tmp_path_factory.mktemp("linkage")
    whole = compiled(folder / "classes", _SOURCES)
    other_method = compiled(folder / "changed", {"Callee": _WITHOUT_THE_METHOD})
    with zipfile.ZipFile(folder / "bundle.jar", "w") as bundle:
        bundle.write(whole / "linked" / "Caller.class", "linked/Caller.class")
    jars = {
        "whole": [whole / "linked" / "Callee.class", whole / "linked" / "Other.class"],
        "without_class": [whole / "linked" / "Callee.class"],
        "without_method": [other_method / "linked" / "Callee.class", whole / "linked" / "Other.class"],
    }
    for name, classes in jars.items():
        with zipfile.ZipFile(folder / f"{name}.jar", "w") as jar:
            for path in classes:
                jar.write(path, f"linked/{path.name}")
        (folder / name).write_text(str(folder / f"{name}.jar"), encoding="utf-8")
    return folder


def errors(folder: Path, class_paths: list[str], unreachable: str = "") -> set[str]:
    """What the check reports; empty if it passes."""
    linkage = _ROOT / "build" / "linkage"
    assert linkage.is_dir(), "Animal Sniffer is missing; run: make build/stamps/linkage"
    listed = folder / "unreachable.txt"
    listed.write_text(unreachable, encoding="ascii")
    command: list[str | Path] = [
        *(java(), "-XX:TieredStopAtLevel=1", "-cp", f"{linkage}/*", _ROOT / "scripts" / "CheckLinkage.java"),
        *(linkage / "java18.signature", folder / "bundle.jar", listed),
        *(folder / name for name in class_paths),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {line for line in done.stderr.splitlines() if line.startswith("ERROR: ")}
    assert done.returncode == int(bool(found)), done.stderr
    return found


def test_a_missing_class_and_a_missing_method_are_reported_with_their_class_path(folder: Path) -> None:
    assert errors(folder, ["whole", "without_class", "without_method"]) == {
        "ERROR: linked.Caller uses linked.Other, missing in [without_class]",
        "ERROR: linked.Caller uses void linked.Other.<init>(), missing in [without_class]",
        "ERROR: linked.Caller uses int linked.Callee.size(), missing in [without_method]",
    }


def test_an_unreachable_entry_covers_what_it_names_and_is_reported_once_it_covers_nothing(
    folder: Path,
) -> None:
    entry = "linked.Caller linked.Other  # a reason"
    assert errors(folder, ["without_class"], entry) == set()
    (unneeded,) = errors(folder, ["whole"], entry)
    assert "nothing is missing any more" in unneeded
