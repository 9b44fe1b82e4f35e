"""Runs a folder of vectors: `python -m tests.conformance.outside DIRECTORY`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.spark.session import hudi_session
from pycompiler.tools.cli.console.output import stdout_for_results

from ..agreement.jvm_evaluator import JvmEvaluatorError, evaluate_in_jvm
from .collected import SPARK_SETTINGS, Collector
from .reading import FileContent, Source, Vector, VectorFormatError, read_folder
from .reasons import Case, Outcome
from .report import SourceReport, print_report, problems


def main(arguments: Sequence[str]) -> int:
    """Runs a folder of vectors.

    Returns:
        0; 1 for a violation, a disagreement, or with `--strict` a missed skip without a stated reason;
        2 if the folder or the Java classes cannot be used.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.outside", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with *.json")
    parser.add_argument("-v", "--verbose", action="store_true", help="list every missed skip")
    parser.add_argument("--strict", action="store_true", help="fail on a missed skip without a stated reason")
    options = parser.parse_args(arguments)
    try:
        reports = run(options.folder)
    except (VectorFormatError, JvmEvaluatorError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    print_report(console, reports, verbose=options.verbose)
    wrong = [line for report in reports for line in problems(report.outcomes)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong or (options.strict and any(report.open for report in reports)) else 0


def run(folder: Path) -> list[SourceReport]:
    """Returns the outcomes by source.

    Raises:
        VectorFormatError: The folder has no vectors, or a malformed one.
        JvmEvaluatorError: The Java evaluator is missing, or failed.
    """
    sources = read_folder(folder)
    cases = _cases(sources)
    java = iter(
        evaluate_in_jvm((case.expression, case.statistics) for of_source in cases for case in of_source)
    )
    return [
        SourceReport.of(
            source.project,
            [Outcome(case, tuple(case.kept_by_python()), tuple(next(java))) for case in of_source],
        )
        for source, of_source in zip(sources, cases, strict=True)
    ]


def _cases(sources: Sequence[Source]) -> list[list[Case]]:
    """Compiles the vectors of each source. Spark is started only if files are given as rows."""
    files = [file for source in sources for vector in source.vectors for file in vector.files]
    if any(isinstance(file, tuple) for file in files):
        with _collector() as collector:
            return [[_case(vector, collector) for vector in source.vectors] for source in sources]
    return [[_case(vector, None) for vector in source.vectors] for source in sources]


def _case(vector: Vector, collector: Collector | None) -> Case:
    def statistics(file: FileContent) -> FileStatistics:
        if isinstance(file, tuple):
            assert collector is not None, "rows without a collector"
            return collector.file_statistics(vector.columns, file)
        return file

    return Case.of(vector, [statistics(file) for file in vector.files])


@contextmanager
def _collector() -> Iterator[Collector]:
    settings = {**SPARK_SETTINGS, "spark.ui.showConsoleProgress": "false"}
    # Keeps Spark's output out of the report.
    with stdout_for_results(), TemporaryDirectory() as folder:
        spark = hudi_session("vectors-from-outside", master="local[1]", conf=settings)
        try:
            spark.sparkContext.setLogLevel("ERROR")
            yield Collector(spark, Path(folder))
        finally:
            spark.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
