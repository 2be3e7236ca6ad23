"""Density weights from Python: gridding with them gives the image back; bad input is refused."""

import unittest

import numpy as np
import spokelab


def spokes(shape, count=160, readout=128):
    """Diameters that reach the edges of an ellipse, cycles per field of view, columns by axes, and their offsets."""
    angles = np.pi * np.arange(count) / count
    radii = np.arange(readout) / readout - 0.5
    points = radii[None, :, None] * np.stack([np.cos(angles), np.sin(angles)], -1)[:, None, :]
    return points.reshape(-1, 2) * np.array(shape), np.arange(count + 1) * readout


class Density(unittest.TestCase):
    def test_gridding_gives_the_image_back(self):
        shape = (48, 32)
        y, x = np.meshgrid(*[np.linspace(-1, 1, n) for n in shape], indexing="ij")
        image = np.exp(-12 * (x - 0.2) ** 2 - 12 * (y + 0.1) ** 2).astype(complex)  # smooth: the corners do not matter
        points, offsets = spokes(shape)
        plan = spokelab.Nufft(shape, points, units="cycles/fov", dtype=np.complex128, accuracy=1e-6)
        for density in ("pipe-menon", "voronoi"):
            with self.subTest(density):
                weights = spokelab.density_weights(points, shape, shot_offsets=offsets, density=density)
                gridded = plan.adjoint(weights * plan.forward(image)) / np.prod(shape)
                self.assertLess(np.linalg.norm(gridded - image) / np.linalg.norm(image), 0.02)

    def test_units_and_offsets(self):
        shape = (32, 32)
        points, offsets = spokes(shape)
        analytic = spokelab.density_weights(points, shape, shot_offsets=offsets)
        self.assertLess(abs(analytic.sum() / (np.pi * 16**2) - 1), 0.02)
        radians = spokelab.density_weights(points / 32 * 2 * np.pi, shape, units="radians", shot_offsets=offsets)
        np.testing.assert_allclose(radians, analytic, rtol=1e-12)
        self.assertTrue((spokelab.density_weights(points, shape, density="none") == 1).all())

    def test_what_is_refused(self):
        points, offsets = spokes((32, 32))
        with self.assertRaisesRegex(ValueError, "shot_offsets end at"):
            spokelab.density_weights(points, (32, 32), shot_offsets=[0, 5])
        with self.assertRaisesRegex(ValueError, "2 or 3"):
            spokelab.density_weights(points[:, :1], (32,))
        with self.assertRaises(ValueError):
            spokelab.density_weights(points, (32, 32, 32))
        with self.assertRaisesRegex(spokelab.Error, "straight lines"):
            spokelab.density_weights(np.random.default_rng(1).uniform(-16, 16, (99, 2)), (32, 32), density="analytic")
        with self.assertRaises(spokelab.Cancelled):
            spokelab.density_weights(points, (32, 32), density="pipe-menon", progress=lambda *_: True)


if __name__ == "__main__":
    unittest.main()
