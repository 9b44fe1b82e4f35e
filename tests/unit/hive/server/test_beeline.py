from pycompiler.hive.server import BeelineResult

OUTPUT = """\
Connected to: Apache Hive (version 4.0.1)
0: jdbc:hive2://127.0.0.1:1/default> show tables;
+-----------+
| tab_name  |
+-----------+
| t         |
+-----------+
1 row selected (0.1 seconds)
0: jdbc:hive2://127.0.0.1:1/default> select v, n from t;
+----+-------+
| v  |   n   |
+----+-------+
| a  | 2     |
|    | NULL  |
+----+-------+
2 rows selected (0.1 seconds)
"""


def test_the_last_table_that_beeline_printed_is_the_answer() -> None:
    assert BeelineResult(OUTPUT, 0).table() == [["a", "2"], ["", "NULL"]]


def test_output_without_a_table_has_no_rows() -> None:
    assert BeelineResult("Error: Error while compiling statement\n", 2).table() == []
