"""What a run tells: a live display, metrics in JSONL and TensorBoard, a picture of the curve."""

import json
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from types import FrameType, TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from agents.storage import write_bytes

METRICS = "metrics.jsonl"
CURVE = "learning_curve.png"
_DRAWN = 60  # points of a noisy curve
_PLAIN_EVERY = 10.0  # seconds between lines where no live display is possible


class Stop:
    """Turns the first Ctrl-C into a request to end after the current update.

    A second one interrupts at once. Outside the main thread signals are left alone.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> "Stop":
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


def announce_measurement(quiet: bool) -> None:
    """Say why nothing is to be seen yet: the first run of a game also compiles it."""
    Console(stderr=True, quiet=quiet).print("Measuring the learner's speed …")


class Progress:
    """Reports of one run; a context manager.

    Args:
        out: the run's folder.
        step: decisions played before, when a run is resumed; later lines of its metrics go.
        steps: decisions in the whole run.
        quiet: show nothing.
    """

    def __init__(self, out: Path, step: int, steps: int, quiet: bool = False):
        from torch.utils.tensorboard import SummaryWriter

        self._out, self._steps = out, steps
        self._first = step
        self._first_seconds: float | None = None
        _forget_after(out / METRICS, step)
        self._metrics = open(out / METRICS, "a", encoding="utf-8")  # noqa: SIM115 - see __exit__
        self._board = SummaryWriter(str(out), purge_step=step)
        self._console = Console(stderr=True, quiet=quiet)
        self._live = (
            Live(console=self._console, auto_refresh=False) if self._console.is_terminal else None
        )
        self._said = -_PLAIN_EVERY

    def __enter__(self) -> "Progress":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
        self._metrics.close()
        self._board.close()

    def report(self, step: int, seconds: float, values: Mapping[str, float]) -> None:
        """One update's figures."""
        line = {"step": step, "seconds": round(seconds, 3), **values}
        self._metrics.write(json.dumps(line, default=float) + "\n")
        self._metrics.flush()
        for name, value in values.items():
            self._board.add_scalar(name, value, step)
        if self._first_seconds is None:
            self._first_seconds = seconds * self._first / step if step else seconds
        if self._live is not None:
            self._live.update(self._picture(step, seconds, values), refresh=True)
        elif seconds - self._said >= _PLAIN_EVERY or step >= self._steps:
            self._said = seconds
            self._console.print(self._sentence(step, seconds, values), highlight=False)

    def finish(self, folder: Path, interrupted: bool) -> None:
        """Draw the curve and say where everything is."""
        drawn = draw_curve(self._out)
        if self._live is not None:
            self._live.stop()
        if interrupted:
            self._console.print(
                f"Stopped; saved {folder}. The same command with --resume, without --minutes, goes "
                "on to the planned end."
            )
        else:
            self._console.print(f"Done; saved {folder}.")
        if drawn:
            self._console.print(f"Learning curve: {self._out / CURVE}")

    def _left(self, step: int, seconds: float) -> float:
        """Seconds left at the mean speed so far."""
        played = max(step - self._first, 1)
        spent = seconds - (self._first_seconds or 0.0)
        return max(0.0, self._steps - step) * (
            spent / played if self._first else seconds / max(step, 1)
        )

    def _sentence(self, step: int, seconds: float, values: Mapping[str, float]) -> str:
        games = ", ".join(f"{name} {won:.0%}" for name, won, _ in _against(values))
        return (
            f"{step:,} of {self._steps:,} steps, {values['steps_per_second']:,.0f}/s, "
            f"{_clock(self._left(step, seconds))} left"
            + (f"; won against {games}" if games else "")
        )

    def _picture(self, step: int, seconds: float, values: Mapping[str, float]) -> Table:
        table = Table.grid(padding=(0, 2))
        table.add_row(
            "steps", f"{step:,} of {self._steps:,}", ProgressBar(self._steps, step, width=30)
        )
        table.add_row("steps/s", f"{values['steps_per_second']:,.0f}")
        table.add_row("time left", _clock(self._left(step, seconds)))
        table.add_row("entropy", f"{values.get('entropy', float('nan')):.3f}")
        for name, won, total in _against(values):
            table.add_row(f"against {name}", f"won {won:.1%}", f"return {total:+.3f}")
        return table


def _against(values: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """(opponent, share won, return) of each opponent in an update's figures."""
    names = [
        name.removeprefix("against/").removesuffix("/won")
        for name in values
        if name.startswith("against/") and name.endswith("/won")
    ]
    return [(n, values[f"against/{n}/won"], values[f"against/{n}/return"]) for n in names]


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _forget_after(path: Path, step: int) -> None:
    """Drop the lines of a killed run that its last checkpoint does not know of."""
    if path.is_file():
        kept = [line for line in read_metrics(path) if line["step"] <= step]
        write_bytes(path, "".join(json.dumps(line) + "\n" for line in kept).encode())


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file; a last line that was cut short is passed over."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            break
    return lines


def draw_curve(out: Path) -> Path | None:
    """Draw win rates over steps; without any, or without matplotlib, None and no picture."""
    curves = _curves(read_metrics(out / METRICS))
    if not curves:
        return None
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no learning curve: matplotlib is not installed", file=sys.stderr)
        return None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot(xlabel="decisions played", ylabel="share of games won", ylim=(0, 1))
    for name, points in sorted(curves.items()):
        if name.startswith("probe/"):
            label = name.replace("probe/", "measured, against ")
            axes.plot(*_columns(points), marker="o", label=label)
        else:
            label = name.replace("against/", "in training, against ")
            axes.plot(*_columns(_thinned(points)), alpha=0.4, label=label)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(out / CURVE, dpi=120)
    return out / CURVE


Points = list[tuple[float, float]]


def _curves(lines: list[dict[str, Any]]) -> dict[str, Points]:
    """(step, share won) by probe/opponent and against/opponent."""
    curves: dict[str, Points] = {}
    for line in lines:
        for name, value in line.items():
            if name.startswith(("probe/", "against/")) and name.endswith("/won"):
                curves.setdefault(name.removesuffix("/won"), []).append((line["step"], value))
    return curves


def _thinned(points: Points) -> Points:
    """Means of neighbours, so that at most ``_DRAWN`` points are left."""
    size = -(-len(points) // _DRAWN)
    groups = [points[i : i + size] for i in range(0, len(points), size)]
    return [(fmean(x for x, _ in group), fmean(y for _, y in group)) for group in groups]


def _columns(points: Points) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
