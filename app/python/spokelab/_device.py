"""Arrays in the memory of a GPU: those with DLPack, or with ``__cuda_array_interface__`` (PyTorch, CuPy, JAX, Numba).

They are used as they are, never copied or converted. A call on them is in the order of one stream: the one that is
given, else that of the arrays (PyTorch's and CuPy's current one). It returns before its work is done; where no
stream is known (JAX), it uses the default stream and returns after.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Protocol, TypeGuard

import numpy as np

from . import _core
from ._libraries import empty_like, is_foreign, library_of

_LEGACY_DEFAULT_STREAM = 1  # as DLPack and the interface count: 0 would be ambiguous
_DLPACK_CUDA = (2, 13)  # kDLCUDA, kDLCUDAManaged

# (in, its numbers, out, its numbers, stream), of the C interface.
CallOn = Callable[[int, int, int, int, int], None]


class OnDevice(Protocol):
    """An array in the memory of a GPU."""

    def __dlpack__(self, *, stream: int | None = None) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


class _Place(NamedTuple):
    """The place of an array: strides in bytes; `held` keeps the DLPack capsule's owner alive."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    dtype: np.dtype[Any]
    readonly: bool
    held: Any


def on_device(array: Any) -> TypeGuard[OnDevice]:
    if type(array) is np.ndarray:
        return False
    if is_foreign(array):
        return array.__dlpack_device__()[0] in _DLPACK_CUDA
    return hasattr(array, "__cuda_array_interface__")


def run_on_device(call: CallOn, context: _core.Context, array: Any, shape: tuple[int, ...], out: Any,
                  out_shape: tuple[int, ...], dtype: np.dtype[Any], stream: Any) -> Any:
    """`call` on array and out, which is made by the array's library where it is None."""
    if out is None:
        out = empty_like(array, out_shape)
    elif not on_device(out):
        raise TypeError("out is not in the memory of a GPU, as the input array is")
    on = _stream(stream, array, out)
    places = [_place(array, on), _place(out, on)]
    _require(places[0], shape, dtype, "array", False)
    _require(places[1], out_shape, dtype, "out", True)
    call(places[0].pointer, _numbers(shape), places[1].pointer, _numbers(out_shape), on or _LEGACY_DEFAULT_STREAM)
    if on is None and (is_foreign(array) or is_foreign(out)):
        context.synchronize(_LEGACY_DEFAULT_STREAM)
    return out


def points_on_device(call: Callable[[int, int, int], None], context: _core.Context, points: Any, dims: int,
                     stream: Any) -> int:
    """`call` on (points, dims) float64 in cycles per pixel, columns as in Python; returns how many."""
    axes = 1 if dims == 1 and len(points.shape) == 1 else 2
    if axes == 2 and (len(points.shape) != 2 or points.shape[1] != dims):
        raise ValueError(f"points have shape {tuple(points.shape)}, expected (points, {dims})")
    if dims > 1:
        flip = getattr(library_of(points), "flip", None)
        if flip is None:
            raise TypeError(f"points of {type(points)} cannot be brought into the order x, y, z here: "
                            "give NumPy's, or an array of a library with flip()")
        contiguous = getattr(library_of(points), "ascontiguousarray", lambda array: array)
        points = contiguous(flip(points, (1,)))
    on = _stream(stream, points)
    place = _place(points, on)
    _require(place, tuple(points.shape), np.dtype(np.float64), "points", False)
    call(place.pointer, _numbers(place.shape), on or _LEGACY_DEFAULT_STREAM)
    if stream is not None or on is None:  # the flipped copy ends here, and its library may not know of the stream
        context.synchronize(on or _LEGACY_DEFAULT_STREAM)
    return int(points.shape[0])


def lend_on_device(call: Callable[[int, int], None], memory: Any) -> None:
    """`call` on the address and the bytes of memory to work in, a contiguous array."""
    place = _place(memory, _stream(None, memory))
    _require(place, place.shape, place.dtype, "the workspace", True)
    call(place.pointer, _numbers(place.shape) * place.dtype.itemsize)


def no_stream(stream: Any) -> None:
    if stream is not None:
        raise TypeError("a stream is for arrays in the memory of a GPU")


def _numbers(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _place(array: Any, stream: int | None) -> _Place:
    if is_foreign(array):  # the library has `stream` wait for what it still computes
        view = _core.DeviceView(array.__dlpack__(stream=stream or _LEGACY_DEFAULT_STREAM))
        try:
            dtype = np.dtype(view.dtype)
        except TypeError:
            raise TypeError("an array has a dtype that NumPy does not know") from None
        return _Place(view.pointer, view.shape, tuple(dtype.itemsize * s for s in view.strides), dtype, False, view)
    found = array.__cuda_array_interface__
    pointer, readonly = found["data"]
    return _Place(int(pointer), tuple(found["shape"]), found.get("strides"), np.dtype(found["typestr"]), readonly,
                  None)


def _require(place: _Place, shape: tuple[int, ...], dtype: np.dtype[Any], name: str, written: bool) -> None:
    if place.dtype != dtype:
        raise TypeError(f"{name} has dtype {place.dtype}, expected {dtype}")
    if place.shape != shape:
        raise ValueError(f"{name} has shape {place.shape}, expected {shape}")
    step = dtype.itemsize
    for axis in reversed(range(len(shape))):
        if place.strides is not None and shape[axis] > 1 and place.strides[axis] != step:
            raise ValueError(f"{name} is not contiguous")
        step *= shape[axis]
    if written and place.readonly:
        raise ValueError(f"{name} is not writeable")


def _stream(given: Any, *arrays: Any) -> int | None:
    """None: no library says which."""
    if given is not None:
        return _handle(given)
    streams = {_current_stream(array) for array in arrays} - {None}
    if len(streams) > 1:
        raise ValueError("the arrays are of different streams: give stream=")
    return streams.pop() if streams else None


def _current_stream(array: Any) -> int | None:
    current = getattr(getattr(library_of(array), "cuda", None), "current_stream", None)
    if current is not None:  # PyTorch
        return _handle(current(array.device))
    stream = getattr(array, "__cuda_array_interface__", {}).get("stream")
    return None if stream is None else int(stream)


def _handle(stream: Any) -> int:
    if hasattr(stream, "__cuda_stream__"):
        found = int(stream.__cuda_stream__()[1])
    else:  # CuPy's, PyTorch's, a number
        found = int(getattr(stream, "ptr", getattr(stream, "cuda_stream", stream)))
    return found or _LEGACY_DEFAULT_STREAM
