"""A point of the suite: a check with its number, its title and what it needs."""

from collections.abc import Callable
from dataclasses import dataclass

from envs.conformance.subject import Subject


@dataclass(frozen=True)
class Point:
    """One check.

    Attributes:
        number: of the point it belongs to.
        title: what holds when it passes.
        check: raises AssertionError, saying what broke.
        needs_game: it looks into a ``Game``, which environments of another origin lack.
        starts_processes: it starts other interpreters, so it needs a subject with an ``entry``.
    """

    number: int
    title: str
    check: Callable[[Subject], None]
    needs_game: bool = False
    starts_processes: bool = False

    @property
    def name(self) -> str:
        """The function's name, for test ids."""
        return self.check.__name__

    def obstacle(self, subject: Subject) -> str:
        """Why it cannot be checked on this subject; empty when it can."""
        if self.needs_game and not subject.has_game:
            return "the environment has no Game to look into"
        if self.starts_processes and not subject.entry:
            return "another process could not import this environment"
        return ""
