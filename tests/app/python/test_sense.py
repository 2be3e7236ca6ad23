"""SENSE of arrays against what the samples were made of, and against spokelab.reconstruct."""

import unittest

import numpy as np
import spokelab
from exact import difference, random_complex


def problem(shape=(10, 12), coils=3, count=600, seed=1):
    """Maps, points (cycles/FOV) and an image."""
    rng = np.random.default_rng(seed)
    grids = np.meshgrid(*(np.arange(n) - n // 2 for n in shape), indexing="ij")
    maps = np.stack([(1 + 0.3 * c) * np.exp(0.1j * c * sum(grids)) for c in range(coils)]).astype(np.complex64)
    points = rng.uniform(-0.5, 0.5, (count, len(shape))) * np.array(shape)
    return maps, points, random_complex(shape, np.complex128, seed)


class Sense(unittest.TestCase):
    def test_the_image_comes_back(self):
        for shape, dtype in [((10, 12), np.complex128), ((10, 12), np.complex64), ((6, 5, 8), np.complex128)]:
            with self.subTest(shape=shape, dtype=dtype):
                maps, points, image = problem(shape)
                accuracy = 1e-8 if dtype == np.complex128 else 1e-5
                plan = spokelab.Nufft(shape, points, batch=3, dtype=np.complex128, accuracy=1e-9, units="cycles/fov")
                samples = plan.forward(maps * image).astype(dtype)
                sense = spokelab.Sense(maps, points, dtype=dtype, accuracy=accuracy, iterations=80, lambda_=0)
                found = sense.solve(samples)
                self.assertEqual((found.dtype, found.shape), (dtype, shape))
                self.assertLess(difference(found, image), 1e-5 if dtype == np.complex128 else 1e-3)
                self.assertTrue(0 < len(sense.residuals) <= 80 and len(sense.text) > 10)
                out = np.empty(shape, dtype)
                self.assertIs(sense.solve(samples, out, iterations=2), out)
                self.assertEqual(len(sense.residuals), 2)

    def test_progress_reads_the_solution_before(self):
        maps, points, image = problem()
        plan = spokelab.Nufft(image.shape, points, batch=3, dtype=np.complex128, units="cycles/fov")
        samples = plan.forward(maps * image)
        sense = spokelab.Sense(maps, points, dtype=np.complex128, lambda_=0)
        sense.solve(samples, iterations=3)
        before, told = (sense.residuals, sense.text), []
        self.assertEqual(len(before[0]), 3)
        sense.solve(samples, iterations=2, progress=lambda *_: told.append((sense.residuals, sense.text)))
        self.assertTrue(told and all(news == before for news in told))
        self.assertEqual(len(sense.residuals), 2)

    def test_field_and_phases(self):
        maps, points, image = problem()
        rng = np.random.default_rng(2)
        times, field = np.linspace(0, 2e-3, len(points)), rng.uniform(-300, 300, image.shape)
        gdft = spokelab.Gdft(image.shape, points, times, field, dtype=np.complex128)
        samples = np.stack([gdft.forward(m * image) for m in maps])
        sense = spokelab.Sense(maps, points, times=times, field=field, dtype=np.complex128, transform="gdft",
                               iterations=80, lambda_=0)
        self.assertLess(difference(sense.solve(samples), image), 1e-5)

        offsets, phases = [0, 250, len(points)], rng.uniform(-3, 3, (2, *image.shape))
        samples = np.concatenate([
            np.stack([spokelab.Nufft(image.shape, points[a:b], dtype=np.complex128, accuracy=1e-9,
                                     units="cycles/fov").forward(m * image * np.exp(1j * phase)) for m in maps])
            for a, b, phase in zip(offsets, offsets[1:], phases)], axis=1)
        sense = spokelab.Sense(maps, points, phases=phases, shot_offsets=offsets, dtype=np.complex128,
                               accuracy=1e-8, transform="nufft", iterations=80, lambda_=0)
        self.assertLess(difference(sense.solve(samples), image), 1e-5)

    def test_refusals(self):
        maps, points, image = problem()
        samples = np.zeros((3, len(points)), np.complex64)
        sense = spokelab.Sense(maps, points, iterations=500)
        for call in (lambda: spokelab.Sense(maps[0], points), lambda: spokelab.Sense(maps, points[:, :1]),
                     lambda: spokelab.Sense(maps, points, weights=np.ones(3)),
                     lambda: spokelab.Sense(maps, points, coil_map_sets=2), lambda: sense.solve(samples[:2]),
                     lambda: spokelab.Sense(maps, points, field=np.zeros(image.shape)),
                     lambda: spokelab.Sense(maps, points, phases=np.zeros((1, 3, 3)))):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaisesRegex(spokelab.Error, "all coil maps are zero"):
            spokelab.Sense(maps * 0, points)
        samples[:] = random_complex(samples.shape, np.complex64)
        with self.assertRaises(spokelab.Cancelled):
            sense.solve(samples, progress=lambda fraction, what: True)
        self.assertTrue(np.isfinite(sense.solve(samples, iterations=2)).all())
