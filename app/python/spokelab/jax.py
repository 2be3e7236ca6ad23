"""Transforms of JAX arrays on the CPU: with ``jit``, ``vmap``, ``grad``, ``jvp`` and all that JAX makes of them.

``import spokelab.jax``: ``transform = spokelab.jax.NufftTransform((128, 96))``, then
``transform.forward(image, points)`` and ``transform.adjoint(samples, points)``. A compiled program calls the engine
by XLA's foreign function interface, in its arrays' memory and without Python.

Derivatives by values and points are transforms, too: with ``s[j] = sum_n m[n] exp(sign 2 pi i k[j] . n)``,
``ds[j]/dk[j, d] = sign 2 pi i`` times the forward transform of ``n_d m``.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _core
from ._arrays import complex_dtype, is_double, sizes
from ._context import Context, core_of, transform_texts

_TARGET = "spokelab_nufft"
jax.ffi.register_ffi_target(_TARGET, _core.jax_handler(), platform="cpu")


class NufftTransform:
    """A NUFFT whose points are an argument.

    Parameters are those of ``spokelab.Nufft``; complex128 needs ``jax_enable_x64``. Images are (..., \\*shape),
    samples (..., M), points (M, dims), float32 or float64, in cycles per pixel: all leading axes of the values are
    transformed in one call. ``vmap`` over points makes one call, too, on several sets of points.

    Points are set where they differ from those of the call before. Keep the transform while a function that was
    compiled with it is in use.

    >>> transform = spokelab.jax.NufftTransform((32, 24))  # doctest: +SKIP
    >>> loss = lambda image, points: jnp.abs(transform.forward(image, points)).sum()  # doctest: +SKIP
    >>> jax.jit(jax.grad(loss, argnums=(0, 1)))(image, points)  # doctest: +SKIP
    """

    def __init__(self, shape: int | Sequence[int], *, dtype: Any = np.complex64, sign: int = -1,
                 accuracy: float | None = None, context: Context | None = None, **options: Any):
        self.shape: tuple[int, ...] = sizes(shape)
        self.dtype = complex_dtype(dtype)
        self.sign = sign
        if is_double(self.dtype) and not jax.config.jax_enable_x64:
            raise ValueError('complex128 needs jax.config.update("jax_enable_x64", True)')
        self._context = core_of(context)
        self._options = transform_texts({"accuracy": accuracy, **options})
        if self._options.get("backend", "auto") not in ("auto", "cpu"):
            raise ValueError(f"backend {self._options['backend']} cannot be used from JAX, expected cpu")
        self._plans: dict[tuple[int, int], _core.JaxPlan] = {}
        self._lock = threading.Lock()
        self._plan(1, 0)  # refuses here what cannot be met

    def forward(self, image: Any, points: Any) -> jax.Array:
        """Image (..., \\*shape) and points (M, dims) to samples (..., M)."""
        return self._bind(image, points, self.shape, False)

    def adjoint(self, samples: Any, points: Any) -> jax.Array:
        """Samples (..., M) and points (M, dims) to image (..., \\*shape)."""
        return self._bind(samples, points, jnp.shape(points)[:1], True)

    __call__ = forward

    def _bind(self, values: Any, points: Any, inner: tuple[int, ...], adjoint: bool) -> jax.Array:
        if jnp.ndim(points) != 2 or jnp.shape(points)[1] != len(self.shape):
            raise ValueError(f"points have shape {jnp.shape(points)}, expected (points, {len(self.shape)})")
        if jnp.shape(values)[-len(inner):] != inner:
            raise ValueError(f"{'samples have' if adjoint else 'image has'} shape {jnp.shape(values)}, expected "
                             f"(..., {', '.join(map(str, inner))})")
        places = jnp.asarray(points)
        if places.dtype not in (jnp.float32, jnp.float64):
            places = places.astype(jnp.zeros(0, self.dtype).real.dtype)
        found: jax.Array = _nufft.bind(jnp.asarray(values).astype(self.dtype), places, transform=self, adjoint=adjoint)
        return found

    def _plan(self, batch: int, sets: int) -> _core.JaxPlan:
        """The plan for so many images and sets of points; 0 sets: one, without an axis."""
        with self._lock:
            if (batch, sets) not in self._plans:
                self._plans[batch, sets] = _core.JaxPlan(self._context, list(self.shape[::-1]), self.sign,
                                                         is_double(self.dtype), batch, sets, self._options)
            return self._plans[batch, sets]


# Values are (sets, ..., inner) where points are (sets, M, dims), else (..., inner).
_nufft = Primitive("spokelab_nufft")


def _lead_and_result(values: Any, points: Any, transform: NufftTransform,
                     adjoint: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    dims = len(transform.shape)
    lead = tuple(values.shape[:-1] if adjoint else values.shape[:-dims])
    return lead, lead + (transform.shape if adjoint else (points.shape[-2],))


@_nufft.def_abstract_eval
def _abstract(values: Any, points: Any, *, transform: NufftTransform, adjoint: bool) -> ShapedArray:
    return ShapedArray(_lead_and_result(values, points, transform, adjoint)[1], values.dtype)


@_nufft.def_impl
def _run(values: Any, points: Any, *, transform: NufftTransform, adjoint: bool) -> Any:
    lead, shape = _lead_and_result(values, points, transform, adjoint)
    if 0 in shape or 0 in values.shape:
        return jnp.zeros(shape, values.dtype)
    sets = points.shape[0] if points.ndim == 3 else 0
    plan = transform._plan(math.prod(lead[1:] if sets else lead), sets)
    call = jax.ffi.ffi_call(_TARGET, jax.ShapeDtypeStruct(shape, values.dtype))
    return call(values, points, plan=np.int64(plan.number()), adjoint=np.int64(adjoint))


mlir.register_lowering(_nufft, mlir.lower_fun(_run, multiple_results=False), platform="cpu")


def _slopes(values: Any, points: Any, change: Any, transform: NufftTransform, adjoint: bool) -> Any:
    """The change of the result by a change of the points, linear in it."""
    real, lead = change.dtype, points.ndim - 2  # axes of sets
    total = None
    for d, n in enumerate(transform.shape):
        pixel = (jnp.arange(n, dtype=real) - n // 2).reshape([-1 if a == d else 1 for a in range(len(transform.shape))])
        moved = change[..., d]
        inner = 1 if adjoint else len(transform.shape)
        between = values.ndim - inner - lead
        moved = moved.reshape(moved.shape[:lead] + (1,) * between + moved.shape[lead:])
        if adjoint:
            part = -pixel * _nufft.bind((moved * values).astype(values.dtype), points, transform=transform, adjoint=True)
        else:
            part = moved * _nufft.bind((pixel * values).astype(values.dtype), points, transform=transform, adjoint=False)
        total = part if total is None else total + part
    return (2j * math.pi * transform.sign * total).astype(values.dtype)


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, transform: NufftTransform, adjoint: bool) -> Any:
    (values, points), (by_values, by_points) = primals, tangents
    found = _nufft.bind(values, points, transform=transform, adjoint=adjoint)
    parts = []  # one at least
    if type(by_values) is not ad.Zero:
        parts.append(_nufft.bind(by_values, points, transform=transform, adjoint=adjoint))
    if type(by_points) is not ad.Zero:
        parts.append(_slopes(values, points, by_points, transform, adjoint))
    return found, sum(parts[1:], start=parts[0])


def _transpose(given: Any, values: Any, points: Any, *, transform: NufftTransform, adjoint: bool) -> Any:
    """JAX's transpose is not conjugated: A^T y = conj(A^H conj(y))."""
    if type(given) is ad.Zero:
        return ad.Zero(values.aval), None
    return jnp.conj(_nufft.bind(jnp.conj(given), points, transform=transform, adjoint=not adjoint)), None


def _batched(given: Sequence[Any], axes: Sequence[Any], *, transform: NufftTransform, adjoint: bool) -> Any:
    (values, points), (of_values, of_points) = given, axes
    if of_points is None:  # has no axis of the batch
        axis = 0 if points.ndim == 2 else 1  # behind the sets
        values = jnp.moveaxis(values, of_values, axis)
        return _nufft.bind(values, points, transform=transform, adjoint=adjoint), axis
    points = jnp.moveaxis(points, of_points, 0)
    count = points.shape[0]
    if of_values is None:
        values = jnp.broadcast_to(values, (count,) + values.shape)
    else:
        values = jnp.moveaxis(values, of_values, 0)
    if points.ndim == 3:
        return _nufft.bind(values, points, transform=transform, adjoint=adjoint), 0
    sets = points.shape[1]
    found = _nufft.bind(values.reshape((count * sets,) + values.shape[2:]),
                        points.reshape((count * sets,) + points.shape[2:]), transform=transform, adjoint=adjoint)
    return found.reshape((count, sets) + found.shape[1:]), 0


ad.primitive_jvps[_nufft] = _jvp
ad.primitive_transposes[_nufft] = _transpose
batching.primitive_batchers[_nufft] = _batched
