"""``zermelo.deepen``: a search as an iterator over its finished depths."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

from ..checks import check_called
from ..result import Result
from .api import search


def deepen(
    game: Any, state: Any = None, algorithm: str = "auto", **limits: Any
) -> Iterator[Result]:
    """Iterate over the results of the finished depths of a search.

    The search continues in another thread while you handle a result, and ends when you leave the
    loop.

    Args:
        game: The game.
        state: The root; by default the initial state.
        algorithm: A name from ``zermelo algorithms``, or "auto".
        limits: Limits and options of :func:`zermelo.search`.

    Yields:
        The result of each depth; the last one is the final answer.

    Raises:
        ZermeloError: As :func:`zermelo.search`.

    Example:
        >>> import zermelo
        >>> [r.depth for r in zermelo.deepen(zermelo.load("connect-four"), depth=3)]
        [1, 2, 3]
    """
    check_called("stop", limits.get("stop"))
    results: queue.Queue[Result | BaseException | None] = queue.Queue()
    left = threading.Event()
    reported: list[Result] = []
    stop = limits.pop("stop", None)

    def tell(result: Result) -> None:
        reported.append(result)
        results.put(result)

    def work() -> None:
        try:
            last = search(
                game,
                state,
                algorithm,
                **limits,
                on_depth=tell,
                stop=lambda: left.is_set() or (stop is not None and stop()),
            )
            # The last depth was reported already, unless the search stopped before the first.
            if not reported or reported[-1].depth != last.depth:
                results.put(last)
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (result := results.get()) is not None:
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        left.set()
        thread.join()
