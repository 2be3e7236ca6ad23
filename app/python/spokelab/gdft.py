"""Exact field-corrected transforms."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._arrays import complex_dtype, is_double, points_xyz, reals, sizes
from ._context import Context, core_of, transform_texts
from ._device import OnDevice
from ._execute import Side, execute
from ._operator import Operator
from .nufft import Units


class Gdft(Operator):
    """``s[j] = sum_n m[n] exp(-i (2 pi k[j] . r[n] + field[n] t[j])) exp(-decay[n] t[j])``, by exact sums.

    ``r[n] = n_d / N_d``. With a gradient (GdftR2) each term is times ``prod_d sinc(k_d / N_d + G_d t)``,
    ``sinc(x) = sin(pi x) / (pi x)``. With ``backend="cuda"`` also of arrays in the GPU's memory and with a
    ``stream``, as ``Nufft``.

    Parameters
    ----------
    shape : of the image, 1 to 3 axes.
    points : (M, dims), column d for axis d of the image; cycles per field of view unless ``units`` differ.
    times : (M,) s, or None: zeros.
    field : (\\*shape) rad/s, or None.
    decay : (\\*shape) 1/s, or None.
    gradient : (dims, \\*shape) cycles/s per voxel, entry d along axis d, or None: without in-voxel terms.
    coordinates : (P, dims) in units of the field of view, column d for axis d, or None: the image's own grid.
        Images and maps then have shape (P,), and ``shape`` gives the N_d of the gradient's sinc alone.
    dtype : complex64 or complex128.
    **options : backend, threads.

    >>> k = np.random.default_rng(0).uniform(-12, 12, (100, 2))  # cycles per field of view
    >>> gdft = spokelab.Gdft((24, 24), k, times=np.linspace(0, 5e-3, 100), field=np.full((24, 24), 50.0))
    >>> gdft.forward(np.ones((24, 24))).shape
    (100,)
    """

    def __init__(self, shape: int | Sequence[int], points: ArrayLike, times: ArrayLike | None = None,
                 field: ArrayLike | None = None, decay: ArrayLike | None = None,
                 gradient: ArrayLike | None = None, *, coordinates: ArrayLike | None = None, dtype: DTypeLike = np.complex64,
                 units: Units = "cycles/fov", context: Context | None = None, **options: Any):
        self.shape = sizes(shape)
        self.dtype = complex_dtype(dtype)
        ordered = points_xyz(points, self.shape, units, "cycles/fov")
        self.samples_shape = (len(ordered),)
        places = None if coordinates is None else np.asarray(coordinates, dtype=np.float64)
        if places is not None and (places.ndim != 2 or places.shape[1] != len(self.shape)):
            raise ValueError(f"coordinates have shape {places.shape}, not (pixels, {len(self.shape)})")
        self.image_shape = self.shape if places is None else (len(places),)
        slopes = reals(gradient, (len(self.shape), *self.image_shape), "gradient")
        self._context = core_of(context)
        maps = {"times": times, "field": field, "decay": decay, "gradient": gradient, "coordinates": coordinates}
        self._made_with = {"shape": self.shape, "points": ordered[:, ::-1], "dtype": self.dtype, "context": context,
                           **{name: None if m is None else np.array(m, np.float64) for name, m in maps.items()},
                           **options}
        self._core = _core.Transform(
            self._context, list(self.shape[::-1]), is_double(self.dtype), ordered,
            reals(times, self.samples_shape, "times"), reals(field, self.image_shape, "field"),
            reals(decay, self.image_shape, "decay"),
            None if slopes is None else np.ascontiguousarray(slopes[::-1]),
            None if places is None else np.ascontiguousarray(places[:, ::-1]), transform_texts(options))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (self._made_with,)

    def forward(self, image: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Image (\\*shape) to samples (M,); ``out`` is written and returned where it is given."""
        return execute(self, "forward", image, Side("image", self.image_shape), out,
                       Side("samples", self.samples_shape), stream)

    def adjoint(self, samples: ArrayLike | OnDevice, out: Any = None, stream: Any = None) -> Any:
        """Samples (M,) to image (\\*shape), the conjugate transpose, not scaled."""
        return execute(self, "adjoint", samples, Side("samples", self.samples_shape), out,
                       Side("image", self.image_shape), stream)


def _made_again(keywords: dict[str, Any]) -> Gdft:
    return Gdft(**keywords)
