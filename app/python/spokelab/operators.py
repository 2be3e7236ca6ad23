"""Plans as operators of other packages, which are imported when asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .gdft import Gdft
from .nufft import Nufft
from .type3 import Type3


def _sides(plan: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shapes of the input and of the output."""
    if isinstance(plan, (Nufft, Gdft)):
        return plan.image_shape, plan.samples_shape
    if isinstance(plan, Type3):
        return plan.source_shape, plan.target_shape
    raise TypeError(f"a {type(plan).__name__} is not an operator: expected a Nufft, Gdft or Type3")


def linear_operator(plan: Nufft | Gdft | Type3) -> Any:
    """The plan as a ``scipy.sparse.linalg.LinearOperator`` of flat vectors: samples = A image.

    >>> plan = spokelab.Nufft((8, 8), np.random.default_rng(0).uniform(-0.5, 0.5, (50, 2)))
    >>> spokelab.linear_operator(plan).shape  # needs scipy
    (50, 64)
    """
    from scipy.sparse.linalg import LinearOperator

    before, after = _sides(plan)
    return LinearOperator(
        (int(np.prod(after)), int(np.prod(before))), dtype=plan.dtype,
        matvec=lambda image: plan.forward(np.reshape(image, before)).ravel(),
        rmatvec=lambda values: plan.adjoint(np.reshape(values, after)).ravel())


def sigpy_linop(plan: Nufft) -> Any:
    """The plan as a ``sigpy.linop.Linop`` of ``image_shape`` to ``samples_shape``.

    Its ``.N`` is ``plan.normal``, which convolves where the plan's option ``normal`` is ``toeplitz``; the
    plan must have no weights for that.

    >>> plan = spokelab.Nufft((8, 8), np.random.default_rng(0).uniform(-0.5, 0.5, (50, 2)))
    >>> spokelab.sigpy_linop(plan).oshape  # needs sigpy
    [50]
    """
    if not isinstance(plan, Nufft):
        raise TypeError(f"a {type(plan).__name__} is not a plan with a normal operator: expected a Nufft")
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
