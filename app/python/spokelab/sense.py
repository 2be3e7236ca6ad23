"""Iterative SENSE of arrays in memory."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._arrays import complex_dtype, given, is_double, points_xyz, reals, result, sizes
from ._context import Context, core_of, option_texts, taken_denoiser
from ._device import OnDevice, no_stream, on_device, run_on_device
from ._libraries import returned
from .nufft import Progress, Units


class Sense:
    """The image m that minimises ``sum_c |W^(1/2) (A S_c m - y_c)|^2 / sum(W) + lambda R(m)``.

    A is the transform of ``Nufft`` (or, with a field, of ``Gdft``), S the coil maps. Plans are made once
    and serve any number of samples.

    Parameters
    ----------
    maps : (coils, \\*shape) complex; with method="soft-sense" or coil_map_sets=2 (2, coils, \\*shape).
    points : (M, dims), column d for axis d of the image; cycles per field of view unless ``units`` differ.
    weights : (M,), at least 0, areas of k-space make iterations few; None: ones.
    times, field, decay, gradient : as in ``Gdft``; how the field is corrected: ``transform="segmented"`` ...
    phases, shot_offsets : pcSENSE: (shots, \\*shape) rad, and [0, ..., M], where each shot's samples begin.
    dtype : complex64 or complex128.
    **options : lambda\\_, regularization, iterations, tolerance, transform, accuracy, backend, threads ...;
        denoiser with method="pnp", as in ``reconstruct``.

    >>> k = np.random.default_rng(0).uniform(-12, 12, (900, 2))  # cycles per field of view
    >>> sense = spokelab.Sense(np.ones((2, 24, 24)), k, lambda_=1e-2, iterations=3)
    >>> sense.solve(np.ones((2, 900))).shape
    (24, 24)
    """

    def __init__(self, maps: ArrayLike, points: ArrayLike, *, weights: ArrayLike | None = None,
                 times: ArrayLike | None = None, field: ArrayLike | None = None, decay: ArrayLike | None = None,
                 gradient: ArrayLike | None = None, phases: ArrayLike | None = None,
                 shot_offsets: Sequence[int] | None = None, dtype: DTypeLike = np.complex64,
                 units: Units = "cycles/fov", context: Context | None = None, **options: Any):
        sensitivities = np.ascontiguousarray(maps, np.complex64)
        sets = int(options.get("coil_map_sets", 2 if options.get("method") == "soft-sense" else 1))
        lead = 1 if sets == 1 else 2
        if sensitivities.ndim - lead not in (2, 3):
            raise ValueError(f"maps have shape {sensitivities.shape}, expected (coils, *shape)")
        if sets > 1 and sensitivities.shape[0] != sets:
            raise ValueError(f"maps have shape {sensitivities.shape}, expected ({sets}, coils, *shape)")
        self.shape = sizes(sensitivities.shape[lead:])
        self.coils = int(sensitivities.shape[lead - 1])
        self.dtype = complex_dtype(dtype)
        self._options = options
        ordered = points_xyz(points, self.shape, units, "cycles/fov")
        count = len(ordered)
        self.samples_shape = (self.coils, count)
        self._context = core_of(context)
        self._core = _core.Sense(self._context, list(self.shape[::-1]), is_double(self.dtype), self.coils,
                                 sensitivities, ordered, option_texts(taken_denoiser(options)[1]))
        self._core.set_weights(reals(weights, (count,), "weights"))
        if any(v is not None for v in (times, field, decay, gradient)):
            slopes = reals(gradient, (len(self.shape), *self.shape), "gradient")
            self._core.set_field(reals(times, (count,), "times"), reals(field, self.shape, "field"),
                                 reals(decay, self.shape, "decay"),
                                 None if slopes is None else np.ascontiguousarray(slopes[::-1]))
        if phases is not None:
            offsets = [0, count] if shot_offsets is None else [int(o) for o in shot_offsets]
            self._core.set_phases(offsets, reals(phases, (len(offsets) - 1, *self.shape), "phases"))

    def solve(self, samples: ArrayLike | OnDevice, out: Any = None, *, progress: Progress | None = None,
              stream: Any = None, **options: Any) -> Any:
        """Samples (coils, M) to the image (\\*shape); options of this call: lambda\\_, regularization,
        iterations, tolerance. ``progress`` cancels by returning something true (``spokelab.Cancelled``).

        With ``backend="cuda"`` also of arrays in the GPU's memory, once the work of ``stream`` is
        done; the image is there when the call returns.
        """
        denoiser, given_options = taken_denoiser({**self._options, **options})
        texts = option_texts(given_options)
        if on_device(samples):
            def call(values: int, count: int, image: int, pixels: int, on: int) -> None:
                self._core.solve_on(values, count, image, pixels, on, texts, progress, denoiser)

            return run_on_device(call, self._context, samples, self.samples_shape, out, self.shape, self.dtype, stream)
        no_stream(stream)
        values = given(samples, self.samples_shape, self.dtype, "samples")
        image = result(out, self.shape, self.dtype, "image")
        self._core.solve(values, image, texts, progress, denoiser)
        return returned(image, samples) if out is None else out

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Sense cannot be copied or pickled: make one in each process, from maps and points")

    @property
    def residuals(self) -> list[float]:
        """Relative residuals of the normal equations, one for each iteration of the last solution."""
        return self._core.residuals()

    @property
    def text(self) -> str:
        """The transform, and why the last iterations ended."""
        return self._core.text()

    def __repr__(self) -> str:
        return f"<spokelab.Sense {self.samples_shape} to {self.shape}, {self.dtype}>"
