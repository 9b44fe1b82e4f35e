"""The interface of function rules."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from pycompiler.compile.functions.condition import Condition
from pycompiler.compile.predicate.model import Call, Literal
from pycompiler.compile.values.outcomes import Outcomes


class FunctionRule(ABC):
    """A stateless rule about one function, or a family that differs in name only.

    A rule is a claim about Hive's function: if a row gives the function one of the wanted outcomes, the row
    meets the condition that `invert` returns. The class docstring states the proof in one line.
    """

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """Canonical names of the functions (docs/reference/types-and-functions.md), lower-case."""

    @abstractmethod
    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        """Returns what must hold for the arguments if the function has one of the wanted outcomes.

        Args:
            call: A call of one of `names`, with any number and types of arguments.
            wanted: Outcomes in the encoding of `call.type`, never all of them. If empty, the rule still keeps
                the arguments whose result may not be of that type.

        Returns:
            A condition that every row with a wanted outcome meets; None if this rule cannot tell.
        """

    def evaluate(self, call: Call, arguments: Sequence[Literal]) -> Literal | None:
        """Returns the result for constant arguments exactly as Hive computes it; None if not certain."""
        return None


class KindRules:
    """The compiler's view of an index kind, independent of how its records are made."""

    __slots__ = ()

    rules: ClassVar[Sequence[FunctionRule]] = ()
    """Rules whose conditions may be `Asked` of the kind, or any other condition."""
