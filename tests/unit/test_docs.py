"""The docs name what there is, where it is, and every place that a change must touch."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from pycompiler.compile.functions.registry import BUILT_IN

_ROOT: Final = Path(__file__).resolve().parents[2]
_DOCS: Final = _ROOT / "docs"
ARCHITECTURE: Final = _DOCS / "inside" / "architecture.md"
PAGES: Final = [*sorted(_DOCS.rglob("*.md")), _ROOT / "README.md", _ROOT / "CONTRIBUTING.md"]
BY_NAME: Final = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)

_FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_PATH: Final = re.compile(r"(?:pycompiler|tests|hive-handler|examples|scripts)/\S*")
_CLASS: Final = re.compile(r"([A-Z][a-z]\w*)((?:\.\w+)*)")
_FILE: Final = re.compile(r"(?:[\w.*-]+/)*[\w.*-]+\.(?:py|json|txt|toml|xml)|\.ci/\w+")
_PLACED: Final = re.compile(r"((?:[a-z]+\.)+)([A-Z]\w*)((?:\.\w+)*)")
"""A class with its package below `io.hudiskip`, and perhaps a member."""
_QUALIFIED: Final = re.compile(r"io\.hudiskip((?:\.[a-z]+)+)(?:\.([A-Z]\w*))?")
_IMPORT: Final = re.compile(r"^from (pycompiler[\w.]*) import (.+)$", re.MULTILINE)

FOREIGN: Final = frozenset(
    ["ExprNodeDesc", "FileSlice", "FileSystemView", "MultiRowRangeFilter", "SearchArgument", "ServiceLoader"]
)
"""Classes of Hive, Hudi, HBase and Java."""


@cache
def _java(part: str = "main") -> Mapping[str, Path]:
    """Java's own sources by the name of the class."""
    files = _ROOT.glob(f"hive-handler/**/src/{part}/java/**/*.java")
    return {file.stem: file for file in files if file.stem != "package-info"}


@cache
def _python_classes() -> Mapping[str, str]:
    """The text of Python's modules by the classes in them."""
    texts = (file.read_text(encoding="utf-8") for file in (_ROOT / "pycompiler").rglob("*.py"))
    return {name: text for text in texts for name in re.findall(r"^class (\w+)", text, re.MULTILINE)}


def _prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def _spans(text: str) -> Iterator[str]:
    return (match[1] for match in _SPAN.finditer(text))


def _section(heading: str) -> str:
    """A section of the architecture page, without those below it."""
    (text,) = re.findall(rf"^## {heading}\n(.*?)(?=^##)", _prose(ARCHITECTURE), re.MULTILINE | re.DOTALL)
    assert isinstance(text, str)
    return text


def _expanded(path: str) -> list[str]:
    """The paths that `a/{b,c}.py` stands for."""
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", path)
    return [f"{match[1]}{part}{match[3]}" for part in match[2].split(",")] if match else [path]


def _paths(text: str) -> list[str]:
    return [path for span in _spans(text) if _PATH.fullmatch(span) for path in _expanded(span)]


def _classes(text: str) -> set[str]:
    return {match[1] for span in _spans(text) if (match := _CLASS.fullmatch(span))} | {
        match[2] for span in _spans(text) if (match := _QUALIFIED.fullmatch(span)) and match[2]
    }


def _package(file: Path) -> str:
    return ".".join(file.parent.parts[file.parts.index("hudiskip") + 1 :])


@BY_NAME
def test_a_path_is_there(page: Path) -> None:
    gone = [path for path in _paths(_prose(page)) if not any(_ROOT.glob(path.rstrip("/")))]
    assert not gone


@BY_NAME
def test_python_of_an_example_can_be_imported(page: Path) -> None:
    for _, code in _FENCE.findall(page.read_text(encoding="utf-8")):
        for module, names in _IMPORT.findall(code):
            path = _ROOT / module.replace(".", "/")
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            text = file.read_text(encoding="utf-8")
            for name in names.partition("#")[0].split(","):
                assert re.search(rf"\b{name.strip()}\b", text), f"{module} has no {name}"


def test_a_page_that_code_names_is_there() -> None:
    files = [
        *(file for folder in ("pycompiler", "tests", "examples") for file in (_ROOT / folder).rglob("*.py")),
        *(file for part in ("main", "test") for file in _java(part).values()),
        *_ROOT.glob("hive-handler/*/src/main/thrift/*.thrift"),
    ]
    named = {page for file in files for page in re.findall(r"\bdocs/[\w/-]+\.md", file.read_text("utf-8"))}
    assert len(named) > 3
    assert not [page for page in named if not (_ROOT / page).is_file()]


def test_a_class_is_there() -> None:
    for span in _spans(_prose(ARCHITECTURE)):
        match = _CLASS.fullmatch(span)
        if match and match[1] not in FOREIGN and not (_ROOT / span).is_file():
            file = _java().get(match[1]) or _java("test").get(match[1])
            text = file.read_text(encoding="utf-8") if file else ""
            text += _python_classes().get(match[1], "")
            assert text, f"there is no class {span}"
            for member in filter(None, match[2].split(".")):
                assert re.search(rf"\b{member}\b", text), f"{match[1]} has no {member}"


def test_every_file_of_the_architecture_is_there() -> None:
    named = {span for span in _spans(_prose(ARCHITECTURE)) if _FILE.fullmatch(span)}
    assert len(named) > 35
    gone = [name for name in named if not any(any(root.glob(name)) for root in (_ROOT, _ROOT / "pycompiler"))]
    assert not gone, (
        f"architecture.md names {sorted(gone)}: no such files are in pycompiler or the repository"
    )


def test_every_class_of_the_architecture_is_in_the_package_before_its_name() -> None:
    there = {**_java("test"), **_java()}
    named = set()
    for match in filter(None, map(_PLACED.fullmatch, _spans(_prose(ARCHITECTURE)))):
        package, name, members = match[1].rstrip("."), match[2], match[3]
        if f"{package}.".startswith("io.hudiskip."):
            continue  # The next test is about these.
        assert name in there, f"architecture.md names {match[0]}, but there is no class {name}"
        actual = _package(there[name])
        assert package == actual, f"architecture.md names {match[0]}, but {name} is in {actual}"
        for member in filter(None, members.split(".")):
            text = there[name].read_text(encoding="utf-8")
            assert re.search(rf"\b{member}\b", text), f"architecture.md names {match[0]}: no {member} there"
        named.add(name)
    assert len(named) > 20


def test_a_java_package_is_there() -> None:
    packages = {_package(file) for file in _java().values()}
    for match in filter(None, map(_QUALIFIED.fullmatch, _spans(_prose(ARCHITECTURE)))):
        assert match[1][1:] in packages, match[0]
        if match[2]:
            assert _package(_java()[match[2]]) == match[1][1:], match[0]


def test_the_table_of_java_packages_is_complete() -> None:
    text = _prose(ARCHITECTURE).partition("**In Java**")[2].partition("**In Python**")[0]
    named, wing = set(), ""
    for first, others in re.findall(r"^\| *(?:`(\w+)`)? *\| *((?:`[^|]+`)?) *\| .+ \|$", text, re.MULTILINE):
        wing = first or wing
        named |= {wing, *(f"{wing}.{package}" for package in _spans(others))}
    packages = {_package(file) for file in _java().values()}
    # A wing may have packages only.
    assert named - {package.partition(".")[0] for package in packages} <= packages
    assert packages <= named


def test_the_table_of_python_packages_is_complete() -> None:
    text = _prose(ARCHITECTURE).partition("**In Python**")[2]
    rows = re.findall(r"^\| (`[^|]+`) \| .+ \|$", text, re.MULTILINE)
    named = {span for cell in rows for span in _spans(cell)}
    there = {init.parent.name for init in _ROOT.glob("pycompiler/*/__init__.py")}
    assert {name for name in named if "." not in name} == there
    modules = {file.name for file in _ROOT.glob("pycompiler/*.py") if not file.name.startswith("__")}
    assert {name for name in named if name.endswith(".py")} == modules
    assert all((_ROOT / "pycompiler" / name.replace(".", "/")).is_dir() for name in named - modules)


def test_a_setting_touches_what_the_page_says() -> None:
    section = _section("A setting")
    for name, file in _java().items():
        text = file.read_text(encoding="utf-8")
        if name != "SkippingConf" and "SkippingConf.requireKnown(" in text:
            assert name in _classes(section), f"{name} checks settings"
        for field in re.findall(r"List<String> (\w*SETTINGS) =", text):
            assert field in section and name in _classes(section), f"{name}.{field} has settings"


def test_what_a_scan_reads_of_a_job_tells_scans_apart() -> None:
    """`KnownScans.SETTINGS` has all that its package reads: else a scan is reused for another."""
    setting = re.compile(r"\b(?:ConfVars|TableScanDesc|DataWritableReadSupport)\.([A-Z_]+)\b")
    of_the_query = {"HIVE_LOCAL_TIME_ZONE", "HIVE_QUERY_TAG"}  # the query's id is part of the key
    read = {
        name
        for file in _java().values()
        if (_package(file) == "scan" and file.stem != "KnownScans") or file.stem == "AsOf"
        for name in setting.findall(file.read_text(encoding="utf-8"))
    }
    known = set(setting.findall(_java()["KnownScans"].read_text(encoding="utf-8")))
    assert len(read) > 8
    assert read - known == of_the_query


def test_every_setting_is_documented() -> None:
    page = (_DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    constant = re.compile(r"static final String (\w+) =\s+((?:\w+ \+ )?)\"([^\"]*)\";")
    prefixes: dict[str, str] = {}
    for name in ("SkippingConf", "HBaseSettings"):
        found = constant.findall(_java()[name].read_text(encoding="utf-8"))
        for field, prefix, text in found:
            value = prefixes.get(prefix.removesuffix(" + "), "") + text
            prefixes[field] = value
            if value.startswith("hudi.skipping.") and not value.endswith("."):
                assert f"`{value}`" in page
    assert len(prefixes) > 10


def test_a_leaf_touches_what_the_page_says() -> None:
    section = _section("A leaf of the expression")
    used = {
        file.relative_to(_ROOT).as_posix()
        for file in (_ROOT / "pycompiler").rglob("*.py")
        if re.search(r"(?<!\w)Operator\.[A-Z]", file.read_text(encoding="utf-8"))
    }
    assert used - set(_paths(section)) == set()
    names_an_operator = re.compile(
        r"import io\.hudiskip\.thrift\.ExpressionOperator;.*(case|ExpressionOperator\.)[ A-Z]", re.DOTALL
    )
    java = {name for name, file in _java().items() if names_an_operator.search(file.read_text())}
    assert java - _classes(section) == set()


def test_a_read_mode_touches_what_the_page_says() -> None:
    section = _section("A read mode")
    used = set()
    for name, file in _java().items():
        code = re.sub(r"^import .*$|^ *(/\*\*|\*|//).*$", "", file.read_text(), flags=re.MULTILINE)
        if _package(file) != "table.state" and re.search(r"\b(QueriedState|ReadCommits)\b", code):
            used.add(name)
    assert used - _classes(section) == set()


def test_every_rule_of_a_function_is_documented() -> None:
    page = (_DOCS / "reference" / "types-and-functions.md").read_text(encoding="utf-8")
    assert {type(rule).__name__ for rule in BUILT_IN} - set(re.findall(r"`([A-Z]\w+)`", page)) == set()
