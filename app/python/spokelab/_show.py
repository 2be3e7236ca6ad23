"""Arrays into the open window. This file needs NumPy alone and may be copied to a Python without the package."""

from __future__ import annotations

import json
import math
import os
import socket
import struct
from pathlib import Path
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray


def _folders() -> list[Path]:
    found = []
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        found.append(Path(runtime) / "spokelab")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    found.append(Path(cache) / "spokelab" / "windows")
    return found


def _connect(window: str | os.PathLike[str] | None, timeout: float) -> socket.socket:
    if window is not None:
        places = [Path(window)]
    else:
        places = [place for folder in _folders() for place in folder.glob("window-*.sock")]
        places.sort(key=lambda place: place.stat().st_mtime, reverse=True)
    for place in places:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(timeout)
        try:
            connection.connect(os.fspath(place))
            return connection
        except OSError:  # the socket of a window that was killed
            connection.close()
    raise ConnectionError("No window is open: start spokelab, then show again")


def _scan(array: NDArray[Any], trajectory: ArrayLike, matrix: Sequence[int] | None,
          shots: int | Sequence[int] | None) -> tuple[list[tuple[str, NDArray[Any]]], dict[str, Any]]:
    points = np.asarray(trajectory, np.float64)
    if points.ndim not in (2, 3) or points.shape[-1] not in (2, 3):
        raise ValueError(f"trajectory has the shape {points.shape}; (sample, dim) or (shot, sample, dim) is wanted")
    if points.ndim == 3 and shots is None:
        shots = points.shape[0]
    dims = points.shape[-1]
    points = points.reshape(-1, dims)
    count = len(points)
    if array.size == 0 or array.size % count:
        raise ValueError(f"array has {array.size} values, trajectory {count} points")
    values = np.ascontiguousarray(array.reshape(-1, count), np.complex64)
    if isinstance(shots, (int, np.integer)) or shots is None:
        number = int(shots or 1)
        if number < 1 or count % number:
            raise ValueError(f"{count} samples are not {number} shots of one length")
        lengths = [count // number] * number
    else:
        lengths = [int(n) for n in shots]
    if matrix is None:
        matrix = [max(1, 2 * math.ceil(float(side))) for side in np.abs(points).max(axis=0)]
    header = {"matrix": [int(n) for n in matrix][::-1], "shots": lengths}
    return [("values", values), ("points", np.ascontiguousarray(points[:, ::-1]))], header


def show(array: ArrayLike, trajectory: ArrayLike | None = None, name: str = "Python", *,
         matrix: Sequence[int] | None = None, fov: Sequence[float] | None = None,
         shots: int | Sequence[int] | None = None, window: str | os.PathLike[str] | None = None,
         timeout: float = 60) -> dict[str, Any]:
    """Shows an image, a series or a scan in the open window, over a local socket of the user.

    Parameters
    ----------
    array : an image (y, x), (z, y, x) or (frame, z, y, x), or, with a trajectory, samples
        (coil, sample), (coil, shot, sample) or (sample,).
    trajectory : (sample, dim) or (shot, sample, dim), cycles per field of view, column d for axis d of the image.
    name : of the result or scan.
    matrix : (y, x) or (z, y, x) of a scan; None: the smallest even one that holds the trajectory.
    fov : mm, one for each axis; None: pixels of 1 mm.
    shots : a number, or the samples of each shot; None: the trajectory's first axis, else one.
    window : its socket; None: the window that was opened last.
    timeout : seconds without an answer.

    Returns
    -------
    ``result`` (its number in the list of results; 0: none), ``region`` (the current one that is measured: ``kind``,
    ``low`` and ``high`` (z, y, x), or None), ``regions`` (all of them, with ``name``) and ``parameters`` (those that
    differ from their defaults).

    >>> spokelab.show(np.ones((64, 64)), name="ones")["result"]  # doctest: +SKIP
    1
    """
    given = np.asarray(array)
    if trajectory is None:
        if given.ndim not in (2, 3, 4):
            raise ValueError(f"array has {given.ndim} axes; an image has 2 to 4: (y, x) to (frame, z, y, x)")
        arrays = [("image", np.ascontiguousarray(given, np.complex64))]
        header: dict[str, Any] = {}
    else:
        arrays, header = _scan(given, trajectory, matrix, shots)
    if fov is not None:
        header["fov"] = [float(f) for f in fov][::-1]
    header.update(format="spokelab-show-1", name=str(name),
                  arrays=[{"name": of, "dtype": values.dtype.name, "shape": list(values.shape)} for of, values in arrays])
    text = json.dumps(header).encode()
    with _connect(window, timeout) as connection:
        answer = b""
        try:
            connection.sendall(b"SPOKESHW" + struct.pack("<I", len(text)) + text)
            for _, values in arrays:
                connection.sendall(values.data.cast("B"))
        except BrokenPipeError:
            pass  # it was refused: the answer says why
        while not answer.endswith(b"\n"):
            part = connection.recv(1 << 16)
            if not part:
                break
            answer += part
    if not answer:
        raise ConnectionError("The window has ended the connection without an answer")
    said: dict[str, Any] = json.loads(answer)
    if "error" in said:
        raise ValueError(said["error"])
    return said
