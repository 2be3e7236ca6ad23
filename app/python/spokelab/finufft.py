"""FINUFFT's calls and plans of types 1, 2 and 3, in its conventions, by Spokelab's engine.

Points are in radians (-pi ... pi, periodic beyond), x for the first axis of the modes. Type 1:
``f[k] = sum_j c[j] exp(isign i k . x[j])``; type 2: ``c[j] = sum_k f[k] exp(isign i k . x[j])``;
``k_d = -floor(N_d / 2) ... ceil(N_d / 2) - 1``; type 3: ``f[k] = sum_j c[j] exp(isign i s[k] . x[j])``, x and s
anywhere. Nothing is scaled. The precision is that of x: float32 with
complex64, float64 with complex128. Type 3 runs on the CPU.

FINUFFT's keywords are taken, too: ``modeord`` is done; ``nthreads``, ``upsampfac`` and ``fftw`` become threads,
alpha and fft_effort; ``debug`` prints the plan; those that tune FINUFFT's own code (``spread_*``, ``chkbnds``,
``maxbatchsize`` ...) do nothing, and a warning says so where they differ from FINUFFT's default. Further keywords
are options of Spokelab (``backend="cuda"``); what neither knows is left out with a warning, as FINUFFT does.

An ``eps`` that single precision cannot reach is computed in double precision and rounded.
"""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arrays import Complex, result
from ._core import Error, option_help
from .nufft import Nufft
from .type3 import Type3

_complex_of: dict[Any, np.dtype[Any]] = {np.dtype(np.float32): np.dtype(np.complex64),
                                         np.dtype(np.float64): np.dtype(np.complex128)}


# FINUFFT's keywords that have no counterpart here, with the values that mean its defaults.
_without_effect: dict[str, tuple[Any, ...]] = {
    "spread_debug": (0,), "spread_sort": (2,), "spread_kerevalmeth": (1,), "spread_kerpad": (1,), "chkbnds": (0, 1),
    "showwarn": (0, 1), "spread_thread": (0,), "maxbatchsize": (0,), "spread_nthr_atomic": (-1,),
    "spread_max_sp_size": (0,), "spread_kerformula": (0,), "hint_nj": (0,), "allow_eps_too_small": (0, 1)}
_efforts = {0: "measure", 32: "patient", 64: "estimate"}  # FFTW_MEASURE, FFTW_PATIENT, FFTW_ESTIMATE


def _translated(given: dict[str, Any]) -> tuple[dict[str, Any], int, bool]:
    """Options of Spokelab, ``modeord``, and whether the plan is to be printed."""
    options: dict[str, Any] = {}
    order, shown, known = 0, False, option_help()
    for name, value in given.items():
        if name == "modeord":
            order = int(value)
        elif name == "debug":
            shown = int(value) > 0
        elif name == "nthreads":
            options["threads"] = int(value) or None
        elif name == "upsampfac":
            options["alpha"] = float(value) or None
        elif name == "fftw" and int(value) in _efforts:
            options["fft_effort"] = _efforts[int(value)]
        elif name == "spreadinterponly":
            if value:
                raise Error("spreadinterponly: spreading alone cannot be asked for. Use FINUFFT for it")
        elif name in _without_effect or name == "fftw":
            if value not in _without_effect.get(name, ()):
                warnings.warn(f"{name}={value!r} does nothing here: Spokelab chooses it by itself", stacklevel=4)
        elif name.rstrip("_").replace("_", "-") in known:
            options[name] = value
        else:
            warnings.warn(f"{name} is not an option of FINUFFT or Spokelab and was left out", stacklevel=4)
    return options, order, shown


def _points(axes: tuple[Any, ...], names: str = "xyz") -> tuple[list[NDArray[Any]], np.dtype[Any]]:
    vectors = [np.asarray(axis) for axis in axes]
    if vectors[0].dtype not in _complex_of:
        raise Error(f"{names[0]} dtype should be float64 for double precision or float32 for single precision")
    for name, vector in zip(names, vectors):
        if vector.ndim != 1:
            raise Error(f"{name} must be a vector")
        if vector.size != vectors[0].size:
            raise Error(f"{name} must have same length as {names[0]}")
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


def _plan(modes: tuple[int, ...], batch: int | None, dtype: np.dtype[Any], eps: float, sign: int,
          options: dict[str, Any]) -> Nufft:
    """A plan of this precision, or of double precision if eps needs it."""
    try:
        return Nufft(modes, batch=batch, dtype=dtype, accuracy=eps, sign=sign, **options)
    except Error:
        if dtype == np.complex128:
            raise
        return Nufft(modes, batch=batch, dtype=np.complex128, accuracy=eps, sign=sign, **options)


def _execute(plan: Nufft | Type3, adjoint: bool, given: NDArray[Any], out: Complex) -> Complex:
    work = out if plan.dtype == out.dtype else None
    done = plan.adjoint(given, work) if adjoint else plan.forward(given, work)
    if done is not out:
        out[...] = done
    return out


def _run(adjoint: bool, vectors: list[NDArray[Any]], given: NDArray[Any], out: Complex, lead: tuple[int, ...],
         modes: tuple[int, ...], dtype: np.dtype[Any], eps: float, sign: int, options: dict[str, Any]) -> Complex:
    if vectors[0].size == 0 or 0 in modes or 0 in lead:
        out[...] = 0
        return out
    own, order, shown = _translated(options)
    plan = _plan(modes, lead[0] if lead else None, dtype, eps, sign, own)
    plan.set_points(np.stack(vectors, axis=1), "radians")
    if shown:
        print(plan.text)
    axes = tuple(range(-len(modes), 0))
    if order == 1 and not adjoint:
        given = np.fft.fftshift(given, axes)
    _execute(plan, adjoint, given, out)
    if order == 1 and adjoint:
        out[...] = np.fft.ifftshift(out, axes)
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


def _type3(axes: tuple[Any, ...], targets: tuple[Any, ...], c: Any, out: Complex | None, eps: float, isign: int,
           options: dict[str, Any]) -> Complex:
    vectors, dtype = _points(axes)
    ends, _ = _points(targets, "stu")
    strengths = np.asarray(c)
    if strengths.ndim not in (1, 2) or strengths.shape[-1] != vectors[0].size:
        raise Error("c.shape must be (x.size,) or (n_trans, x.size)")
    lead = strengths.shape[:-1]
    found = result(out, lead + (ends[0].size,), dtype, "f")
    own, _, shown = _translated(options)
    transform = _points3(vectors, ends, lead[0] if lead else None, dtype, eps, 1 if isign >= 0 else -1, own)
    if shown:
        print(transform.text)
    return _execute(transform, False, strengths, found)


def _points3(sources: list[NDArray[Any]], targets: list[NDArray[Any]], batch: int | None, dtype: np.dtype[Any],
             eps: float, sign: int, options: dict[str, Any]) -> Type3:
    """A plan of this precision, or of double precision if eps needs it."""
    x, s = np.stack(sources, axis=1), np.stack(targets, axis=1)
    try:
        return Type3(x, s, batch=batch, dtype=dtype, accuracy=eps, sign=sign, units="radians", **options)
    except Error:
        if dtype == np.complex128:
            raise
        return Type3(x, s, batch=batch, dtype=np.complex128, accuracy=eps, sign=sign, units="radians", **options)


class Plan:
    """FINUFFT's plan: ``setpts``, then ``execute`` and ``execute_adjoint`` as often as wanted.

    Parameters
    ----------
    nufft_type : 1, 2 or 3.
    n_modes_or_dim : tuple of 1 to 3 numbers of modes; of type 3 the number of dimensions.
    n_trans : transforms of one call; more than one: arrays have a leading axis.
    eps : accuracy. isign : +1 or -1; None: -1 for type 2, +1 for the others.
    dtype : "complex64" or "complex128".
    modeord : 0: modes from -N/2 on; 1: from 0 on, as FFTs order them.
    **options : of FINUFFT and of Spokelab.
    """

    def __init__(self, nufft_type: int, n_modes_or_dim: Any, n_trans: int = 1, eps: float = 1e-6,
                 isign: int | None = None, dtype: DTypeLike = "complex128", modeord: int = 0, **options: Any):
        if nufft_type not in (1, 2, 3):
            raise Error("transform type invalid: expected 1, 2 or 3")
        if np.dtype(dtype) not in _complex_of.values():
            raise Error("dtype (precision type) must be single or double: complex64 or complex128")
        options, _, self._shown = _translated(options)
        self._type, self._n_trans, self._order = nufft_type, n_trans, modeord
        self._dtype = np.dtype(dtype)
        sign = (-1 if nufft_type == 2 else 1) if isign is None else (1 if isign >= 0 else -1)
        self._plan: Nufft | Type3 | None = None
        if nufft_type == 3:
            if not isinstance(n_modes_or_dim, numbers.Integral) or int(n_modes_or_dim) not in (1, 2, 3):
                raise Error("type 3 plan n_modes_or_dim must be one number, the dimension: 1, 2 or 3")
            self._modes: tuple[int, ...] = ()
            self._dim = int(n_modes_or_dim)
            self._type3 = (eps, sign, options)
            return
        self._modes = tuple(int(n) for n in n_modes_or_dim)
        self._dim = len(self._modes)
        if not 1 <= self._dim <= 3:
            raise Error("n_modes dimension must be 1, 2, or 3")
        self._plan = _plan(self._modes, n_trans, self._dtype, eps, sign if nufft_type == 2 else -sign, options)
        if self._shown:
            print(self._plan.text)

    type = property(lambda self: self._type)
    n_modes = property(lambda self: self._modes)
    dim = property(lambda self: self._dim)
    n_trans = property(lambda self: self._n_trans)
    dtype = property(lambda self: self._dtype)

    def setpts(self, x: ArrayLike, y: ArrayLike | None = None, z: ArrayLike | None = None,
               s: ArrayLike | None = None, t: ArrayLike | None = None, u: ArrayLike | None = None) -> None:
        """Points in radians, one vector for each axis of the modes; of type 3 sources x, y, z and targets s, t, u."""
        vectors, _ = _points((x, y, z)[: self._dim])
        if self._type == 3:
            targets, _ = _points((s, t, u)[: self._dim], "stu")
            eps, sign, options = self._type3
            self._plan = _points3(vectors, targets, self._n_trans, self._dtype, eps, sign, options)
        else:
            assert isinstance(self._plan, Nufft)
            self._plan.set_points(np.stack(vectors, axis=1), "radians")

    def execute(self, data: ArrayLike, out: Complex | None = None) -> Complex:
        """Types 1 and 3: strengths (M,) or (n_trans, M) to modes or values; type 2: modes to values."""
        return self._apply(self._type == 1, data, out)

    def execute_adjoint(self, data: ArrayLike, out: Complex | None = None) -> Complex:
        """The adjoint of ``execute``: of type 1 modes to values, of types 2 and 3 values to modes or strengths."""
        return self._apply(self._type != 1, data, out)

    def _apply(self, adjoint: bool, data: ArrayLike, out: Complex | None) -> Complex:
        plan, given = self._plan, np.asarray(data)
        if plan is None:
            raise Error("no points are set: call setpts first")
        ends = ((plan.source_shape[1:], plan.target_shape[1:]) if isinstance(plan, Type3)
                else (plan.shape, plan.samples_shape[1:]))
        inner, after = ends[::-1] if adjoint else ends
        lead = given.shape[: given.ndim - len(inner)]
        if given.shape[len(lead):] != inner or lead not in ((self._n_trans,), () if self._n_trans == 1 else None):
            raise Error(f"data has shape {given.shape}, expected {(self._n_trans, *inner)}")
        axes = tuple(range(-len(self._modes), 0)) if self._modes else None
        if self._order == 1 and axes and not adjoint:
            given = np.fft.fftshift(given, axes)
        found = result(out, lead + after, self._dtype, "f" if adjoint else "c")
        _execute(plan, adjoint, given.reshape((self._n_trans, *inner)), found.reshape((self._n_trans, *after)))
        if self._order == 1 and axes and adjoint:
            found[...] = np.fft.ifftshift(found, axes)
        return found


def nufft1d1(x: ArrayLike, c: ArrayLike, n_modes: int | tuple[int, ...] | None = None,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (M,) or (n_trans, M) at x (M,) radians to modes (N1,) or (n_trans, N1).

    >>> x, = np.random.default_rng(0).uniform(-np.pi, np.pi, (1, 50))
    >>> spokelab.nufft1d1(x, np.ones(50, complex), (8,)).shape
    (8,)
    """
    return _type1((x,), c, n_modes, out, eps, isign, options)


def nufft1d2(x: ArrayLike, f: ArrayLike, out: Complex | None = None, eps: float = 1e-6, isign: int = -1,
             **options: Any) -> Complex:
    """Type 2: modes f (N1,) or (n_trans, N1) to values (M,) or (n_trans, M) at x (M,) radians.

    >>> x, = np.random.default_rng(0).uniform(-np.pi, np.pi, (1, 50))
    >>> spokelab.nufft1d2(x, np.ones((8,), complex)).shape
    (50,)
    """
    return _type2((x,), f, out, eps, isign, options)


def nufft2d1(x: ArrayLike, y: ArrayLike, c: ArrayLike, n_modes: int | tuple[int, ...] | None = None,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (..., M) at x, y (M,) radians to modes (..., N1, N2).

    >>> x, y = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, 50))
    >>> spokelab.nufft2d1(x, y, np.ones(50, complex), (8, 8)).shape
    (8, 8)
    """
    return _type1((x, y), c, n_modes, out, eps, isign, options)


def nufft2d2(x: ArrayLike, y: ArrayLike, f: ArrayLike, out: Complex | None = None, eps: float = 1e-6,
             isign: int = -1, **options: Any) -> Complex:
    """Type 2: modes f (..., N1, N2) to values (..., M) at x, y (M,) radians.

    >>> x, y = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, 50))
    >>> spokelab.nufft2d2(x, y, np.ones((8, 8), complex)).shape
    (50,)
    """
    return _type2((x, y), f, out, eps, isign, options)


def nufft3d1(x: ArrayLike, y: ArrayLike, z: ArrayLike, c: ArrayLike,
             n_modes: int | tuple[int, ...] | None = None, out: Complex | None = None, eps: float = 1e-6,
             isign: int = 1, **options: Any) -> Complex:
    """Type 1: strengths c (..., M) at x, y, z (M,) radians to modes (..., N1, N2, N3).

    >>> x, y, z = np.random.default_rng(0).uniform(-np.pi, np.pi, (3, 50))
    >>> spokelab.nufft3d1(x, y, z, np.ones(50, complex), (8, 8, 8)).shape
    (8, 8, 8)
    """
    return _type1((x, y, z), c, n_modes, out, eps, isign, options)


def nufft3d2(x: ArrayLike, y: ArrayLike, z: ArrayLike, f: ArrayLike, out: Complex | None = None,
             eps: float = 1e-6, isign: int = -1, **options: Any) -> Complex:
    """Type 2: modes f (..., N1, N2, N3) to values (..., M) at x, y, z (M,) radians.

    >>> x, y, z = np.random.default_rng(0).uniform(-np.pi, np.pi, (3, 50))
    >>> spokelab.nufft3d2(x, y, z, np.ones((8, 8, 8), complex)).shape
    (50,)
    """
    return _type2((x, y, z), f, out, eps, isign, options)


def nufft1d3(x: ArrayLike, c: ArrayLike, s: ArrayLike,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 3: strengths c (..., M) at x (M,) to values (..., K) at s (K,), anywhere.

    >>> x, = np.random.default_rng(0).uniform(-np.pi, np.pi, (1, 50))
    >>> s, = np.random.default_rng(1).uniform(-20, 20, (1, 40))
    >>> spokelab.nufft1d3(x, np.ones(50, complex), s).shape
    (40,)
    """
    return _type3((x,), (s,), c, out, eps, isign, options)


def nufft2d3(x: ArrayLike, y: ArrayLike, c: ArrayLike, s: ArrayLike, t: ArrayLike,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 3: strengths c (..., M) at x, y (M,) to values (..., K) at s, t (K,), anywhere.

    >>> x, y = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, 50))
    >>> s, t = np.random.default_rng(1).uniform(-20, 20, (2, 40))
    >>> spokelab.nufft2d3(x, y, np.ones(50, complex), s, t).shape
    (40,)
    """
    return _type3((x, y), (s, t), c, out, eps, isign, options)


def nufft3d3(x: ArrayLike, y: ArrayLike, z: ArrayLike, c: ArrayLike, s: ArrayLike, t: ArrayLike, u: ArrayLike,
             out: Complex | None = None, eps: float = 1e-6, isign: int = 1, **options: Any) -> Complex:
    """Type 3: strengths c (..., M) at x, y, z (M,) to values (..., K) at s, t, u (K,), anywhere.

    >>> x, y, z = np.random.default_rng(0).uniform(-np.pi, np.pi, (3, 50))
    >>> s, t, u = np.random.default_rng(1).uniform(-20, 20, (3, 40))
    >>> spokelab.nufft3d3(x, y, z, np.ones(50, complex), s, t, u).shape
    (40,)
    """
    return _type3((x, y, z), (s, t, u), c, out, eps, isign, options)
