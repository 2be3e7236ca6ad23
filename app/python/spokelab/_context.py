"""Machines, wisdom and options: what plans, transforms and reconstructions are made with."""

from __future__ import annotations

import functools
import importlib.util
import os
import threading
from typing import Any, NamedTuple

from . import _core

_lock = threading.Lock()
_default: Context | None = None


def _name_cuda_module() -> None:
    """``pip install spokelab[cu13]`` brings the CUDA module in a package beside this one."""
    if "SPOKELAB_CUDA_MODULE" in os.environ:
        return
    package = importlib.util.find_spec("spokelab_cu13")
    if package and package.origin:
        os.environ["SPOKELAB_CUDA_MODULE"] = os.path.join(os.path.dirname(package.origin), "libspokelab_cuda.so")


class Backend(NamedTuple):
    """A kind of machine: ``"cpu"`` or ``"cuda"``, what it is or why it cannot be used."""

    name: str
    text: str
    usable: bool


class Context:
    """The machines that are found, and the file that keeps what tuning has found.

    Parameters
    ----------
    wisdom : file of the tuner's results; ``""``: the user's own, which Spokelab's programs share; None:
        none is kept.

    >>> context = spokelab.Context(wisdom=None)  # nothing is remembered
    >>> context.backends[0].name
    'cpu'
    """

    def __init__(self, wisdom: str | os.PathLike[str] | None = ""):
        self._wisdom = None if wisdom is None else os.fspath(wisdom)
        _name_cuda_module()
        self._core = _core.Context(self._wisdom)

    def __reduce__(self) -> tuple[Any, ...]:
        return Context, (self._wisdom,)

    @property
    def backends(self) -> list[Backend]:
        """All kinds of machine, usable or not."""
        return [Backend(*row) for row in self._core.backends()]


def default_context() -> Context:
    """The context of calls that are given none, made by the first of them, with the user's wisdom."""
    global _default
    with _lock:
        if _default is None:
            _default = Context()
        return _default


def backends() -> list[Backend]:
    """All kinds of machine, usable or not.

    >>> [backend.name for backend in spokelab.backends() if backend.usable][0]
    'cpu'
    """
    return default_context().backends


def option_help() -> dict[str, str]:
    """Names of the options, as the command line has them, and one sentence on each.

    As keywords they have ``_`` for ``-``: ``time_limit=2`` is ``--time-limit 2``.

    >>> "accuracy" in spokelab.option_help()
    True
    """
    return _core.option_help()


@functools.cache
def _of_reconstructions() -> frozenset[str]:
    """Options that a transform alone has no use for, by the option table: they belong to Sense or reconstruct."""
    return frozenset(_core.option_help()).difference(_core.options_of_transforms())


def transform_texts(options: dict[str, Any]) -> dict[str, str]:
    """``option_texts`` of a transform. Raises Error for options that would mean nothing there."""
    texts = option_texts(options)
    idle = [name for name in texts if name in _of_reconstructions()]
    if idle:
        raise _core.Error(f"Cannot use the option {idle[0]}: a transform alone has no use for it. Give it to Sense or "
                          "reconstruct")
    return texts


def taken_denoiser(options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The option ``denoiser`` where it is a function, else None; and the options without it."""
    denoiser = options.get("denoiser")
    if not callable(denoiser):
        return None, options
    return denoiser, {name: value for name, value in options.items() if name != "denoiser"}


def core_of(context: Context | None) -> _core.Context:
    return (context or default_context())._core


# Names that other packages have for an option.
_elsewhere = {"eps": "accuracy", "tol": "accuracy", "nthreads": "threads", "n-threads": "threads", "upsampfac": "alpha",
              "oversamp": "alpha", "isign": "sign", "n-coils": "batch", "n-trans": "batch", "max-iter": "iterations",
              "lamda": "lambda"}


def option_texts(options: dict[str, Any]) -> dict[str, str]:
    """Keywords as the option table's names and texts; those that are None are left out.

    A trailing ``_`` is for names that are words of Python: ``lambda_``.
    """
    texts = {}
    for name in options:
        ours = _elsewhere.get(name.rstrip("_").replace("_", "-"))
        if ours:
            raise _core.Error(f"Cannot use the option {name}: here its name is {ours}")
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, bool):
            value = "true" if value else "false"
        texts[name.rstrip("_").replace("_", "-")] = str(value)
    return texts
