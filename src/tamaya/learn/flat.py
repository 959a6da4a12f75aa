"""Arrays of several shapes, consecutive in one block of memory.

Data that every update reads completely, such as weights and their moments, is best kept in one
block: NumPy requests huge pages for large ones, which avoids an address lookup every 4 KB, and one
loop serves all arrays.
"""

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor

_PAGE = 1 << 21  # bytes of a huge page


def aligned_zeros(n: int) -> np.ndarray:
    """An array of zeros, aligned to a huge page unless it is much smaller than one."""
    step = _PAGE if 4 * n > _PAGE // 4 else 64
    size = -(-4 * n // step) * step
    block = np.zeros(size + step, np.uint8)
    first = -block.ctypes.data % step
    return block[first : first + 4 * n].view(np.float32)


def split(whole: np.ndarray, shapes: Iterable[tuple[int, ...]]) -> list[Tensor]:
    """Parts of a flat array as tensors of some shapes, which share its memory."""
    parts, first = [], 0
    for shape in shapes:
        last = first + int(np.prod(shape))
        parts.append(torch.from_numpy(whole[first:last]).view(shape))
        first = last
    if first != len(whole):
        raise ValueError(f"the shapes take {first} numbers, but there are {len(whole)}")
    return parts
