"""How the code is laid out; `make lint` checks which package imports which ([tool.importlinter])."""

from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2] / "pycompiler"
_GENERATED = _ROOT / "thrift_gen"
_MOST_FILES = 20
PACKAGES = [init.parent for init in sorted(_ROOT.rglob("__init__.py")) if init.parent != _GENERATED]
pytestmark = pytest.mark.parametrize(
    "package", PACKAGES, ids=lambda package: package.relative_to(_ROOT.parent).as_posix()
)


def test_a_package_is_small_enough_to_be_known(package: Path) -> None:
    modules = sorted(module.name for module in package.glob("*.py"))
    assert len(modules) <= _MOST_FILES, f"make packages of what belongs together: {modules}"


def test_a_package_says_what_it_is_for(package: Path) -> None:
    assert (package / "__init__.py").read_text().startswith('"""')
