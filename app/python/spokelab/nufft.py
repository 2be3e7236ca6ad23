"""Plans of non-uniform FFTs: made once, given points, executed many times."""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._arrays import complex_dtype, is_double, lent, points_xyz, reals, sizes
from ._context import Context, core_of, transform_texts
from ._device import OnDevice, lend_on_device, no_stream, on_device, points_on_device
from ._execute import Side, execute
from ._operator import Closed, Operator

Units = Literal["cycles/pixel", "cycles/fov", "radians"]
Progress = Callable[[float, str], object]

_MAX_DIMS = 8


class Nufft(Operator):
    """A non-uniform FFT of images of one shape.

    ``forward``: ``s[b, j] = sum_n m[b, n] exp(sign 2 pi i k[j] . n)``, ``n_d = -floor(N_d / 2) ...``;
    ``adjoint`` its conjugate transpose, not scaled; ``normal`` adjoint · weights · forward.

    Arrays of other libraries (PyTorch, JAX) are used by DLPack, and results are of the same library. Plans with
    ``backend="cuda"`` also take arrays in the GPU's memory (DLPack or ``__cuda_array_interface__``): they are used
    as they are, results lie there, too, and calls return before the work is done. ``stream`` (CuPy's, PyTorch's,
    or a number) is the one that they are in the order of; None: the libraries' current one.

    Parameters
    ----------
    shape : of one image, 1 to 3 axes, on the CPU up to 8; an integer for one axis.
    points : (M, dims) array, column d for axis d of the image; may be set later.
    batch : images (coils, frames) of one call. None: arrays have no axis for it.
    sets : sets of points (frames of a moving heart) that are set in one call and transformed together; ``points``
        is then a sequence of so many arrays (M of its own each, 0 is allowed). Images are (sets, batch, \\*shape);
        samples (sets, batch, M) where all sets have M points, else flat: set after set, each (batch, its M).
    dtype : complex64 or complex128.
    accuracy : relative l2 error that the transform may have; refused where the dtype cannot reach it.
    sign : -1 or +1, of forward's exponent.
    weights : (M,), of ``normal``; None: ones.
    units : of the points. "cycles/pixel" (-1/2 ... 1/2), "radians" a pixel (-pi ... pi), "cycles/fov"
        (-N/2 ... N/2). All are periodic.
    context : machines and wisdom; None: the default.
    **options : of the command line, ``_`` for ``-``: alpha, width, backend, threads, normal ...
        (``spokelab.option_help()``).

    >>> points = np.random.default_rng(0).uniform(-0.5, 0.5, (500, 2))
    >>> plan = spokelab.Nufft((32, 24), points, accuracy=1e-4)
    >>> samples = plan @ np.ones((32, 24))
    >>> samples.shape, (plan.H @ samples).shape
    ((500,), (32, 24))
    """

    _is_tuned = False

    def __init__(self, shape: int | Sequence[int], points: ArrayLike | None = None, *,
                 batch: int | None = None, sets: int | None = None, dtype: DTypeLike = np.complex64,
                 accuracy: float | None = None, sign: int = -1, weights: ArrayLike | None = None,
                 units: Units = "cycles/pixel", context: Context | None = None, **options: Any):
        self._describe(shape, batch, dtype, sign, context, sets)
        self._options = {"accuracy": accuracy, **options}
        asked = transform_texts(self._options)
        size, in_double = list(self.shape[::-1]), is_double(self.dtype)
        if sets is None:
            self._core = _core.Plan(self._context, size, sign, in_double, batch or 1, asked)
        else:
            self._core = _core.Plan(self._context, size, sign, in_double, batch or 1, asked, sets)
        if points is not None:
            self.set_points(points, units)
        if weights is not None:
            self.set_weights(weights)

    def _describe(self, shape: Any, batch: int | None, dtype: Any, sign: int, context: Context | None,
                  sets: int | None = None) -> None:
        if batch is not None and batch < 1:
            raise ValueError(f"batch is {batch}, expected None or a positive integer")
        if sets is not None and sets < 1:
            raise ValueError(f"sets is {sets}, expected None or a positive integer")
        self._made_in, self._context = context, core_of(context)
        self._workspace: Any = None  # in the memory of a GPU: kept while the plan works there
        self._points: Any = None  # as they were given, for copies of the plan
        self._weights: Any = None
        self.shape: tuple[int, ...] = sizes(shape, _MAX_DIMS)
        self.batch = batch
        self.sets = sets
        self.dtype = complex_dtype(dtype)
        self.sign = sign
        of_set = () if batch is None else (int(batch),)
        self._lead = of_set if sets is None else (int(sets),) + of_set
        self.image_shape = self._lead + self.shape
        self.samples_shape = self._lead + (0,)

    def set_points(self, points: ArrayLike | OnDevice | Sequence[ArrayLike], units: Units = "cycles/pixel", stream: Any = None) -> None:
        """Sets or replaces the points, (M, dims); they are copied. Weights are kept, and need the same number.

        In the GPU's memory: float64, cycles per pixel, in the order of ``stream``. A plan of several ``sets`` takes
        as many arrays in host memory; where one has NaN or infinity, the error names it and the plan keeps its points.
        """
        if self.sets is not None:
            no_stream(stream)
            self._set_point_sets(cast(Sequence[ArrayLike], points), units)
            return
        if on_device(points):
            if units != "cycles/pixel":
                raise ValueError(f"points in the memory of a GPU are in {units}, expected cycles/pixel")
            count = points_on_device(self._core.set_points_on, self._context, points, len(self.shape), stream)
            self._points = "gpu"
            self.samples_shape = self._lead + (count,)
            return
        no_stream(stream)
        ordered = points_xyz(cast(ArrayLike, points), self.shape, units, "cycles/pixel")
        self._core.set_points(ordered)
        self._points = ordered[:, ::-1]
        self.samples_shape = self._lead + (self._core.points(),)

    def _set_point_sets(self, points: Sequence[ArrayLike], units: Units) -> None:
        assert self.sets is not None
        if len(points) != self.sets:
            raise ValueError(f"there are points of {len(points)} sets, expected {self.sets}")
        ordered = [points_xyz(own, self.shape, units, "cycles/pixel") for own in points]
        counts = [len(own) for own in ordered]
        self._core.set_point_sets([0, *np.cumsum(counts).tolist()], np.concatenate(ordered))
        self._points = [own[:, ::-1] for own in ordered]
        same = len(set(counts)) == 1
        self.samples_shape = self._lead + (counts[0],) if same else ((self.batch or 1) * sum(counts),)

    def set_weights(self, weights: ArrayLike | None) -> None:
        """Sets the weights of ``normal``, (M,), of several sets one set after the other; None: ones. They are copied."""
        count = 0 if weights is None else self.n_points
        values = reals([] if weights is None else weights, (count,), "weights")
        assert values is not None
        self._core.set_weights(values)
        self._weights = None if weights is None else values.copy()

    def _require_points(self) -> None:
        if self._points is None:
            raise _core.Error("Cannot transform: the plan has no points. Call set_points first")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew from what this plan was made from, in the same context's wisdom."""
        if isinstance(self._points, str):
            raise TypeError("a plan whose points lie in the memory of a GPU cannot be copied or pickled")
        state = {"shape": self.shape, "batch": self.batch, "sets": self.sets, "dtype": self.dtype, "sign": self.sign,
                 "points": self._points, "weights": self._weights, "context": self._made_in}
        return _made_again, (self._is_tuned, {**state, **self._options})

    def forward(self, image: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Image (..., \\*shape) to samples (..., M); ``out`` is written and returned where it is given."""
        self._require_points()
        return execute(self, "forward", image, Side("image", self.image_shape), out,
                       Side("samples", self.samples_shape), stream)

    def adjoint(self, samples: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Samples (..., M) to image (..., \\*shape); ``out`` is written and returned where it is given."""
        self._require_points()
        return execute(self, "adjoint", samples, Side("samples", self.samples_shape), out,
                       Side("image", self.image_shape), stream)

    def normal(self, image: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Image to image, adjoint · weights · forward; ``out`` may be ``image`` itself."""
        self._require_points()
        side = Side("image", self.image_shape)
        return execute(self, "normal", image, side, out, side, stream)

    def workspace_bytes(self) -> int:
        """Bytes that executions work in and do not keep, with these points; 0: the plan takes no memory of yours.

        The oversampled grid, and with ``normal="gridded"`` the samples of ``normal``. Plans with up to three axes take
        memory; on the CPU, those of one set of points.
        """
        return self._core.workspace_bytes()

    def set_workspace(self, memory: Any) -> None:
        """Has the plan work in ``memory``, and frees its own; None: allocates the plan's own again.

        Any contiguous, writeable array (NumPy's, PyTorch's ...) with ``workspace_bytes()`` bytes, of any type: in host
        memory, or for a plan on a GPU in its memory. The plan keeps a reference; between calls the memory may serve
        others, on a GPU in the order of the calls' stream. New points may need more: calls then raise Error until a
        larger array is given.

        >>> plan = spokelab.Nufft((32, 24), np.random.default_rng(0).uniform(-0.5, 0.5, (500, 2)))
        >>> plan.set_workspace(np.empty(plan.workspace_bytes(), np.uint8))
        """
        if on_device(memory):
            lend_on_device(self._core.set_workspace_on, memory)
        else:
            self._core.set_workspace(None if memory is None else lent(memory))
        self._workspace = memory if on_device(memory) else None

    @property
    def n_points(self) -> int:
        """Number of points, M; of several sets, of all."""
        return self._core.points() if self.sets is not None else self.samples_shape[-1]

    @property
    def error(self) -> float:
        """Predicted relative l2 error of the plan."""
        return self._core.error()

    @property
    def text(self) -> str:
        """One line: machine, method, alpha, W, kernel; after ``tune`` also why."""
        return self._core.text()

    def __repr__(self) -> str:
        if not hasattr(self, "_core") or isinstance(self._core, Closed):
            return "<spokelab.Nufft, not made or closed>"
        return f"<spokelab.Nufft {self.image_shape} to {self.samples_shape}, {self.dtype}, {self.text}>"


def _made_again(is_tuned: bool, state: dict[str, Any]) -> Nufft:
    if is_tuned:
        del state["sets"]
        return tune(state.pop("shape"), state.pop("points"), **state)
    return Nufft(**state)


def tune(shape: int | Sequence[int], points: ArrayLike, *, batch: int | None = None,
         dtype: DTypeLike = np.complex64, accuracy: float | None = None, sign: int = -1,
         weights: ArrayLike | None = None, units: Units = "cycles/pixel", context: Context | None = None,
         progress: Progress | None = None, **options: Any) -> Nufft:
    """The fastest plan for these points, timed on all usable machines or remembered; its points are set.

    Parameters are those of ``Nufft``. Of the options, effort, direction, reuse, point_sets, backend and
    time_limit (s) say what is tuned. ``reuse`` is the number of executions for a set of points: 10 where it is not
    given, so that a plan does not spend on its points what few executions repay. Iterations of hundreds should say so. ``progress(fraction, what)`` cancels by returning something true:
    the call then raises ``spokelab.Cancelled``.

    >>> points = np.random.default_rng(0).uniform(-0.5, 0.5, (500, 2))
    >>> plan = spokelab.tune((32, 24), points, accuracy=1e-3, effort="estimate")
    >>> plan.error <= 1e-3
    True
    """
    plan = Nufft.__new__(Nufft)
    plan._describe(shape, batch, dtype, sign, context)
    plan._is_tuned, plan._options = True, {"accuracy": accuracy, **options}
    ordered = points_xyz(points, plan.shape, units, "cycles/pixel")
    plan._core = _core.Plan(plan._context, list(plan.shape[::-1]), sign, is_double(plan.dtype), batch or 1,
                            transform_texts({"accuracy": accuracy, **options}), ordered, progress)
    plan.samples_shape = plan._lead + (len(ordered),)
    plan._points = ordered[:, ::-1]
    if weights is not None:
        plan.set_weights(weights)
    return plan
