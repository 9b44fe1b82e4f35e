from rich.table import Table

from pycompiler.demo.common.markdown import markdown


def test_a_table_keeps_its_alignment_and_its_lines() -> None:
    table = Table(title="not shown")
    table.add_column("query")
    table.add_column("seconds", justify="right")
    table.add_row("a day", "0.5 s\n1.2 s CPU")
    table.add_row("a key", "2.0 s")
    assert markdown(table).splitlines() == [
        "| query | seconds |",
        "| --- | ---: |",
        "| a day | 0.5 s<br>1.2 s CPU |",
        "| a key | 2.0 s |",
    ]
