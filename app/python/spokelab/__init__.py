"""Spokelab's engine: non-uniform FFTs, exact field-corrected transforms, reconstruction of scans.

Conventions
-----------
* forward (type 2, image to samples): ``s[j] = sum_n m[n] exp(sign 2 pi i k[j] . n)``, with
  ``n_d = -floor(N_d / 2) ... ceil(N_d / 2) - 1``; adjoint (type 1) is its conjugate transpose, not scaled.
* Column ``d`` of points, and entry ``d`` of a shape, belong to axis ``d`` of the image array, as in
  NumPy, FINUFFT, mri-nufft and SigPy. (The C interface counts axes the other way round.)
* Points of a ``Nufft`` are in cycles per pixel unless ``units`` says otherwise, those of ``Gdft`` and
  scans in cycles per field of view.
* Contiguous NumPy arrays of the plan's precision are used where they lie; others are converted first.

What fails raises ``spokelab.Error`` (a ``RuntimeError``), ``ValueError`` or ``MemoryError``, with the
engine's text. Work is done without the GIL; one plan serves one thread at a time, others wait.
"""

from ._core import Cancelled, Error
from ._arrays import UnitWarning
from ._context import Context, backends, option_help
from .density import density_weights
from .finufft import (nufft1d1, nufft1d2, nufft1d3, nufft2d1, nufft2d2, nufft2d3, nufft3d1, nufft3d2,
                      nufft3d3)
from .gdft import Gdft
from .nufft import Nufft, tune
from .operators import linear_operator, sigpy_linop
from ._show import show
from .scan import (Image, LambdaRange, NoiseMaps, Scan, lambda_range, noise_maps, read_scan, reconstruct,
                   simulate)
from .sense import Sense
from .type3 import Type3
from . import _core

__version__: str = _core.version()

__all__ = [
    "Cancelled", "Context", "Error", "Gdft", "Image", "LambdaRange", "NoiseMaps", "Nufft", "Scan",
    "Sense", "Type3", "UnitWarning", "backends",
    "nufft1d1", "nufft1d2", "nufft1d3", "nufft2d1", "nufft2d2", "nufft2d3", "nufft3d1", "nufft3d2", "nufft3d3",
    "density_weights", "lambda_range", "linear_operator", "noise_maps", "option_help", "read_scan", "reconstruct",
    "show", "sigpy_linop", "simulate", "tune",
]
