"""Transforms from non-uniform points to non-uniform points (type 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._arrays import complex_dtype, is_double
from ._context import Context, core_of, transform_texts
from ._device import OnDevice
from ._execute import Side, execute
from ._operator import Closed, Operator


class Type3(Operator):
    """``y[b, k] = sum_j c[b, j] exp(sign 2 pi i s[k] . x[j])``, from sources x to targets s.

    ``forward`` is that, ``adjoint`` its conjugate transpose, not scaled. With ``backend="cuda"`` on the GPU,
    and then also of arrays in its memory and with a ``stream``, as ``Nufft``.

    Parameters
    ----------
    sources : (M, dims) array, in any unit.
    targets : (K, dims) array, in cycles per that unit, or radians where ``units`` says so.
    batch : transforms of one call. None: arrays have no axis for it.
    dtype : complex64 or complex128.
    accuracy : relative l2 error that the transform may have; refused where the dtype cannot reach it.
    sign : -1 or +1, of forward's exponent.
    units : "cycles" or "radians" (``exp(sign i s . x)``).
    tune : True: the fastest transform for these points, timed over ratios and machines, or remembered.
    context : machines and wisdom; None: the default.
    **options : of the command line, ``_`` for ``-``: alpha, width, kernel, backend, threads ...; with ``tune`` also
        effort, direction, reuse, trials, time_limit.

    >>> mm = np.random.default_rng(0).uniform(-100, 100, (300, 2))
    >>> per_mm = np.random.default_rng(1).uniform(-0.2, 0.2, (200, 2))
    >>> transform = spokelab.Type3(mm, per_mm, accuracy=1e-4)
    >>> transform.forward(np.ones(300)).shape
    (200,)
    """

    def __init__(self, sources: ArrayLike, targets: ArrayLike, *, batch: int | None = None,
                 dtype: DTypeLike = np.complex64, accuracy: float | None = None, sign: int = -1,
                 units: Literal["cycles", "radians"] = "cycles", tune: bool = False,
                 context: Context | None = None, **options: Any):
        if batch is not None and batch < 1:
            raise ValueError(f"batch is {batch}, expected None or a positive integer")
        if units not in ("cycles", "radians"):
            raise ValueError(f'units {units!r} are none of "cycles", "radians"')
        self.dtype = complex_dtype(dtype)
        self.units = units
        self._lead = () if batch is None else (int(batch),)
        self._dims = _columns(sources, "sources").shape[1]
        self._made_in, self._context = context, core_of(context)
        self._made_with = {"batch": batch, "dtype": self.dtype, "sign": sign, "units": units, "accuracy": accuracy,
                           "tune": tune, **options}
        texts = transform_texts({"accuracy": accuracy, **options})
        self._core = _core.Type3(self._context, self._dims, sign, is_double(self.dtype), batch or 1, texts)
        self._set_points(sources, targets, lambda x, s: self._core.tune(self._context, texts, sign, x, s)
                         if tune else self._core.set_points(x, s))

    def set_points(self, sources: ArrayLike, targets: ArrayLike) -> None:
        """Replaces the points, (M, dims) and (K, dims); they are copied."""
        self._set_points(sources, targets, self._core.set_points)

    def _set_points(self, sources: ArrayLike, targets: ArrayLike, give: Callable[[Any, Any], None]) -> None:
        x, s = _columns(sources, "sources"), _columns(targets, "targets")
        for points, name in ((x, "sources"), (s, "targets")):
            if points.shape[1] != self._dims:
                raise ValueError(f"{name} have shape {points.shape}, expected (points, {self._dims})")
        self._points = x.copy(), s.copy()  # for copies of the plan
        if self.units == "radians":
            s = s * (0.5 / np.pi)
        give(x, s)
        self.source_shape = self._lead + (len(x),)
        self.target_shape = self._lead + (len(s),)

    def forward(self, values: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Values of sources (..., M) to values of targets (..., K); ``out`` is written and returned."""
        return execute(self, "forward", values, Side("values", self.source_shape), out,
                       Side("values of targets", self.target_shape), stream)

    def adjoint(self, values: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Values of targets (..., K) to values of sources (..., M); ``out`` is written and returned."""
        return execute(self, "adjoint", values, Side("values", self.target_shape), out,
                       Side("values of sources", self.source_shape), stream)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (*self._points, {**self._made_with, "context": self._made_in})

    @property
    def error(self) -> float:
        """Predicted relative l2 error."""
        return self._core.error()

    @property
    def text(self) -> str:
        """One line: method, grid, alpha, W of both steps."""
        return self._core.text()

    def __repr__(self) -> str:
        if not hasattr(self, "_core") or isinstance(self._core, Closed):
            return "<spokelab.Type3, not made or closed>"
        return f"<spokelab.Type3 {self.source_shape} to {self.target_shape}, {self.dtype}, {self.text}>"


def _made_again(sources: Any, targets: Any, keywords: dict[str, Any]) -> Type3:
    return Type3(sources, targets, **keywords)


def _columns(points: ArrayLike, name: str) -> NDArray[np.float64]:
    columns = np.ascontiguousarray(points, np.float64)
    if columns.ndim == 1:
        columns = columns[:, np.newaxis]
    if columns.ndim != 2 or not 1 <= columns.shape[1] <= 3:
        raise ValueError(f"{name} have shape {columns.shape}, expected (points, dims) with 1 to 3 dims")
    return columns
