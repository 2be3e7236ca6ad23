"""Libraries of arrays beside NumPy, by what the array API and DLPack have in common."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from . import _core


def is_foreign(array: Any) -> bool:
    """True if DLPack can pass another library's array."""
    return not isinstance(array, (np.ndarray, np.generic)) and hasattr(array, "__dlpack_device__")


def library_of(array: Any) -> Any:
    """The namespace of the array's library: the array API's, else its package; None without one."""
    namespace = getattr(array, "__array_namespace__", None)
    return namespace() if namespace is not None else sys.modules.get(type(array).__module__.partition(".")[0])


def empty_like(array: Any, shape: tuple[int, ...]) -> Any:
    """A new array of the same library, dtype and device."""
    if hasattr(array, "new_empty"):  # PyTorch
        return array.new_empty(shape)
    empty = getattr(library_of(array), "empty", None)
    if empty is None:
        raise TypeError(f"give out: no array of {type(array)} can be made here")
    if hasattr(array, "__array_namespace__"):
        try:
            return empty(shape, dtype=array.dtype, device=array.device)
        except TypeError:  # CuPy takes no device
            pass
    return empty(shape, dtype=array.dtype)


def host_view(array: Any) -> Any:
    """An array of another library in host memory as NumPy's, over the same memory; anything else as it is."""
    return _core.host_view(array.__dlpack__()) if is_foreign(array) else array


def returned(array: np.ndarray[Any, Any], given: Any) -> Any:
    """The array as one of the library of `given`, over the same memory, where that takes it."""
    from_dlpack = getattr(library_of(given), "from_dlpack", None) if is_foreign(given) else None
    return array if from_dlpack is None else from_dlpack(array)
