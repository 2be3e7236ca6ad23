"""Scans and their reconstruction, as ``spokelab-cli`` does it."""

from __future__ import annotations

import json
import os
from typing import Any, Literal, Mapping, NamedTuple, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _core
from ._arrays import complex_dtype, points_xyz, sizes
from ._context import Context, core_of, option_texts, taken_denoiser
from .nufft import Progress


class Scan:
    """A scan: made by ``read_scan`` or ``Scan.from_arrays``.

    >>> k = np.random.default_rng(0).uniform(-12, 12, (900, 2))  # cycles per field of view
    >>> scan = spokelab.Scan.from_arrays((24, 24), k, np.ones((2, 900), np.complex64), shots=30)
    >>> scan.coils, scan.shape
    (2, (24, 24))
    """

    def __init__(self, core: _core.Scan):
        self._core = core

    @classmethod
    def from_arrays(cls, shape: Sequence[int], points: ArrayLike, values: ArrayLike, *,
                    shots: int | Sequence[int] = 1, times: ArrayLike | None = None,
                    fov: Sequence[float] | None = None) -> Scan:
        """One frame and slice; all is copied.

        Parameters
        ----------
        shape : (y, x) or (z, y, x), pixels.
        points : (M, dims) cycles per field of view, column d for axis d of the image.
        values : (coils, M) or (M,), complex64 or complex128.
        shots : a number that divides M, or the samples of each shot.
        times : (M,) s after excitation.
        fov : mm, one for each axis; None: pixels of 1 mm.
        """
        pixels = sizes(shape)
        ordered = points_xyz(points, pixels, "cycles/fov", "cycles/fov")
        array = np.atleast_2d(np.asarray(values))
        array = np.ascontiguousarray(array, complex_dtype(array.dtype))
        if isinstance(shots, (int, np.integer)):
            if shots < 1 or len(ordered) % shots:
                raise ValueError(f"{len(ordered)} samples are not {shots} shots of one length")
            lengths = [len(ordered) // int(shots)] * int(shots)
        else:
            lengths = [int(n) for n in shots]
        offsets = [0, *np.cumsum(lengths).tolist()]
        seconds = None if times is None else np.ascontiguousarray(times, np.float64)
        return cls(_core.make_scan(list(pixels[::-1]), None if fov is None else [float(f) for f in fov][::-1],
                                   offsets, ordered, seconds, array))

    def set_array(self, name: str, values: ArrayLike) -> None:
        """Sets what reconstructions use where their options name no file; copied, as complex64.

        "SENSEMap" (coils, \\*shape), "FieldMap" (\\*shape) rad/s, "PhaseMaps" (shots, \\*shape) rad. Not
        while another thread uses the scan.
        """
        self._core.set_array(name, np.ascontiguousarray(values, np.complex64))

    @property
    def dims(self) -> int:
        """2 or 3."""
        return self._core.dims

    @property
    def shape(self) -> tuple[int, ...]:
        """Pixels, (y, x) or (z, y, x)."""
        return tuple(self._core.size()[: self.dims][::-1])

    @property
    def fov(self) -> tuple[float, ...]:
        """Field of view in mm, (y, x) or (z, y, x)."""
        return tuple(self._core.fov()[: self.dims][::-1])

    @property
    def coils(self) -> int:
        return self._core.coils

    @property
    def slices(self) -> int:
        return self._core.slices

    @property
    def frames(self) -> int:
        return self._core.frames

    def points(self, frame: int = 0) -> NDArray[np.float64]:
        """(M, dims) cycles per field of view, column d for axis d of the image; a read-only view."""
        return self._core.points(frame)[:, ::-1]

    def values(self, frame: int = 0, slice: int = 0, coil: int = 0) -> NDArray[np.complex64]:
        """(M,) samples of one coil; a read-only view."""
        return self._core.values(frame, slice, coil)

    @property
    def info(self) -> dict[str, Any]:
        """The file's contents and the reader's decisions."""
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    def __repr__(self) -> str:
        return f"<spokelab.Scan {self.shape}, {self.coils} coils, {self.slices} slices, {self.frames} frames>"


class Image:
    """A reconstructed image.

    >>> scan, truth = spokelab.simulate(truth=True, pattern="radial", matrix=16)
    >>> np.asarray(truth).shape  # frame, z, y, x
    (1, 1, 16, 16)
    >>> truth.affine.shape
    (4, 4)
    """

    def __init__(self, core: _core.Image):
        self._core = core

    @property
    def values(self) -> NDArray[Any]:
        """(frame, z, y, x), a read-only view: complex128 of a job in double precision, else complex64."""
        double = self._core.values_double()
        return self._core.values() if double is None else double

    @property
    def fov(self) -> tuple[float, ...]:
        """Field of view in mm, (z, y, x)."""
        return tuple(self._core.fov()[::-1])

    @property
    def info(self) -> dict[str, Any]:
        """Plan, error, times and notes of its making."""
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    @property
    def affine(self) -> NDArray[np.float64]:
        """(4, 4): indices (x, y, z) of a pixel to mm, right, anterior, superior, as NIfTI and nibabel have it.

        Raises ``Error`` where slices or frames lie at places that no affine describes; ``write`` then makes several
        files.
        """
        place = self.info["image"]["geometry"]
        if "sliceDirections" in place or "frames" in place:
            raise _core.Error("No affine describes this image: its slices or frames lie anywhere. Use write")
        return _affine(place, self.values.shape[1:][::-1])

    def to_nifti(self) -> Any:
        """A ``nibabel.Nifti1Image`` with data (x, y, z) or (x, y, z, frame) and ``affine``; needs nibabel."""
        import nibabel

        data = np.asarray(self.values).transpose(3, 2, 1, 0)
        return nibabel.Nifti1Image(data if data.shape[-1] > 1 else data[..., 0], self.affine)

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != self.values.dtype:
            raise ValueError(f"the image is {self.values.dtype}: as {np.dtype(dtype)} it has to be copied")
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)

    def write(self, file: str | os.PathLike[str]) -> None:
        """.nii, .nii.gz, .h5, .npy, .cfl, .png by its name. Never the scan's own file."""
        self._core.write(os.fspath(file))

    def __repr__(self) -> str:
        return f"<spokelab.Image {self.values.shape}, {self.values.dtype}>"


def _affine(place: Mapping[str, Any], size: Sequence[int]) -> NDArray[np.float64]:
    """The affine map of a geometry in patient coordinates (left, posterior, superior); its centre is pixel floor(N / 2)."""
    directions = np.array([place["readDirection"], place["phaseDirection"], place["sliceDirection"]], np.float64).T
    centres = np.array(place["slicePositionsMm"], np.float64)
    voxel = np.array(place["fovMm"], np.float64) / np.array(place["matrix"], np.float64)
    columns = directions * voxel
    middle = np.array([n // 2 for n in size], np.float64)
    if len(centres) > 1:  # separate slices, at even steps
        columns[:, 2] = (centres[-1] - centres[0]) / (len(centres) - 1)
        if not np.allclose(np.diff(centres, axis=0), columns[:, 2], atol=1e-3):
            raise _core.Error("No affine describes this image: its slices lie at uneven steps. Use write")
        middle[2] = 0
    affine = np.eye(4)
    affine[:3, :3] = columns
    affine[:3, 3] = centres[0] - columns @ middle
    return np.diag([-1.0, -1.0, 1.0, 1.0]) @ affine


def read_scan(file: str | os.PathLike[str], choices: Mapping[str, str] | None = None,
              progress: Progress | None = None) -> Scan:
    """A file that Spokelab reads (ISMRMRD, described arrays), or a built-in scan, ``"demo"`` or ``"demo-field"``.

    ``choices`` overrule the reader's decisions, as ``--set`` of the command line: ``{"matrix": "256x256"}``;
    ``{"dataset": "scan2"}`` is its ``--dataset``. ``progress(fraction, what)``
    cancels by returning something true: the call then raises ``spokelab.Cancelled``.

    >>> spokelab.read_scan("demo").shape
    (64, 64, 64)
    """
    texts = [f"{topic}={choice}" for topic, choice in (choices or {}).items()]
    return Scan(_core.read_scan(os.fspath(file), texts, progress))


@overload
def simulate(*, truth: Literal[False] = False, progress: Progress | None = None, **options: Any) -> Scan: ...
@overload
def simulate(*, truth: Literal[True], progress: Progress | None = None, **options: Any) -> tuple[Scan, Image]: ...
def simulate(*, truth: bool = False, progress: Progress | None = None, **options: Any) -> Scan | tuple[Scan, Image]:
    """A scan of an analytic phantom; with ``truth`` also the image to compare with.

    ``**options`` are those of ``spokelab-cli simulate``, ``_`` for ``-``:
    ``simulate(pattern="spiral", matrix="64x48", coils=8, noise=0.01)``.

    >>> scan = spokelab.simulate(pattern="spiral", matrix="16x16", coils=2)
    >>> scan.coils
    2
    """
    texts = [f"{name}={value}" for name, value in option_texts(options).items()]
    scan, image = _core.simulate(texts, truth, progress)
    return Scan(scan) if image is None else (Scan(scan), Image(image))


def reconstruct(scan: Scan | str | os.PathLike[str], *, context: Context | None = None,
                progress: Progress | None = None,
                **options: Any) -> Image:
    """Reconstructs as ``spokelab-cli reconstruct`` does: gridding, SENSE, pcSENSE; tuned. A name is read first.

    ``**options`` are those of the command line, ``_`` for ``-`` (``lambda_`` for ``lambda``):
    ``reconstruct(scan, method="sense", iterations=15, lambda_=1e-3)``.

    With ``method="pnp"`` or ``"joint-pnp"``, ``denoiser`` is a function of your own (or a file): it is called with
    ``(images, strength)``, complex64 (image, [z,] y, x), and returns argmin 1/2 |x - images|^2 + strength R(x), or
    that and R of it. The largest gridded value is 1 there. What it raises is raised here.

    >>> scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=2)
    >>> spokelab.reconstruct(scan, accuracy=1e-2, effort="estimate").values.shape
    (1, 1, 16, 16)
    >>> spokelab.reconstruct(scan, method="pnp", denoiser=lambda images, strength: images / (1 + strength)).values.shape
    (1, 1, 16, 16)
    """
    denoiser, texts = taken_denoiser(options)
    return Image(_core.reconstruct(core_of(context), _scan_of(scan)._core, option_texts(texts), progress, denoiser))


def _scan_of(scan: Scan | str | os.PathLike[str]) -> Scan:
    if isinstance(scan, (str, os.PathLike)):
        return read_scan(scan)
    if not isinstance(scan, Scan):
        raise TypeError(f"a {type(scan).__name__} is not a scan: expected a Scan (read_scan, Scan.from_arrays) or a file")
    return scan


class NoiseMaps(NamedTuple):
    """Maps of a reconstruction's noise, as ``noise_maps`` makes them.

    >>> scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=2)
    >>> spokelab.noise_maps(scan, replicas=4, sigma=0.1).snr.values.shape
    (1, 1, 16, 16)
    """

    noise: Image
    """Standard deviation in phase with the image."""
    snr: Image
    """The image over its noise."""
    g_factor: Image
    """Noise over what evenly weighted samples of the same number would leave."""


def noise_maps(scan: Scan | str | os.PathLike[str], *, replicas: int = 100, sigma: float = 0, seed: int = 1,
               context: Context | None = None, progress: Progress | None = None, **options: Any) -> NoiseMaps:
    """Noise, SNR and g-factor of each pixel by pseudo-replicas, as ``spokelab-cli noise``.

    ``sigma`` is the standard deviation of a sample's real and imaginary part; 0: by the scan's noise lines.
    ``**options`` are those of ``reconstruct``.

    >>> scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=2)
    >>> maps = spokelab.noise_maps(scan, replicas=4, sigma=0.1, method="sense")
    >>> bool(np.median(np.real(maps.g_factor.values)) > 0)
    True
    """
    found = _core.noise_maps(core_of(context), _scan_of(scan)._core, option_texts(options), int(replicas),
                             float(sigma), int(seed), progress)
    return NoiseMaps(*(Image(image) for image in found))


class LambdaRange:
    """The images of SENSE with Tikhonov regularization for all lambda, from one run; made by ``lambda_range``.

    >>> scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=2)
    >>> found = spokelab.lambda_range(scan, 1e-3, 1, values=5)
    >>> found.image(0.02).values.shape
    (1, 1, 16, 16)
    """

    def __init__(self, core: _core.LambdaRange):
        self._core = core

    def image(self, value: float) -> Image:
        """The image of any lambda above 0, without a transform."""
        return Image(self._core.image(float(value)))

    @property
    def info(self) -> dict[str, Any]:
        """``points`` (lambda, misfit, norm, residual, curvature, heldOut), and what speaks for which: ``corner``,
        ``discrepancy``, ``heldOut`` (None: the range has none)."""
        found: dict[str, Any] = json.loads(self._core.json())
        return found

    def __repr__(self) -> str:
        points = self.info["points"]
        return f"<spokelab.LambdaRange {points[0]['lambda']:g} to {points[-1]['lambda']:g}>"


def lambda_range(scan: Scan | str | os.PathLike[str], low: float = 1e-4, high: float = 1, *, values: int = 25,
                 held_out: float = 0.1, sigma: float = 0, context: Context | None = None,
                 progress: Progress | None = None, **options: Any) -> LambdaRange:
    """Images of SENSE for a range of lambda from one run, and what speaks for which, as ``spokelab-cli lambda``.

    ``held_out`` is the share of the shots that a second run leaves out and predicts. ``**options`` are those of
    ``reconstruct``.

    >>> scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=2)
    >>> [round(p["lambda"], 3) for p in spokelab.lambda_range(scan, 0.01, 1, values=3).info["points"]]
    [0.01, 0.1, 1.0]
    """
    found = _core.lambda_range(core_of(context), _scan_of(scan)._core, option_texts(options), float(low),
                               float(high), int(values), float(held_out), float(sigma), progress)
    return LambdaRange(found)
