import os
import stat
from pathlib import Path

import pytest

from pycompiler.tools.pages.page import Page, PageError

from .documents import parsed

PAGE = Page("a page", "<!DOCTYPE html><p>é")


def test_a_page_replaces_the_previous_one(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")
    file.chmod(0o600)
    PAGE.write(file)
    assert file.read_text(encoding="utf-8") == PAGE.html
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it was not for others to read"
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"], "nothing else may be left"


def test_a_new_page_has_the_mode_that_programs_give_to_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        PAGE.write(tmp_path / "page.html")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640


def test_the_mode_of_files_that_other_threads_create_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to: list[int] = []
    # The mask is that of the whole process, and cannot be read without setting it.
    monkeypatch.setattr(os, "umask", set_to.append)
    PAGE.write(tmp_path / "page.html")
    assert set_to == []


def test_a_link_still_leads_to_the_page(tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to("page.html")
    PAGE.write(tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == PAGE.html


def test_the_previous_page_stays_if_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(PageError, match="cannot write .*page.html: No space left on device"):
        PAGE.write(file)
    assert file.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_what_cannot_be_a_page_is_named(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="is a directory; name a file, such as .*page.html"):
        PAGE.write(tmp_path)
    with pytest.raises(PageError, match="cannot write .*missing/page.html: No such file or directory"):
        PAGE.write(tmp_path / "missing" / "page.html")
    with pytest.raises(PageError, match="/dev/null is not a regular file"):
        PAGE.write("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode), "it must not have become a file"


def test_a_file_name_that_is_not_utf_8_does_not_prevent_a_page(tmp_path: Path) -> None:
    Page("t", "a\udcff").write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == b"a?"


def test_a_notebook_shows_a_page_in_a_frame_of_its_own() -> None:
    page = Page('"<b>', '<p title="a">&amp;</p>')
    frame = parsed(page._repr_html_()).one("iframe")
    assert frame.attributes["srcdoc"] == page.html
    assert frame.attributes["title"] == page.title
