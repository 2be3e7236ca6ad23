"""FINUFFT's calls of types 1 and 2, in its conventions, by Spokelab's engine.

Points are in radians (-pi ... pi, periodic beyond), x for the first axis of the modes. Type 1:
``f[k] = sum_j c[j] exp(isign i k . x[j])``; type 2: ``c[j] = sum_k f[k] exp(isign i k . x[j])``;
``k_d = -floor(N_d / 2) ... ceil(N_d / 2) - 1``; nothing is scaled. The precision is that of x: float32 with
complex64, float64 with complex128. Further keywords are options of Spokelab (``backend="cuda"``), not of
FINUFFT. Type 3 is not in the engine.

An ``eps`` that single precision cannot reach is computed in double precision and rounded.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import Complex, result
from ._core import Error
from .nufft import Nufft

_complex_of: dict[Any, np.dtype[Any]] = {np.dtype(np.float32): np.dtype(np.complex64),
                                         np.dtype(np.float64): np.dtype(np.complex128)}


def _points(axes: tuple[Any, ...]) -> tuple[list[NDArray[Any]], np.dtype[Any]]:
    vectors = [np.asarray(axis) for axis in axes]
    if vectors[0].dtype not in _complex_of:
        raise Error("x dtype should be float64 for double precision or float32 for single precision")
    for name, vector in zip("xyz", vectors):
        if vector.ndim != 1:
            raise Error(f"{name} must be a vector")
        if vector.size != vectors[0].size:
            raise Error(f"{name} must have same length as x")
    return vectors, _complex_of[vectors[0].dtype]


def _modes(n_modes: Any, dims: int) -> tuple[int, ...] | None:
    if n_modes is None:
        return None
    if isinstance(n_modes, numbers.Integral):
        return (int(n_modes),) * dims
    if not isinstance(n_modes, tuple):
        raise Error("input n_modes must be a tuple or an integer")
    if len(n_modes) != dims:
        raise Error("input n_modes dimension does not match problem dimension")
    if not all(isinstance(n, numbers.Integral) for n in n_modes):
        raise Error("all elements of input n_modes must be integer")
    return tuple(int(n) for n in n_modes)


def _split(shape: tuple[int, ...], dims: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Leading axis, if there is one, and modes."""
    if len(shape) not in (dims, dims + 1):
        raise Error("type 1 output dimension or type 2 input dimension must be either dim (n_trans==1) "
                    "or dim+1 (n_trans>=1)")
    return shape[: len(shape) - dims], shape[len(shape) - dims:]


def _run(adjoint: bool, vectors: list[NDArray[Any]], given: NDArray[Any], out: Complex, lead: tuple[int, ...],
         modes: tuple[int, ...], dtype: np.dtype[Any], eps: float, sign: int, options: dict[str, Any]) -> Complex:
    if vectors[0].size == 0 or 0 in modes or 0 in lead:
        out[...] = 0
        return out
    batch = lead[0] if lead else None
    points = np.stack(vectors, axis=1)
    try:
        plan = Nufft(modes, points, batch=batch, dtype=dtype, accuracy=eps, sign=sign, units="radians", **options)
    except Error:
        if dtype == np.complex128:
            raise
        plan = Nufft(modes, points, batch=batch, dtype=np.complex128, accuracy=eps, sign=sign, units="radians",
                     **options)
    work = out if plan.dtype == dtype else None
    done = plan.adjoint(given, work) if adjoint else plan.forward(given, work)
    if done is not out:
        out[...] = done
    return out


def _type1(axes: tuple[Any, ...], c: Any, n_modes: Any, out: Complex | None, eps: float, isign: int,
           options: dict[str, Any]) -> Complex:
    dims = len(axes)
    vectors, dtype = _points(axes)
    modes = _modes(n_modes, dims)
    if modes is None and out is None:
        raise Error("type 1 input must supply n_modes or output vector, or both")
    strengths = np.asarray(c)
    size = vectors[0].size
    if strengths.size % max(size, 1):
        raise Error("c.size must be divisible by x.size")
    if strengths.ndim not in (1, 2) or strengths.shape[-1] != size:
        raise Error("c.shape must be (x.size,) or (n_trans, x.size)")
    lead = strengths.shape[:-1]
    if out is not None:
        out_lead, out_modes = _split(out.shape, dims)
        if (out_lead or (1,)) != (lead or (1,)):
            raise Error("input n_trans and output n_trans do not match")
        if modes is not None and modes != out_modes:
            raise Error("input n_modes and output n_modes do not match")
        modes, lead = out_modes, out_lead
    assert modes is not None
    found = result(out, lead + modes, dtype, "f")
    strengths = strengths.reshape(lead + (size,))
    return _run(True, vectors, strengths, found, lead, modes, dtype, eps, -1 if isign >= 0 else 1, options)


def _type2(axes: tuple[Any, ...], f: Any, out: Complex | None, eps: float, isign: int,
           options: dict[str, Any]) -> Complex:
    vectors, dtype = _points(axes)
    coefficients = np.asarray(f)
    lead, modes = _split(coefficients.shape, len(axes))
    found = result(out, lead + (vectors[0].size,), dtype, "c")
    return _run(False, vectors, coefficients, found, lead, modes, dtype, eps, 1 if isign >= 0 else -1, options)


def nufft1d1(x: ArrayLike, c: ArrayLike, n_modes: int | tuple[int, ...] | None = None,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (M,) or (n_trans, M) at x (M,) radians to modes (N1,) or (n_trans, N1)."""
    return _type1((x,), c, n_modes, out, eps, isign, options)


def nufft1d2(x: ArrayLike, f: ArrayLike, out: Complex | None = None, eps: float = 1e-6, isign: int = -1,
             **options: Any) -> Complex:
    """Type 2: modes f (N1,) or (n_trans, N1) to values (M,) or (n_trans, M) at x (M,) radians."""
    return _type2((x,), f, out, eps, isign, options)


def nufft2d1(x: ArrayLike, y: ArrayLike, c: ArrayLike, n_modes: int | tuple[int, ...] | None = None,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (..., M) at x, y (M,) radians to modes (..., N1, N2)."""
    return _type1((x, y), c, n_modes, out, eps, isign, options)


def nufft2d2(x: ArrayLike, y: ArrayLike, f: ArrayLike, out: Complex | None = None, eps: float = 1e-6,
             isign: int = -1, **options: Any) -> Complex:
    """Type 2: modes f (..., N1, N2) to values (..., M) at x, y (M,) radians."""
    return _type2((x, y), f, out, eps, isign, options)


def nufft3d1(x: ArrayLike, y: ArrayLike, z: ArrayLike, c: ArrayLike,
             n_modes: int | tuple[int, ...] | None = None, out: Complex | None = None, eps: float = 1e-6,
             isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (..., M) at x, y, z (M,) radians to modes (..., N1, N2, N3)."""
    return _type1((x, y, z), c, n_modes, out, eps, isign, options)


def nufft3d2(x: ArrayLike, y: ArrayLike, z: ArrayLike, f: ArrayLike, out: Complex | None = None,
             eps: float = 1e-6, isign: int = -1, **options: Any) -> Complex:
    """Type 2: modes f (..., N1, N2, N3) to values (..., M) at x, y, z (M,) radians."""
    return _type2((x, y, z), f, out, eps, isign, options)
