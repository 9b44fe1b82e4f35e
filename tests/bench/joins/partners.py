"""The files of a fact table that a query needs: those with a row that every join and condition keeps."""

from pyspark.sql import SparkSession
from sqlglot import exp, parse_one


def files_with_partners(spark: SparkSession, query: str, fact: str) -> int:
    """Counts them with Spark, which has a view of each of the query's tables.

    Raises:
        ValueError: See `counting_query`.
    """
    return int(spark.sql(counting_query(query, fact)).collect()[0][0])


def counting_query(query: str, fact: str) -> str:
    """A query that counts the files from which another one joins rows.

    Raises:
        ValueError: The other query does not read the fact table once, among the tables after FROM.
    """
    joins = [select for select in parse_one(query, read="spark").find_all(exp.Select) if _reads(select, fact)]
    if len(joins) != 1:
        raise ValueError(f"{fact} is read {len(joins)} times: {query}")
    (join,) = joins
    for clause in ("group", "having", "order", "limit"):
        join.set(clause, None)
    join.set("expressions", [parse_one(f"count(DISTINCT {fact}._hoodie_file_name)", read="spark")])
    return join.sql(dialect="spark")


def _reads(select: exp.Select, fact: str) -> bool:
    sources = [select.args.get("from_"), *select.args.get("joins", ())]
    return any(source is not None and source.this.name == fact for source in sources)
