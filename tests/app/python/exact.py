"""Exact sums in double precision, and random data, that the tests compare with."""

import numpy as np


def axes(shape):
    """Pixel coordinates -floor(N/2) ... of each axis, as a grid [dims, *shape]."""
    return np.stack(np.meshgrid(*[np.arange(n) - n // 2 for n in shape], indexing="ij")).astype(float)


def matrix(points, shape, sign=-1):
    """exp(sign 2 pi i k . n), [points, pixels]; points [M, dims] in cycles per pixel."""
    return np.exp(sign * 2j * np.pi * (np.asarray(points, float) @ axes(shape).reshape(len(shape), -1)))


def random_complex(shape, dtype=np.complex128, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


def random_points(count, dims, seed=1):
    return np.random.default_rng(seed).uniform(-0.5, 0.5, (count, dims))


def difference(found, expected):
    """Relative l2."""
    found, expected = np.ravel(found).astype(complex), np.ravel(expected)
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)
