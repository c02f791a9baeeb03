"""The symmetries of boards, as permutations of what networks read and answer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]


def permutations(
    kind: str, shape: tuple[int, int, int], policy_size: int
) -> list[tuple[Indices, Indices]]:
    """The images of a board, the board itself first.

    Args:
        kind: "", mirror (left and right), rotation (by 180 degrees), rectangle or square.
        shape: Planes, rows and columns.
        policy_size: One index per column, or one per cell and others that stay.

    Returns:
        Pairs of permutations, see ``Game.symmetries``.

    >>> [policy.tolist() for _, policy in permutations("mirror", (1, 2, 3), 7)]
    [[0, 1, 2, 3, 4, 5, 6], [2, 1, 0, 5, 4, 3, 6]]
    """
    planes, rows, columns = shape
    cells = np.arange(rows * columns).reshape(rows, columns)
    images = {
        "": [cells],
        "mirror": [cells, cells[:, ::-1]],
        "rotation": [cells, cells[::-1, ::-1]],
        "rectangle": [cells, cells[:, ::-1], cells[::-1], cells[::-1, ::-1]],
        "square": [np.rot90(turned, k) for turned in (cells, cells.T) for k in range(4)],
    }[kind]
    found = []
    for image in images:
        inputs = (np.arange(planes)[:, None] * cells.size + image.ravel()).ravel()
        if policy_size == columns:
            policy = image[0]
        else:
            policy = np.concatenate([image.ravel(), np.arange(cells.size, policy_size)])
        found.append((inputs, policy))
    return found
