"""Joining a Ray cluster, or starting one on this machine; and spreading work over it."""

import logging
import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import ray

OBJECT_STORE = 256 * 2**20  # bytes, of a cluster that is started here; a rollout takes some ten MiB
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anybody
    "RAY_worker_niceness": "0",  # the learner waits for those who play
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # the rest stands in the files below ``temp_dir``
}
_TRIES = 5
_RETRIES = 10  # of a piece of work whose machine is lost

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")


@contextmanager
def cluster(
    address: str | None = None, cpus: int | None = None, temp_dir: Path | None = None
) -> Iterator[None]:
    """Be connected to a cluster; to the present one where there is one already.

    Args:
        address: of a running cluster, ``auto`` for the one on this machine; None starts one here,
            which ends with the process.
        cpus: that a cluster started here may use; None for all there are.
        temp_dir: of a cluster started here. Its sockets lie below it, and their paths must not be
            longer than 107 bytes.

    Raises:
        ConnectionError: nobody answers at the address.
    """
    if ray.is_initialized():
        yield
        return
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    where: dict[str, Any] = (
        {"address": address}
        if address
        else {
            "address": "local",
            "num_cpus": cpus,
            "object_store_memory": OBJECT_STORE,
            "include_dashboard": False,
            "_temp_dir": str(temp_dir) if temp_dir else None,
        }
    )
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    _start(where)
    try:
        yield
    finally:
        ray.shutdown()


def _start(where: dict[str, Any]) -> None:
    def join() -> None:
        ray.shutdown()  # what a try before has left
        ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)

    patiently(join)


def patiently(start: Callable[[], Result]) -> Result:
    """Start something of Ray, anew if a busy machine takes longer than Ray waits, half a minute."""
    for tries_left in reversed(range(_TRIES)):
        try:
            return start()
        except Exception as error:  # Ray raises no other kind here
            if "timed out during startup" not in str(error) or not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


def spread(job: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
    """``(item, job(item))`` of all items, as they are done; each takes a core of the cluster."""
    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_do)
    shared = ray.put(job)
    waiting = {remote.remote(shared, item): item for item in items}
    while waiting:
        for done in ray.wait(list(waiting))[0]:
            yield waiting.pop(done), ray.get(done)


def _do(job: Callable[[Item], Result], item: Item) -> Result:
    return job(item)
