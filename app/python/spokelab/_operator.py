"""The common part of plans: products, adjoint and transpose as operators, an end."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error


class View:
    """A plan's adjoint, transpose or conjugate, with the same calls as the plan."""

    def __init__(self, plan: Operator, swapped: bool, conjugated: bool):
        self._plan, self._swapped, self._conjugated = plan, swapped, conjugated

    def _called(self, swapped: bool, values: Any) -> Any:
        call = self._plan.adjoint if swapped else self._plan.forward
        return np.conj(call(np.conj(values))) if self._conjugated else call(values)

    def forward(self, values: Any) -> Any:
        """The product with the operator."""
        return self._called(self._swapped, values)

    def adjoint(self, values: Any) -> Any:
        """The product with its conjugate transpose."""
        return self._called(not self._swapped, values)

    def __matmul__(self, values: Any) -> Any:
        return self.forward(values)

    @property
    def H(self) -> View | Operator:
        """The conjugate transpose."""
        return _view(self._plan, not self._swapped, self._conjugated)

    @property
    def T(self) -> View | Operator:
        """The transpose."""
        return _view(self._plan, not self._swapped, not self._conjugated)

    def __repr__(self) -> str:
        kind = {(True, False): "adjoint", (True, True): "transpose"}.get((self._swapped, self._conjugated), "conjugate")
        return f"<{kind} of {self._plan!r}>"


def _view(plan: Operator, swapped: bool, conjugated: bool) -> View | Operator:
    return View(plan, swapped, conjugated) if swapped or conjugated else plan


class Operator:
    """``plan @ image`` is ``forward``; ``plan.H`` and ``plan.T`` are operators; ``with`` frees the plan at its end."""

    _core: Any

    def forward(self, *args: Any, **keywords: Any) -> Any:
        raise NotImplementedError

    def adjoint(self, *args: Any, **keywords: Any) -> Any:
        raise NotImplementedError

    def __matmul__(self, values: Any) -> Any:
        return self.forward(values)

    @property
    def H(self) -> Any:
        """The adjoint: ``plan.H @ samples`` is ``plan.adjoint(samples)``."""
        return View(self, True, False)

    @property
    def T(self) -> Any:
        """The transpose, without conjugation."""
        return View(self, True, True)

    def close(self) -> None:
        """Frees the plan's memory; it cannot be used afterwards."""
        self._core = Closed(type(self).__name__)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()


class Closed:
    """In place of a plan's core that was freed: each use says so."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, call: str) -> Any:
        if call.startswith("__"):
            raise AttributeError(call)
        raise Error(f"Cannot use this {self._name}: it was closed. Make a new one")
