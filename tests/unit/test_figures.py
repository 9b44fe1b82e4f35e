import pytest

from pycompiler.figures import bytes_text, percent


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.00 kB"),
        (9_994, "9.99 kB"),
        (9_996, "10.0 kB"),
        (99_960, "100 kB"),
        (999_600, "1.00 MB"),
        (1_234_567, "1.23 MB"),
        (5 * 10**15, "5.00 PB"),
        (2 * 10**19, "20000 PB"),
    ],
)
def test_bytes_have_three_digits(size: int, text: str) -> None:
    assert bytes_text(size) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (0, 0, "0 %"),
        (1, 100_000, "< 0.1 %"),
        (99_999, 100_000, "> 99.9 %"),
        (1, 67, "1.5 %"),
        (7, 68, "10.3 %"),
        (1, 2, "50.0 %"),
        (999, 1000, "99.9 %"),
    ],
)
def test_a_share_is_never_rounded_to_nothing_or_all(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text
