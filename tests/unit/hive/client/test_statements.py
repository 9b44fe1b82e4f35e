from pycompiler.hive.client.statements import text


def test_a_text_cannot_end_its_literal() -> None:
    assert text("it's \\ a;b") == r"'it\'s \\ a\u003B" + "b'"
