"""Density weights of trajectories."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import points_xyz, sizes
from ._context import Context, core_of, option_texts
from .nufft import Progress, Units


def density_weights(points: ArrayLike, shape: Sequence[int], *, shot_offsets: Sequence[int] | None = None,
                    units: Units = "cycles/fov", progress: Progress | None = None,
                    context: Context | None = None, **options: Any) -> NDArray[np.float64]:
    """The k-space area (volume) of each sample, (M,), in (cycles per field of view)^dims.

    ``adjoint(weights * samples) / prod(shape)`` of a ``Nufft`` is the gridded image.

    Parameters
    ----------
    points : (M, dims), dims 2 or 3, column d for axis d of the image; cycles per field of view unless ``units``
        differ. Samples beyond the band of ``shape`` get 0.
    shot_offsets : [0, ..., M], where each shot's samples begin; None: one shot.
    progress : hears (fraction, text); something true cancels (``spokelab.Cancelled``).
    **options : density ("auto", "analytic", "pipe-menon", "voronoi", "none"), pipe_menon_iterations, backend,
        accuracy, threads. "auto" is analytic where the shots are straight lines through the centre, else
        Pipe and Menon's iteration.

    >>> k = np.random.default_rng(0).uniform(-12, 12, (900, 2))
    >>> spokelab.density_weights(k, (24, 24), density="pipe-menon").shape
    (900,)
    """
    size = sizes(shape)
    if len(size) < 2:
        raise ValueError(f"shape {shape} is not 2 or 3 positive integers")
    ordered = points_xyz(points, size, units, "cycles/fov")
    offsets = [0, len(ordered)] if shot_offsets is None else [int(o) for o in shot_offsets]
    if not offsets or offsets[-1] != len(ordered):
        raise ValueError(f"shot_offsets end at {offsets[-1] if offsets else None}, expected the number of points, {len(ordered)}")
    weights = np.empty(len(ordered))
    _core.density_weights(core_of(context), list(size[::-1]), offsets, ordered, option_texts(options), progress,
                          weights)
    return weights
