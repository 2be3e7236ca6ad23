"""Gdft, scans and reconstruction: exact sums, axes, views that keep their owner, progress, errors."""

import gc
import json
import pathlib
import tempfile
import unittest

import numpy as np
import spokelab
from exact import axes, difference, matrix, random_complex, random_points


class Transforms(unittest.TestCase):
    def test_gdft_is_the_exact_sum(self):
        shape, count = (6, 9), 80
        rng = np.random.default_rng(3)
        points = random_points(count, 2) * shape  # cycles/FOV
        times = np.linspace(0, 0.01, count)
        field, decay = rng.uniform(-300, 300, shape), rng.uniform(0, 50, shape)
        gradient = rng.uniform(-20, 20, (2, *shape))
        terms = matrix(points / shape, shape)
        terms = terms * np.exp(-times[:, np.newaxis] * (1j * field.ravel() + decay.ravel()))
        sinc = np.sinc((points / shape)[:, :, np.newaxis] + gradient.reshape(2, -1) * times[:, np.newaxis, np.newaxis])
        for slopes, exact in ((None, terms), (gradient, terms * sinc.prod(1))):
            for dtype, tolerance in ((np.complex64, 1e-4), (np.complex128, 1e-11)):
                transform = spokelab.Gdft(shape, points, times, field, decay, slopes, dtype=dtype)
                image, samples = random_complex(shape, dtype, 1), random_complex((count,), dtype, 2)
                out = np.empty(count, dtype)
                self.assertIs(transform.forward(image, out), out)
                self.assertLess(difference(out, exact @ image.ravel()), tolerance)
                self.assertLess(difference(transform.adjoint(samples), exact.conj().T @ samples), tolerance)

    def test_gdft_of_given_coordinates_is_the_exact_sum(self):
        shape, count, pixels = (6, 9), 80, 33
        rng = np.random.default_rng(4)
        points, places = random_points(count, 2) * shape, rng.uniform(-0.5, 0.5, (pixels, 2))
        times, field = np.linspace(0, 0.01, count), rng.uniform(-300, 300, pixels)
        gradient = rng.uniform(-20, 20, (2, pixels))
        terms = np.exp(-2j * np.pi * points @ places.T - 1j * times[:, np.newaxis] * field)
        sinc = np.sinc((points / shape)[:, :, np.newaxis] + gradient * times[:, np.newaxis, np.newaxis])
        image, samples = random_complex((pixels,), seed=1), random_complex((count,), seed=2)
        for slopes, exact in ((None, terms), (gradient, terms * sinc.prod(1))):
            transform = spokelab.Gdft(shape, points, times, field, gradient=slopes, coordinates=places,
                                      dtype=np.complex128)
            self.assertLess(difference(transform.forward(image), exact @ image), 1e-11)
            self.assertLess(difference(transform.adjoint(samples), exact.conj().T @ samples), 1e-11)
        with self.assertRaisesRegex(ValueError, "coordinates have shape"):
            spokelab.Gdft(shape, points, coordinates=np.zeros((pixels, 3)))

    def test_what_does_not_fit_is_refused(self):
        points = random_points(10, 2)
        with self.assertRaisesRegex(ValueError, "times has shape"):
            spokelab.Gdft((4, 4), points, times=np.zeros(9))
        with self.assertRaisesRegex(ValueError, "field has shape"):
            spokelab.Gdft((4, 4), points, field=np.zeros((4, 5)))
        with self.assertRaisesRegex(ValueError, "gradient has shape"):
            spokelab.Gdft((4, 4), points, gradient=np.zeros((4, 4)))
        with self.assertRaisesRegex(ValueError, "points have shape"):
            spokelab.Gdft((4, 4), np.zeros((10, 3)))


class Scans(unittest.TestCase):
    def test_scans_from_arrays_are_reconstructed_as_they_lie(self):
        shape, spokes, readout = (48, 40), 80, 96  # unequal: exchanged axes would show
        angles = np.pi * np.arange(spokes) / spokes
        radius = np.linspace(-0.5, 0.5, readout, endpoint=False)
        points = (np.stack([np.sin(angles), np.cos(angles)], 1)[:, np.newaxis] * radius[:, np.newaxis]).reshape(-1, 2)
        y, x = axes(shape)
        truth = ((np.abs(y - 6) < 9) & (np.abs(x + 4) < 6)).astype(complex)
        values = matrix(points, shape) @ truth.ravel()
        scan = spokelab.Scan.from_arrays(shape, points * shape, values, shots=spokes, fov=(240, 200))
        self.assertEqual((scan.dims, scan.shape, scan.fov), (2, shape, (240.0, 200.0)))
        self.assertEqual((scan.coils, scan.slices, scan.frames), (1, 1, 1))
        np.testing.assert_allclose(scan.points(), points * shape, atol=1e-12)
        np.testing.assert_allclose(scan.values(), values, rtol=1e-5, atol=1e-3)
        image = spokelab.reconstruct(scan, accuracy=1e-3)
        self.assertEqual(image.values.shape, (1, 1, *shape))
        found = np.abs(image.values[0, 0])
        scale = np.vdot(found, truth.real) / np.vdot(found, found)
        self.assertLess(difference(scale * found, truth.real), 0.35)  # edges ring
        exchanged = np.abs(np.vdot(found, np.roll(truth[::-1, ::-1], 1, (0, 1)).real)) / np.vdot(found, truth).real
        self.assertLess(exchanged, 0.5)

    def test_built_in_and_simulated_scans(self):
        demo = spokelab.read_scan("demo")
        self.assertEqual((demo.dims, demo.frames), (3, 1))
        scan, truth = spokelab.simulate(truth=True, pattern="spiral", matrix="32x24", coils=3)
        self.assertEqual((scan.shape, scan.coils), ((24, 32), 3))
        self.assertEqual(truth.values.shape, (1, 1, 24, 32))
        found = np.abs(spokelab.reconstruct(scan, method="sense", iterations=20).values)
        expected = np.abs(truth.values)
        scale = np.vdot(found, expected) / np.vdot(found, found)
        self.assertLess(difference(scale * found, expected), 0.2)
        again = spokelab.simulate(pattern="spiral", matrix="32x24", coils=3)
        np.testing.assert_array_equal(again.values(coil=2), scan.values(coil=2))
        with self.assertRaisesRegex(spokelab.Error, "turns"):
            spokelab.simulate(turns=4)
        with self.assertRaises(spokelab.Cancelled):
            spokelab.simulate(progress=lambda fraction, what: True, matrix=64)

    def test_views_keep_what_they_look_at(self):
        scan = spokelab.read_scan("demo")
        points, values = scan.points(), scan.values(coil=2)
        copies = points.copy(), values.copy()
        image = spokelab.reconstruct(scan, accuracy=1e-2)
        pixels = image.values
        kept = pixels.copy()
        info, fov = image.info, image.fov
        self.assertEqual(pixels.shape[1:], scan.shape)
        self.assertEqual(len(fov), 3)
        self.assertTrue(info and scan.info)
        del scan, image
        gc.collect()
        junk = [np.ones_like(kept) for _ in range(4)]  # would fill what was given back
        np.testing.assert_array_equal(points, copies[0])
        np.testing.assert_array_equal(values, copies[1])
        np.testing.assert_array_equal(pixels, kept)
        self.assertFalse(points.flags.writeable or values.flags.writeable or pixels.flags.writeable)
        self.assertEqual(len(junk), 4)

    def test_maps_and_fields_from_arrays(self):
        shape, shots, readout = (24, 20), 60, 48
        angles = np.pi * np.arange(shots) / shots
        radius = np.linspace(-0.5, 0.5, readout, endpoint=False)
        points = (np.stack([np.sin(angles), np.cos(angles)], 1)[:, np.newaxis] * radius[:, np.newaxis]).reshape(-1, 2)
        y, x = axes(shape)
        truth = (np.hypot(y - 1, x + 2) < 7).astype(complex)
        maps = np.stack([np.exp(-((y - a) ** 2 + (x - b) ** 2) / 300 + 0.05j * y) for a, b in ((-9, 0), (8, 8), (6, -8))])
        field = 300.0 + 20 * y  # rad/s, turns and shears the image
        times = np.tile(np.linspace(0.001, 0.006, readout), shots)
        phases = np.exp(-1j * times[:, np.newaxis] * field.ravel())
        values = (maps * truth).reshape(3, -1) @ (matrix(points, shape) * phases).T
        scan = spokelab.Scan.from_arrays(shape, points * shape, values, shots=shots, times=times)
        scan.set_array("SENSEMap", maps)
        keep = scan.points()
        errors = []
        for given in (np.zeros(shape), field):
            scan.set_array("FieldMap", given)
            image = spokelab.reconstruct(scan, method="sense", iterations=30, lambda_=1e-5)
            errors.append(difference(image.values[0, 0], truth))
        self.assertLess(errors[1], 0.1)
        self.assertGreater(errors[0], 5 * errors[1])
        np.testing.assert_allclose(keep, points * shape, atol=1e-12)
        with self.assertRaises(ValueError):
            scan.set_array("", maps)

    def test_choices_overrule_the_reader(self):
        with tempfile.TemporaryDirectory() as folder:
            points = random_points(20 * 64, 2).reshape(20, 64, 2) * 64
            np.save(pathlib.Path(folder, "k.npy"), points)
            np.save(pathlib.Path(folder, "s.npy"), random_complex((2, 20, 64), np.complex64))
            file = pathlib.Path(folder, "scan.json")
            file.write_text(json.dumps({
                "spokelab-scan": 1, "samples": {"file": "s.npy", "axes": ["coil", "shot", "sample"]},
                "trajectory": {"file": "k.npy", "axes": ["shot", "sample", "column"], "columns": ["kx", "ky"],
                               "unit": "cycles/FOV"},
                "matrix": [64, 64], "fov_mm": [240, 240, 5]}))
            heard = []
            scan = spokelab.read_scan(file, progress=lambda fraction, what: heard.append(fraction))
            self.assertEqual((scan.shape, scan.coils), ((64, 64), 2))
            np.testing.assert_allclose(scan.points(), points.reshape(-1, 2)[:, ::-1], atol=1e-5)  # file: kx, ky
            self.assertEqual(spokelab.read_scan(file, {"matrix": "48x40"}).shape, (40, 48))
            with self.assertRaisesRegex(spokelab.Error, "no-topic"):
                spokelab.read_scan(file, {"no-topic": "1"})

    def test_images_are_written(self):
        scan = spokelab.read_scan("demo")
        image = spokelab.reconstruct(scan, accuracy=1e-2, precision="double")
        self.assertEqual(image.values.dtype, np.complex128)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "image.npy")
            image.write(file)
            self.assertEqual(np.squeeze(np.load(file)).shape, np.squeeze(image.values).shape)

    def test_methods_are_those_of_the_table(self):
        points = np.random.default_rng(1).uniform(-16, 16, (600, 2))
        scan = spokelab.Scan.from_arrays((32, 32), points, np.exp(-0.1 * (points**2).sum(axis=1)) + 0j)
        image = spokelab.reconstruct(scan, method="wavelet", iterations=3, lambda_=1e-2, backend="cpu")
        self.assertTrue(np.isfinite(image.values).all() and np.abs(image.values).max() > 0)
        with self.assertRaisesRegex(spokelab.Error, "there is one"):
            spokelab.reconstruct(scan, method="grasp", backend="cpu")

    def test_errors_and_cancelling(self):
        with self.assertRaisesRegex(spokelab.Error, "none.h5"):
            spokelab.read_scan("/nowhere/none.h5")
        scan = spokelab.read_scan("demo")
        with self.assertRaises(IndexError):
            scan.points(1)
        with self.assertRaises(IndexError):
            scan.values(coil=6)
        with self.assertRaises(spokelab.Cancelled):
            spokelab.reconstruct(scan, progress=lambda fraction, what: True)
        with self.assertRaises(KeyError):
            spokelab.reconstruct(scan, progress=lambda fraction, what: {}["nothing"])
        with self.assertRaisesRegex(spokelab.Error, "lambda"):
            spokelab.reconstruct(scan, lambda_=-1)
        with self.assertRaisesRegex(ValueError, "shots of one length"):
            spokelab.Scan.from_arrays((4, 4), np.zeros((10, 2)), np.zeros(10, complex), shots=3)
        with self.assertRaises(ValueError):
            spokelab.Scan.from_arrays((4, 4), np.zeros((10, 2)), np.zeros(9, complex))


class Context(unittest.TestCase):
    def test_tables_and_machines(self):
        self.assertEqual(spokelab.__version__.count("."), 2)
        machines = spokelab.backends()
        self.assertEqual((machines[0].name, machines[0].usable), ("cpu", True))
        self.assertTrue(all(machine.text for machine in machines))
        self.assertIn("accuracy", spokelab.option_help())
        missing = [name for name in spokelab.__all__ if not getattr(spokelab, name).__doc__]
        self.assertEqual(missing, [])


class Denoisers(unittest.TestCase):
    def test_a_function_takes_the_place_of_a_file(self):
        scan = spokelab.simulate(pattern="golden-radial", matrix="24x16", coils=3, shots=40, noise=0.1)
        shapes = set()

        def shrink(images, strength):
            shapes.add((images.shape, images.dtype.name))
            length = np.abs(images)
            left = np.maximum(length - strength, 0)
            return images * left / np.maximum(length, 1e-30), left.sum()

        image = spokelab.reconstruct(scan, method="pnp", denoiser=shrink, lambda_=0.05, iterations=30)
        self.assertEqual(shapes, {((1, 16, 24), "complex64")})
        told = image.info["iterations"][0]["objectives"]
        self.assertLess(told[-1], told[0])
        plain = spokelab.reconstruct(scan, method="sense", iterations=30)
        self.assertGreater((image.values == 0).sum(), (plain.values == 0).sum() + 10)

    def test_its_exceptions_are_raised_and_wrong_shapes_refused(self):
        scan = spokelab.simulate(pattern="golden-radial", matrix="16x16", coils=2)

        def fails(images, strength):
            raise KeyError("no model")

        with self.assertRaisesRegex(KeyError, "no model"):
            spokelab.reconstruct(scan, method="pnp", denoiser=fails)
        with self.assertRaisesRegex(ValueError, r"returned the shape \(16, 16\) where \(1, 16, 16\) was asked for"):
            spokelab.reconstruct(scan, method="pnp", denoiser=lambda images, strength: images[0])
        with self.assertRaisesRegex(spokelab.Error, "not finite"):
            spokelab.reconstruct(scan, method="pnp", denoiser=lambda images, strength: images * np.nan)
        with self.assertRaisesRegex(spokelab.Error, "no such file"):
            spokelab.reconstruct(scan, method="pnp", denoiser="/nowhere/denoiser.py")

    def test_sense_takes_one(self):
        points = np.random.default_rng(1).uniform(-8, 8, (700, 2))
        sense = spokelab.Sense(np.ones((1, 16, 16)), points, method="pnp", denoiser=lambda images, strength: 0 * images)
        self.assertFalse(np.any(sense.solve(np.ones((1, 700)))))
        kept = sense.solve(np.ones((1, 700)), denoiser=lambda images, strength: images)
        self.assertTrue(np.any(kept))


class NoiseAndLambda(unittest.TestCase):
    def test_the_image_is_snr_times_noise(self):
        scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=3, noise=0.1)
        maps = spokelab.noise_maps(scan, replicas=20, method="sense", lambda_=1e-3)
        image = np.abs(spokelab.reconstruct(scan, method="sense", lambda_=1e-3).values)
        noise, snr = np.real(maps.noise.values), np.real(maps.snr.values)
        bright = image > image.max() / 4
        # Coil maps of the replicas are estimated from all of them: the image is that of the scan to a few per cent.
        self.assertLess(difference(snr[bright] * noise[bright], image[bright]), 0.1)

    def test_a_range_has_the_image_of_each_lambda(self):
        scan = spokelab.simulate(pattern="radial", matrix="16x16", coils=3, noise=0.1)
        found = spokelab.lambda_range(scan, 1e-3, 1, values=9)
        self.assertEqual(len(found.info["points"]), 9)
        one = spokelab.reconstruct(scan, method="sense", lambda_=0.1, iterations=60, tolerance=1e-6)
        self.assertLess(difference(found.image(0.1).values, one.values), 1e-2)
        with self.assertRaises(ValueError):
            found.image(0)
        with self.assertRaises(spokelab.Error):
            spokelab.lambda_range(scan, method="wavelet")
