"""What a rule about a function has to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from pycompiler.functions.condition import Condition
from pycompiler.predicate.model import Call, Literal
from pycompiler.values.outcomes import Outcomes


class FunctionRule(ABC):
    """A rule about one function, or a family of them that differ in name only. It has no state.

    A rule is a claim about Hive's function: if a row gives the function one of the wanted outcomes, the
    row meets the condition that `invert` returns. The class's docstring has the line that proves it.
    """

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """Canonical names of the functions (docs/functions.md), lower-case."""

    @abstractmethod
    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        """Says what the arguments must be for the function to have one of the wanted outcomes.

        Args:
            call: A call of one of `names`, with any number of arguments of any types.
            wanted: Outcomes in the encoding of `call.type`, not all there are. If there are none, the rule
                still keeps the arguments for which the result may not be of that type.

        Returns:
            A condition that every row with a wanted outcome meets; None if this rule says nothing about
            these arguments or types.
        """

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        """Gives the result for constant arguments, exactly as Hive does; None if that is not certain."""
        return None
