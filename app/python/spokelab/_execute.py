"""One call of an operator, on arrays in host or GPU memory."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from . import _core
from ._arrays import given, result
from ._device import no_stream, on_device, run_on_device
from ._libraries import returned


class Side(NamedTuple):
    """An input or output of the call."""

    name: str
    shape: tuple[int, ...]


class Operator(Protocol):
    dtype: np.dtype[Any]
    _core: Any
    _context: _core.Context


def execute(operator: Operator, call: str, array: Any, side: Side, out: Any, out_side: Side, stream: Any) -> Any:
    """`call` of the operator's core; out is made by the array's library where it is None."""
    if on_device(array):
        return run_on_device(getattr(operator._core, call + "_on"), operator._context, array, side.shape, out,
                             out_side.shape, operator.dtype, stream)
    no_stream(stream)
    values = given(array, side.shape, operator.dtype, side.name)
    into = result(out, out_side.shape, operator.dtype, out_side.name)
    getattr(operator._core, call)(values, into)
    return returned(into, array) if out is None else out
