"""The functions for which an index kind makes questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pycompiler.functions.rule import FunctionRule


class KindRules:
    """What the compiler takes of an index kind, without a need to know how its records are made."""

    __slots__ = ()

    rules: ClassVar[Sequence[FunctionRule]] = ()
    """Rules about functions whose conditions are `Asked` of the kind, or anything else."""
