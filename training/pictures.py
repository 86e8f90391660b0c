"""Pictures of reports: win rates with their intervals, and matrices of who beats whom.

The colours are told apart by colour-blind readers too, and every cell has its figure in it. The
same report gives the same file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.statistics import Interval

INK, PAR_LINE = "#1b4f8f", "#8a8a8a"
DIVERGING, EMPTY = "PuOr", "#e4e4e4"  # orange below par, purple above
DARK = 0.3  # so far from the middle of the scale a cell wants white letters
ROW_INCHES = 0.45
LONGEST = 40  # letters of a name


def draw_intervals(
    path: Path, title: str, bars: Mapping[str, Interval], par: float, caption: str
) -> None:
    """A row for each name: the estimate as a dot, its interval as a line; par is dashed."""
    figure = _figure(8, 1.4 + ROW_INCHES * len(bars))
    axes = figure.add_subplot(title=title, xlabel=caption, xlim=(0, 1))
    axes.axvline(par, color=PAR_LINE, linestyle="--", linewidth=1)
    for row, interval in enumerate(bars.values()):
        axes.plot([interval.low, interval.high], [row, row], color=INK, linewidth=3, alpha=0.5)
        axes.plot(interval.estimate, row, "o", color=INK)
        axes.annotate(
            f"{interval.estimate:.1%}", (interval.estimate, row), (0, 7),
            textcoords="offset points", ha="center", fontsize=8,
        )  # fmt: skip
    axes.set_yticks(range(len(bars)), list(map(_short, bars)))
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.grid(axis="x", alpha=0.3)
    _save(figure, path)


def draw_matrix(
    path: Path, title: str, rows: Sequence[str], columns: Sequence[str],
    values: np.ndarray, par: float, caption: str,
) -> None:  # fmt: skip
    """A heat map of shares, float64[rows, columns]; NaN is grey, par white."""
    from matplotlib.colors import TwoSlopeNorm

    size = 3.2 + 0.8 * max(len(columns), len(rows))
    figure = _figure(size + 0.6, size)
    axes = figure.add_subplot(title=title, xlabel=caption, facecolor=EMPTY)
    scale = TwoSlopeNorm(par, 0, 1)
    axes.imshow(values, cmap=DIVERGING, norm=scale, aspect="auto")
    for row, column in np.argwhere(~np.isnan(values)):
        value = values[row, column]
        ink = "white" if abs(scale(value) - 0.5) > DARK else "black"
        axes.text(column, row, f"{value:.1%}", ha="center", va="center", color=ink)
    axes.set_xticks(range(len(columns)), list(map(_short, columns)), rotation=30, ha="right")
    axes.set_yticks(range(len(rows)), list(map(_short, rows)))
    _save(figure, path)


def _short(name: str) -> str:
    """The end of a long name: of a path, what tells it from others."""
    return name if len(name) <= LONGEST else "…" + name[-LONGEST:]


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, metadata={"Software": None})
