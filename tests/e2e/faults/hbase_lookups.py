"""Random partitionings in a real HBase, and random plans over them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from pycompiler.compile.planner.plans import FilterPlan
from pycompiler.table.catalogue.partitions import Partition
from tests.conformance.agreement.jvm_program import JvmProgram
from tests.conformance.plan_vectors import plan_bytes
from tests.planning import plan_predicate
from tests.stores.hbase import generation_of
from tests.unit.compile.planner.partitionings import Partitioning, partitionings, random_filter

_MAIN = "io.hudiskip.hbase.PlanLookups"
_UNKEYED = "unkeyed"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A plan, and what was found for it.

    Attributes:
        plan: The plan.
        found: The partitions that HBase has found, each once, sorted; None if it was not asked, because the
            plan leaves the whole table.
        expected: Those that the planner's own catalogue has.
    """

    plan: FilterPlan
    found: list[str] | None
    expected: list[str]


def lookups(quorum: str, jars: str, folder: Path, seed: int, tables: int, plans: int) -> Iterator[Lookup]:
    """Publishes some tables, and looks so many plans up in each.

    The tables are not in the folder: HBase knows a table by its root.
    """
    random = Random(seed)
    with JvmProgram(_MAIN, quorum, jars=jars) as jvm:
        for number, drawn in enumerate(islice(partitionings(random), tables)):
            filters = [random_filter(random, drawn.terms).planned for _ in range(plans)]
            asked = [plan_predicate(each, drawn.layout) for each in filters]
            answers = json.loads(jvm.ask(_question(folder / str(number), drawn, asked)))
            for plan, answer in zip(asked, answers, strict=True):
                found = None if answer is None else sorted(answer)
                yield Lookup(plan, found, sorted([*drawn.catalogue.select(plan), _UNKEYED]))


def _question(root: Path, drawn: Partitioning, plans: list[FilterPlan]) -> str:
    catalogue, layout = drawn.catalogue, drawn.layout
    partitions = [
        *(Partition(path, key, 1, 1, "1") for key, path in zip(catalogue.keys, catalogue.paths, strict=True)),
        *(Partition(path, None, 1, 1, "1") for path in (*catalogue.unkeyed, _UNKEYED)),
    ]
    generation = generation_of(layout, partitions)
    question = {
        "table": str(root),
        "document": generation.document().decode(),
        "partitions": [
            {"path": of.path, "key": None if of.key is None else of.key.hex()} for of in partitions
        ],
        "plans": [plan_bytes(plan).hex() for plan in plans],
    }
    return json.dumps(question)
