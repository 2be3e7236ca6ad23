"""Arrays in the memory of a GPU: whatever has ``__cuda_array_interface__`` (CuPy, PyTorch, JAX, Numba).

They are used as they are, never copied or converted. A call on them returns before its work is done; it is in the
order of one stream: the one that is given, else that of the arrays' interface, else the default stream.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Protocol, TypeGuard

import numpy as np

_LEGACY_DEFAULT_STREAM = 1  # as the interface counts: 0 would be ambiguous

# (in, its numbers, out, its numbers, stream), of the C interface.
CallOn = Callable[[int, int, int, int, int], None]


class OnDevice(Protocol):
    """An array in the memory of a GPU."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


def on_device(array: Any) -> TypeGuard[OnDevice]:
    return hasattr(array, "__cuda_array_interface__")


def run_on_device(call: CallOn, array: Any, shape: tuple[int, ...], out: Any, out_shape: tuple[int, ...],
                  dtype: np.dtype[Any], stream: Any) -> Any:
    """`call` on array and out, which is made by the array's library where it is None."""
    if out is None:
        out = _empty(array, out_shape)
    elif not on_device(out):
        raise TypeError("out is not in the memory of a GPU, as the array that goes in is")
    given = _pointer(array, shape, dtype, "array", False)
    result = _pointer(out, out_shape, dtype, "out", True)
    call(given, _numbers(shape), result, _numbers(out_shape), _stream(stream, array, out))
    return out


def no_stream(stream: Any) -> None:
    if stream is not None:
        raise TypeError("a stream is for arrays in the memory of a GPU")


def _numbers(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _pointer(array: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str, written: bool) -> int:
    found = array.__cuda_array_interface__
    if np.dtype(found["typestr"]) != dtype:
        raise TypeError(f"{name} has dtype {np.dtype(found['typestr'])}, expected {dtype}")
    if tuple(found["shape"]) != shape:
        raise ValueError(f"{name} has shape {tuple(found['shape'])}, expected {shape}")
    strides, step = found.get("strides"), dtype.itemsize
    for axis in reversed(range(len(shape))):
        if strides is not None and shape[axis] > 1 and strides[axis] != step:
            raise ValueError(f"{name} is not contiguous")
        step *= shape[axis]
    pointer, readonly = found["data"]
    if written and readonly:
        raise ValueError(f"{name} is not writeable")
    return int(pointer)


def _stream(given: Any, *arrays: Any) -> int:
    if given is not None:
        return _handle(given)
    streams = {array.__cuda_array_interface__.get("stream") for array in arrays} - {None}
    if len(streams) > 1:
        raise ValueError("the arrays are of different streams: give stream=")
    return int(streams.pop()) if streams else _LEGACY_DEFAULT_STREAM


def _handle(stream: Any) -> int:
    if hasattr(stream, "__cuda_stream__"):
        found = int(stream.__cuda_stream__()[1])
    else:  # CuPy's, PyTorch's, a number
        found = int(getattr(stream, "ptr", getattr(stream, "cuda_stream", stream)))
    return found or _LEGACY_DEFAULT_STREAM


def _empty(array: Any, shape: tuple[int, ...]) -> Any:
    if hasattr(array, "new_empty"):  # PyTorch
        return array.new_empty(shape)
    library = sys.modules.get(type(array).__module__.partition(".")[0])
    if library is None or library.__name__ != "cupy":
        raise TypeError(f"give out: no array of {type(array)} can be made here")
    return library.empty(shape, array.dtype)
