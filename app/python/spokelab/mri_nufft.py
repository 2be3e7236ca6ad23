"""mri-nufft's backend "spokelab": importing this module registers it.

``import spokelab.mri_nufft`` and then ``mrinufft.get_operator("spokelab")(samples, shape, …)``, as with its other
backends. Further keywords: ``eps`` (accuracy), and options of Spokelab. The density method "pipe" is
``spokelab.density_weights`` by Pipe and Menon's iteration.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mrinufft._array_compat import _array_to_numpy
from mrinufft._utils import proper_trajectory
from mrinufft.operators.base import FourierOperatorCPU, _ToggleGradPlanMixin

from .density import density_weights
from .nufft import Nufft


class RawSpokelab:
    """Two plans: of the transform, and of its conjugate, which gradients of the trajectory need."""

    def __init__(self, samples: Any, shape: Any, n_trans: int, eps: float, options: dict[str, Any]):
        def make(sign: int) -> Nufft:
            return Nufft(shape, batch=n_trans, dtype=samples.dtype, accuracy=eps, sign=sign, **options)

        self._make = make
        self.plan = make(-1)
        self.grad_plan: Nufft | None = None
        self.set_points(samples)

    def set_points(self, samples: Any) -> None:
        self._samples = samples
        for plan in (self.plan, self.grad_plan):
            if plan is not None:
                plan.set_points(samples, "radians")

    def op(self, coeffs: Any, image: Any) -> Any:
        """Image (n_trans, \\*shape) to coeffs (n_trans, M), which is written."""
        return self._into(self.plan.forward, image.reshape(self.plan.image_shape), coeffs)

    def adj_op(self, coeffs: Any, image: Any) -> Any:
        """coeffs (n_trans, M) to image (n_trans, \\*shape), which is written."""
        return self._into(self.plan.adjoint, coeffs.reshape(self.plan.samples_shape), image)

    @staticmethod
    def _into(call: Any, given: Any, out: Any) -> Any:
        if out.flags.c_contiguous:
            shape = call.__self__.image_shape if call.__name__ == "adjoint" else call.__self__.samples_shape
            call(given, out.reshape(shape))
        else:
            out[...] = call(given).reshape(out.shape)
        return out

    def toggle_grad_traj(self) -> None:
        """Exchanges the plans; the second is made when it is first needed."""
        if self.grad_plan is None:
            self.grad_plan = self._make(1)
            self.grad_plan.set_points(self._samples, "radians")
        self.plan, self.grad_plan = self.grad_plan, self.plan


class MRISpokelab(FourierOperatorCPU, _ToggleGradPlanMixin):  # type: ignore[misc, unused-ignore]
    """mri-nufft's operator by Spokelab's plans, with the parameters of its other CPU operators.

    Parameters
    ----------
    samples : (M, dims), in -0.5 ... 0.5 or -pi ... pi.
    shape : of the image.
    density, n_coils, n_batchs, n_trans, smaps, squeeze_dims : as mri-nufft has them; n_trans images are
        transformed at a time.
    eps : relative l2 error that the transform may have.
    **options : of Spokelab (``spokelab.option_help()``).
    """

    backend = "spokelab"
    available = True
    autograd_available = True

    def __init__(self, samples: Any, shape: Any, density: Any = False, n_coils: int = 1, n_batchs: int = 1,
                 n_trans: int = 1, smaps: Any = None, squeeze_dims: bool = True, eps: float = 1e-6,
                 **options: Any):
        samples = np.asarray(_array_to_numpy(proper_trajectory(samples, normalize="pi")))
        super().__init__(samples, shape, density, n_coils=n_coils, n_batchs=n_batchs, n_trans=n_trans,
                         smaps=smaps, raw_op=RawSpokelab(samples, shape, n_trans, eps, options),
                         squeeze_dims=squeeze_dims)

    def update_samples(self, new_samples: Any, unsafe: bool = False) -> None:
        """Replaces the samples; ``unsafe``: they are taken as radians, unchecked."""
        self._samples = new_samples if unsafe else np.asarray(proper_trajectory(new_samples, normalize="pi"))
        self.raw_op.set_points(self._samples)
        self.compute_density(self._density_method)

    @classmethod
    def pipe(cls, kspace_loc: Any, volume_shape: Any, max_iter: int = 10, osf: float = 2, normalize: bool = True,
             **options: Any) -> Any:
        """Density weights (M,) by Pipe and Menon's iteration, as mri-nufft's other operators have it.

        osf : field of view over which the point spread function is to be right, over the image's.
        normalize : the mean of an image of ones, transformed to samples and gridded with the weights, is one.
        **options : of Spokelab.
        """
        samples = np.asarray(_array_to_numpy(proper_trajectory(kspace_loc, normalize="pi")))
        grid = tuple(int(n * osf) for n in volume_shape)
        weights = density_weights(samples, grid, units="radians", density="pipe-menon", pipe_menon_iterations=max_iter,
                                  **options).astype(samples.dtype)
        if normalize:
            operator = cls(samples, volume_shape)
            ones = np.ones(volume_shape, operator.cpx_dtype)
            weights /= np.mean(np.abs(operator.adj_op(weights * operator.op(ones))))
        return weights
