"""Differentiable transforms of PyTorch tensors: by image, samples, points and field, as often as asked.

``import spokelab.torch``: ``transform = spokelab.torch.NufftTransform((128, 96))``, then
``transform.forward(image, points)`` and ``transform.adjoint(samples, points)``; ``GdftTransform`` has a field, too.
With ``backend="cuda"`` tensors on the GPU are used where they lie, in the order of PyTorch's current stream.

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

from .gdft import Gdft
from .nufft import Nufft


def _numpy_dtype(dtype: torch.dtype) -> Any:
    if dtype not in (torch.complex64, torch.complex128):
        raise ValueError(f"dtype {dtype} is neither torch.complex64 nor torch.complex128")
    return np.complex64 if dtype == torch.complex64 else np.complex128


def _plain(tensor: Tensor, dtype: torch.dtype | None = None) -> Tensor:
    """The tensor itself, where it is contiguous and of the dtype, as DLPack hands it over."""
    return tensor.detach().to(dtype or tensor.dtype).resolve_conj().resolve_neg().contiguous()


def _on_host(tensor: Tensor) -> Any:
    return _plain(tensor).cpu().numpy()


def _coordinates(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> list[Tensor]:
    """n_d of each axis, shaped so that it multiplies images."""
    real = torch.float32 if dtype == torch.complex64 else torch.float64
    return [(torch.arange(n, dtype=real, device=device) - n // 2).reshape(
        [-1 if a == d else 1 for a in range(len(shape))]) for d, n in enumerate(shape)]


class NufftTransform:
    """A NUFFT whose points are an argument.

    Parameters are those of ``spokelab.Nufft``; ``dtype`` is torch.complex64 or torch.complex128. Images are
    (..., \\*shape), samples (..., M); all leading axes together are ``batch`` (None: there are none).
    """

    def __init__(self, shape: int | Sequence[int], *, batch: int | None = None,
                 dtype: torch.dtype = torch.complex64, **options: Any):
        self.dtype = dtype
        self.plan = Nufft(shape, batch=batch, dtype=_numpy_dtype(dtype), **options)
        self._lock = threading.Lock()  # autograd may call from other threads
        self._points: Tensor | None = None

    def forward(self, image: Tensor, points: Tensor) -> Tensor:
        """Image (..., \\*shape) and points (M, dims), cycles per pixel, to samples (..., M)."""
        found: Tensor = _Forward.apply(image, points, self)  # type: ignore[no-untyped-call, unused-ignore]
        return found

    def adjoint(self, samples: Tensor, points: Tensor) -> Tensor:
        """Samples (..., M) and points (M, dims), cycles per pixel, to image (..., \\*shape)."""
        found: Tensor = _Adjoint.apply(samples, points, self)  # type: ignore[no-untyped-call, unused-ignore]
        return found

    __call__ = forward

    def _set_points(self, points: Tensor) -> None:
        old, places = self._points, _plain(points)
        if old is not None and old.device == places.device and torch.equal(old, places):
            return
        self._points = None  # whatever set_points raises
        self.plan.set_points(places.to(torch.float64) if places.is_cuda else places.numpy())
        self._points = places.clone()

    def _apply(self, adjoint: bool, tensor: Tensor, points: Tensor) -> Tensor:
        given = _plain(tensor, self.dtype)
        with self._lock:
            self._set_points(points)
            found: Tensor = self.plan.adjoint(given) if adjoint else self.plan.forward(given)
        return found

    def _slopes(self, image: Tensor, points: Tensor, other: Tensor) -> Tensor:
        """Re(sign 2 pi i conj(other) . forward(n_d image)), summed over the batch: [M, dims]."""
        factor = 2j * math.pi * self.plan.sign
        columns = []
        for coordinate in _coordinates(self.plan.shape, self.dtype, image.device):
            change = factor * self.forward(coordinate * image, points)
            columns.append((other.conj() * change).real.reshape(-1, points.shape[0]).sum(0))
        return torch.stack(columns, 1).to(points.device, points.dtype)


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


class GdftTransform:
    """The exact transform with a field, ``spokelab.Gdft``, whose points and field are arguments.

    ``s[j] = sum_n m[n] exp(-i (2 pi k[j] . r[n] + field[n] t[j]))``; times (M,) s, points (M, dims) in cycles per
    field of view, field (\\*shape) rad/s. One image (\\*shape) at a time. Points and field pass through host memory,
    as each call makes its exact sums anew.
    """

    def __init__(self, shape: int | Sequence[int], times: Tensor, *, dtype: torch.dtype = torch.complex64,
                 **options: Any):
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = dtype
        self.times = times.detach()
        self._options = {"dtype": _numpy_dtype(dtype), **options}

    def forward(self, image: Tensor, points: Tensor, field: Tensor) -> Tensor:
        """Image (\\*shape) to samples (M,)."""
        found: Tensor = _FieldForward.apply(image, points, field, self)  # type: ignore[no-untyped-call, unused-ignore]
        return found

    def adjoint(self, samples: Tensor, points: Tensor, field: Tensor) -> Tensor:
        """Samples (M,) to image (\\*shape)."""
        found: Tensor = _FieldAdjoint.apply(samples, points, field, self)  # type: ignore[no-untyped-call,unused-ignore]
        return found

    __call__ = forward

    def _apply(self, adjoint: bool, tensor: Tensor, points: Tensor, field: Tensor) -> Tensor:
        gdft = Gdft(self.shape, _on_host(points), _on_host(self.times), _on_host(field), **self._options)
        given = _plain(tensor, self.dtype)
        found: Tensor = gdft.adjoint(given) if adjoint else gdft.forward(given)
        return found

    def _slopes(self, image: Tensor, samples: Tensor, points: Tensor, field: Tensor,
                needed: Sequence[bool]) -> tuple[Tensor | None, Tensor | None]:
        """Derivatives of Re <samples, forward(image)> by points and field."""
        by_points = by_field = None
        if needed[0]:
            columns = []
            for n, coordinate in zip(self.shape, _coordinates(self.shape, self.dtype, image.device)):
                change = -2j * math.pi / n * self.forward(coordinate * image, points, field)
                columns.append((samples.conj() * change).real)
            by_points = torch.stack(columns, 1).to(points.device, points.dtype)
        if needed[1]:
            delayed = self.adjoint(self.times.to(samples.device) * samples, points, field)
            by_field = (-1j * image * delayed.conj()).real.to(field.device, field.dtype)
        return by_points, by_field


class _FieldForward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, image: Tensor, points: Tensor, field: Tensor, transform: GdftTransform) -> Tensor:
        ctx.save_for_backward(image, points, field)
        ctx.transform = transform
        return transform._apply(False, image, points, field)

    @staticmethod
    def backward(ctx: Any, change: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None, None]:
        image, points, field = ctx.saved_tensors
        transform = ctx.transform
        wrt_image = transform.adjoint(change, points, field) if ctx.needs_input_grad[0] else None
        return wrt_image, *transform._slopes(image, change, points, field, ctx.needs_input_grad[1:3]), None


class _FieldAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, samples: Tensor, points: Tensor, field: Tensor, transform: GdftTransform) -> Tensor:
        ctx.save_for_backward(samples, points, field)
        ctx.transform = transform
        return transform._apply(True, samples, points, field)

    @staticmethod
    def backward(ctx: Any, change: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None, None]:
        samples, points, field = ctx.saved_tensors
        transform = ctx.transform
        wrt_samples = transform.forward(change, points, field) if ctx.needs_input_grad[0] else None
        return wrt_samples, *transform._slopes(change, samples, points, field, ctx.needs_input_grad[1:3]), None
