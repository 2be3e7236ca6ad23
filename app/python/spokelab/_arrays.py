"""Arrays of calls: taken as they are where they fit, converted where they do not, refused where they cannot."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._libraries import host_view, is_foreign

Complex = NDArray[Any]  # of complex64 or complex128

_DLPACK_CPU = 1  # kDLCPU
_MIN_POINTS_TO_JUDGE = 16  # fewer points may lie anywhere


class UnitWarning(UserWarning):
    """Points that look as if they were in another unit than the one that is named.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     plan = spokelab.Nufft((32, 32), np.random.default_rng(0).uniform(-16, 16, (100, 2)))
    >>> heard[0].category.__name__
    'UnitWarning'
    """


_precisions = {np.dtype(np.complex64): False, np.dtype(np.complex128): True}


def complex_dtype(dtype: Any) -> np.dtype[Any]:
    """complex64 or complex128; of float32 and float64 their complex counterparts."""
    found = np.result_type(np.dtype(dtype), np.complex64)
    if found not in _precisions:
        raise ValueError(f"dtype {dtype} is neither complex64 nor complex128")
    return found


def is_double(dtype: np.dtype[Any]) -> bool:
    return _precisions[dtype]


def sizes(shape: Any, most: int = 3) -> tuple[int, ...]:
    """A shape of 1 to ``most`` positive integers."""
    found = tuple(int(n) for n in (shape if np.iterable(shape) else (shape,)))
    if not 1 <= len(found) <= most or any(n <= 0 for n in found):
        raise ValueError(f"shape {shape} is not {'1, 2 or 3' if most == 3 else f'1 to {most}'} positive integers")
    return found


def given(array: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> Complex:
    """The input as a contiguous array of this dtype: itself, or a converted copy."""
    found: Complex = host_view(array)
    if type(found) is not np.ndarray or found.dtype != dtype or not found.flags.c_contiguous:
        found = np.ascontiguousarray(found, dtype)
    if found.shape != shape:
        raise ValueError(f"{name} has shape {found.shape}, expected {shape}")
    return found


def result(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> Complex:
    """`out`, which has to fit as it is (another library's by DLPack), or a new array."""
    if out is None:
        return np.empty(shape, dtype)
    if is_foreign(out) and out.__dlpack_device__()[0] != _DLPACK_CPU:
        raise TypeError(f"out for {name} is not in host memory, as the input array is")
    out = host_view(out)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out for {name} is neither a NumPy array nor one with DLPack")
    if out.dtype != dtype:
        raise TypeError(f"out for {name} has dtype {out.dtype}, expected {dtype}")
    if out.shape != shape:
        raise ValueError(f"out for {name} has shape {out.shape}, expected {shape}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"out for {name} is not contiguous and writeable")
    return out


def lent(memory: Any) -> NDArray[Any]:
    """Memory of the caller to work in: a contiguous and writeable array in host memory, as it is."""
    if is_foreign(memory) and memory.__dlpack_device__()[0] != _DLPACK_CPU:
        raise TypeError("the workspace is neither in host memory nor in the memory of an NVIDIA GPU")
    found = host_view(memory)
    if not isinstance(found, np.ndarray):
        raise TypeError("the workspace is neither a NumPy array nor one with DLPack")
    if not found.flags.c_contiguous or not found.flags.writeable:
        raise ValueError("the workspace is not contiguous and writeable")
    return found.reshape(-1).view(np.uint8)


def reals(values: ArrayLike | None, shape: tuple[int, ...], name: str) -> NDArray[np.float64] | None:
    """Contiguous doubles of this shape; None for None."""
    if values is None:
        return None
    array = np.ascontiguousarray(values, np.float64)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
    return array


def points_xyz(points: ArrayLike, shape: tuple[int, ...], units: str, wanted: str) -> NDArray[np.float64]:
    """Points as the C interface takes them: columns x, y, z (the last axis first), double, `wanted` units."""
    columns = np.asarray(points)
    dims = len(shape)
    if dims == 1 and columns.ndim == 1:
        columns = columns[:, np.newaxis]
    if columns.ndim != 2 or columns.shape[1] != dims:
        raise ValueError(f"points have shape {columns.shape}, expected (points, {dims})")
    _check_units(columns, shape, units)
    ordered = np.empty(columns.shape, np.float64)
    scale = scales(shape, units) / scales(shape, wanted)
    np.multiply(columns[:, ::-1], scale[::-1], out=ordered)
    return ordered


def _check_units(columns: NDArray[Any], shape: tuple[int, ...], units: str) -> None:
    """Warns where points do not reach far enough, or reach much too far, for their unit."""
    if len(columns) < _MIN_POINTS_TO_JUDGE or units == "radians":
        return
    reach = np.maximum(columns.max(axis=0), -columns.min(axis=0))
    if not np.isfinite(reach).all():
        return  # refused by the engine, or folded
    if units == "cycles/pixel" and (reach > 1).any():  # twice the band: 1/2 is its edge
        other = "radians" if (reach <= 1.1 * np.pi).all() else "cycles/fov"
        text = f"points reach {reach.max():.3g}, in cycles/pixel the edge of k-space is 0.5: are they in {other}?"
    elif units == "cycles/fov" and (reach <= 0.5).all() and max(shape) > 2:
        text = (f"all points lie within {reach.max():.3g} of the centre, in cycles/fov the edge of k-space is "
                f"{max(shape) / 2:g}: are they in cycles/pixel?")
    elif units == "cycles/fov" and (reach > 2 * np.array(shape)).any():
        text = (f"points reach {reach.max():.3g}, in cycles/fov the edge of k-space is {max(shape) / 2:g}: are they in "
                "another unit?")
    else:
        return
    warnings.warn(text + ' units="..." names the unit', UnitWarning, stacklevel=4)


def scales(shape: tuple[int, ...], units: str) -> NDArray[np.float64]:
    """Factors from points in these units to cycles per pixel, for each axis."""
    if units == "cycles/pixel":
        return np.ones(len(shape))
    if units == "cycles/fov":
        return 1.0 / np.array(shape, np.float64)
    if units == "radians":
        return np.full(len(shape), 0.5 / np.pi)
    raise ValueError(f'units {units!r} are none of "cycles/pixel", "cycles/fov", "radians"')
