"""What is said of the records of an index."""

from collections.abc import Sequence
from dataclasses import replace

from pycompiler.advise.advice import LayoutAdvice, Proposal
from pycompiler.advise.chosen_kinds import ChosenKinds, KindAdvice
from pycompiler.advise.costs import Costs, Timed, TimePerByte
from pycompiler.advise.expected_records import PlannedKind
from pycompiler.advise.forecast import Forecast
from pycompiler.advise.layout import Layout
from pycompiler.advise.proof import Proof
from pycompiler.advise.reads import Read
from pycompiler.advise.report.index_text import index_command, index_document, index_text
from pycompiler.advise.report.text import advice_document, advice_text
from pycompiler.advise.search import Candidate
from pycompiler.index.kinds import Bloom, ValueSet
from tests.unit.advise.rows import asked, table_sample


def of(column: str, kind: PlannedKind, *, pays_off: bool = True, is_kept: bool = False) -> KindAdvice:
    return KindAdvice(column, kind, is_kept, pays_off, (0,), 0.5, 0.1, 40, 20_000, 300)


def chosen(share: float, before: float, *kinds: KindAdvice) -> ChosenKinds:
    return ChosenKinds(kinds, (share,), (before,))


def advice(then: ChosenKinds, as_it_is: ChosenKinds) -> LayoutAdvice:
    candidate = Candidate(Forecast(Layout(("a",)), then.shares_before), then.shares_before[0], 0.01)
    sample = table_sample({"a": list(range(10))})
    found = (Proposal(candidate, then),)
    return LayoutAdvice(asked("b = 5"), 50, 10**9, "index", (0.9,), 10**7, 100, sample, {}, as_it_is, found)


def lines(found: LayoutAdvice, proof: Proof | None = None) -> Sequence[str]:
    return list(index_text(found, proof))


THEN = chosen(
    0.1,
    0.5,
    of("both", Bloom()),
    of("new", ValueSet()),
    of("had", Bloom(0.01), is_kept=True),
    of("vain", Bloom(), is_kept=True, pays_off=False),
    of("no", ValueSet(), pays_off=False),
)
AS_IT_IS = chosen(0.6, 0.9, of("both", Bloom()), of("old", Bloom()), of("vain", Bloom(), is_kept=True))


def test_it_says_with_which_layout_records_pay_off() -> None:
    found = advice(THEN, AS_IT_IS)
    ends = {line.split()[0]: line.rpartition("  ")[2] for line in lines(found)[1:]}
    assert ends == {
        "both": "with both layouts",
        "new": "only with the new layout",
        "had": "only with the new layout, the index has them",
        "vain": "only as it is, the index has them",
        "old": "only as it is",
    }
    assert (
        lines(found)[1].split("  ")[-2].strip() == "50.0 -> 10.0 of 100"
        and "20.0 kB ± 300 B" in lines(found)[1]
    )
    assert "25.0 -> 5.0 of 50" in lines(found)[-1], "of the present files"
    command = "hudi-skip index build /t --add-index both=bloom --add-index 'new=values(max=256)'"
    assert index_command("/t", found) == command
    text = list(advice_text("/t", found, None))
    assert text[text.index("advice: then add to its index:") + 1] == f"  {command}"


def test_records_may_be_worth_it_where_another_layout_is_not() -> None:
    found = advice(chosen(0.59, 0.9, of("new", Bloom())), AS_IT_IS)
    assert found.best is None and found.share_as_it_is == 0.6
    text = "\n".join(advice_text("/t", found, None))
    assert "leave the layout as it is" in text and "advice: add to its index:" in text
    assert "--add-index both=bloom --add-index old=bloom" in text and "new" not in text
    assert [line.rpartition("  ")[2] for line in lines(found)[1:]] == [
        "yes",
        "yes",
        "yes, the index has them",
    ]


def test_nothing_is_said_if_no_records_pay_off() -> None:
    nothing = chosen(0.5, 0.5, of("no", ValueSet(), pays_off=False))
    found = advice(nothing, nothing)
    assert lines(found) == [] and index_command("/t", found) is None


def test_truth_stands_beside_the_forecast() -> None:
    found = advice(THEN, AS_IT_IS)
    keys = [("both", "bloom"), ("new", "values")]
    proof = Proof(
        reads=(Read(11, 0.1),),
        reads_before=(Read(99, 0.9),),
        reads_without={key: (Read(60, 0.5),) for key in keys},
        files=110,
        size=10**9,
        kind_sizes=dict.fromkeys(keys, 21_000),
        writing=Timed(2 * 10**9, 220),
        seconds=3,
        forecast=replace(THEN, shares=(0.12,)),
    )
    both = next(line for line in lines(found, proof) if line.startswith("both"))
    assert "20.0 kB ± 300 B" in both and "55.0 -> 11.0 of 110" in both and "21.0 kB" in both
    assert "60.0 -> 11.0 of 110" in both
    (record, *_) = index_document("/t", found, proof)["records"]
    assert record["proved"] == {
        "bytes": 21_000,
        "bytes_forecast": 20_000,
        "files_read_without": 60,
        "files_read_without_forecast": 55,
        "files_read": 11,
        "files_read_forecast": 11,
    }
    end = "\n".join(advice_text("/t", found, proof))
    assert "of which a query reads 10.0 %; the forecast for as many files is 12.0 %" in end
    assert "without the added records, it reads 90.0 %; the forecast is 50.0 %" in end
    assert "writing 2.00 GB took 3.7 min of task time\n" in end, "no commit allowed a forecast"


def test_the_time_to_follow_advice_is_forecast() -> None:
    timed = Costs(TimePerByte(100e-9, 20e-9, 40), TimePerByte(10e-9, 1e-9, 5))
    found = replace(advice(THEN, AS_IT_IS), costs=timed)
    text = "\n".join(advice_text("/t", found, None))
    assert "writing it takes about 1.7 min ± 20 s of task time, judging by 40 of the table's files" in text
    assert "takes about 10 s ± 1.0 s in one thread, judging by 5 files" in text
    document = advice_document("/t", found, None)
    assert document["costs"]["write"] == {"seconds": 100, "seconds_error": 20, "measured_files": 40}
    assert advice_document("/t", advice(THEN, AS_IT_IS), None)["costs"] == {"write": None, "collect": None}
