"""Plans as operators of other packages, which are imported when asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .nufft import Nufft


def linear_operator(plan: Nufft) -> Any:
    """The plan as a ``scipy.sparse.linalg.LinearOperator`` of flat vectors: samples = A image."""
    from scipy.sparse.linalg import LinearOperator

    pixels, samples = int(np.prod(plan.image_shape)), int(np.prod(plan.samples_shape))
    return LinearOperator(
        (samples, pixels), dtype=plan.dtype,
        matvec=lambda image: plan.forward(np.reshape(image, plan.image_shape)).ravel(),
        rmatvec=lambda values: plan.adjoint(np.reshape(values, plan.samples_shape)).ravel())


def sigpy_linop(plan: Nufft) -> Any:
    """The plan as a ``sigpy.linop.Linop`` of ``image_shape`` to ``samples_shape``.

    Its ``.N`` is ``plan.normal``, which convolves where the plan's option ``normal`` is ``toeplitz``; the
    plan must have no weights for that.
    """
    from sigpy import linop

    class NufftLinop(linop.Linop):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(plan.samples_shape, plan.image_shape)

        def _apply(self, input: Any) -> Any:
            return plan.forward(input)

        def _adjoint_linop(self) -> Any:
            return AdjointLinop()

        def _normal_linop(self) -> Any:
            return NormalLinop()

    class AdjointLinop(linop.Linop):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(plan.image_shape, plan.samples_shape)

        def _apply(self, input: Any) -> Any:
            return plan.adjoint(input)

        def _adjoint_linop(self) -> Any:
            return NufftLinop()

    class NormalLinop(linop.Linop):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(plan.image_shape, plan.image_shape)

        def _apply(self, input: Any) -> Any:
            return plan.normal(input)

        def _adjoint_linop(self) -> Any:
            return self

    return NufftLinop()
