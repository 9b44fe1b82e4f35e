"""A Spark application as users have it, which knows of the index only by two options. Run as a program.

Arguments: the table's path and type, the jars, and options of Hudi as KEY=VALUE. It ends as soon as it has
written.
"""

import sys

from pycompiler.spark.session import hudi_session


def main(path: str, table_type: str, jars: str, settings: list[str]) -> None:
    """Creates a table, inserts twice and merges, all in SQL."""
    spark = hudi_session("writer", master="local[2]", conf={"spark.jars": jars})
    spark.sparkContext.setLogLevel("WARN")
    for setting in settings:
        key, _, value = setting.partition("=")
        spark.sql(f"SET {key}={value}")
    spark.sql(
        "CREATE TABLE readings (id BIGINT, name STRING, site STRING) USING hudi PARTITIONED BY (site) "
        f"TBLPROPERTIES (primaryKey = 'id', type = '{table_type}') LOCATION '{path}'"
    )
    spark.sql("INSERT INTO readings VALUES (1, 'a', 'north'), (2, 'b', 'south')")
    spark.sql("INSERT INTO readings VALUES (3, 'c', 'north')")
    spark.sql(
        "MERGE INTO readings t USING (SELECT 2L AS id, 'z' AS name, 'south' AS site) s ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )
    print("written", spark.table("readings").count())
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
