"""Differentiable transforms of PyTorch tensors on the CPU: with respect to image, samples and points, of any order.

``import spokelab.torch``: ``transform = spokelab.torch.NufftTransform((128, 96))``, then
``transform.forward(image, points)`` and ``transform.adjoint(samples, points)``.

Derivatives are transforms, too: with ``s[j] = sum_n m[n] exp(sign 2 pi i k[j] . n)`` the gradient of the image is
the adjoint, and ``ds[j]/dk[j, d] = sign 2 pi i`` times the forward transform of ``n_d m``. They are made of
calls of this file, so that they can be differentiated again.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Sequence

import numpy as np
import torch
from torch import Tensor

from .nufft import Nufft


class NufftTransform:
    """A NUFFT whose points are an argument.

    Parameters are those of ``spokelab.Nufft``; ``dtype`` is torch.complex64 or torch.complex128. Images are
    (..., \\*shape), samples (..., M); all leading axes together are ``batch`` (None: there are none).
    """

    def __init__(self, shape: int | Sequence[int], *, batch: int | None = None,
                 dtype: torch.dtype = torch.complex64, **options: Any):
        if dtype not in (torch.complex64, torch.complex128):
            raise ValueError(f"dtype {dtype} is neither torch.complex64 nor torch.complex128")
        self.dtype = dtype
        self.plan = Nufft(shape, batch=batch, dtype=np.complex64 if dtype == torch.complex64 else np.complex128,
                          **options)
        self._lock = threading.Lock()  # autograd may call from threads of its own
        self._points: np.ndarray[Any, Any] | None = None

    def forward(self, image: Tensor, points: Tensor) -> Tensor:
        """Image (..., \\*shape) and points (M, dims), cycles per pixel, to samples (..., M)."""
        return _Forward.apply(image, points, self)  # type: ignore[no-any-return, no-untyped-call, unused-ignore]

    def adjoint(self, samples: Tensor, points: Tensor) -> Tensor:
        """Samples (..., M) and points (M, dims), cycles per pixel, to image (..., \\*shape)."""
        return _Adjoint.apply(samples, points, self)  # type: ignore[no-any-return, no-untyped-call, unused-ignore]

    __call__ = forward

    def _apply(self, adjoint: bool, tensor: Tensor, points: Tensor) -> Tensor:
        if tensor.device.type != "cpu" or points.device.type != "cpu":
            raise ValueError("spokelab.torch takes tensors on the CPU")
        given = tensor.detach().to(self.dtype).resolve_conj().resolve_neg().contiguous().numpy()
        places = points.detach().numpy()
        with self._lock:
            if self._points is None or not np.array_equal(self._points, places):
                self._points = None  # whatever set_points raises
                self.plan.set_points(places)
                self._points = places.copy()
            done = self.plan.adjoint(given) if adjoint else self.plan.forward(given)
        return torch.from_numpy(done)

    def _coordinates(self) -> list[Tensor]:
        """n_d of each axis, shaped so that it multiplies images."""
        real = torch.float32 if self.dtype == torch.complex64 else torch.float64
        shape = self.plan.shape
        return [(torch.arange(n, dtype=real) - n // 2).reshape([-1 if a == d else 1 for a in range(len(shape))])
                for d, n in enumerate(shape)]

    def _slopes(self, image: Tensor, points: Tensor, other: Tensor) -> Tensor:
        """Re(sign 2 pi i conj(other) . forward(n_d image)), summed over the batch: [M, dims]."""
        factor = 2j * math.pi * self.plan.sign
        columns = []
        for coordinate in self._coordinates():
            change = factor * self.forward(coordinate * image, points)
            columns.append((other.conj() * change).real.reshape(-1, points.shape[0]).sum(0))
        return torch.stack(columns, 1).to(points.dtype)


class _Forward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, image: Tensor, points: Tensor, transform: NufftTransform) -> Tensor:
        ctx.save_for_backward(image, points)
        ctx.transform = transform
        return transform._apply(False, image, points)

    @staticmethod
    def backward(ctx: Any, change: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        image, points = ctx.saved_tensors
        transform = ctx.transform
        wrt_image = transform.adjoint(change, points) if ctx.needs_input_grad[0] else None
        wrt_points = transform._slopes(image, points, change) if ctx.needs_input_grad[1] else None
        return wrt_image, wrt_points, None


class _Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, samples: Tensor, points: Tensor, transform: NufftTransform) -> Tensor:
        ctx.save_for_backward(samples, points)
        ctx.transform = transform
        return transform._apply(True, samples, points)

    @staticmethod
    def backward(ctx: Any, change: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        samples, points = ctx.saved_tensors
        transform = ctx.transform
        wrt_samples = transform.forward(change, points) if ctx.needs_input_grad[0] else None
        # <change, adjoint(samples)> = conj <samples, forward(change)>: the same slopes
        wrt_points = transform._slopes(change, points, samples) if ctx.needs_input_grad[1] else None
        return wrt_samples, wrt_points, None
