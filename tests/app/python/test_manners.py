"""Operators, copies, units, images and errors behave as Python's users expect."""

import copy
import gzip
import io
import contextlib
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np
import spokelab
from spokelab import finufft
from exact import difference, matrix, random_complex, random_points


def plans():
    """A plan of each kind and its dense matrix."""
    points, shape = random_points(60, 2), (7, 6)
    dense = matrix(points, shape)
    yield spokelab.Nufft(shape, points, dtype=complex, accuracy=1e-9), dense
    yield spokelab.Gdft(shape, points * shape, dtype=complex), dense
    x, s = random_points(60, 2, 3), random_points(40, 2, 4) * 9
    yield spokelab.Type3(x, s, dtype=complex, accuracy=1e-9), np.exp(-2j * np.pi * (s @ x.T))


def sides(plan):
    return (plan.source_shape, plan.target_shape) if isinstance(plan, spokelab.Type3) else (plan.image_shape,
                                                                                           plan.samples_shape)


class Operators(unittest.TestCase):
    def test_products_are_those_of_the_matrix(self):
        for plan, dense in plans():
            with self.subTest(type(plan).__name__):
                before, after = sides(plan)
                x, y = random_complex(before), random_complex(after, seed=1)
                for operator, expected in [(plan, dense), (plan.H, dense.conj().T), (plan.T, dense.T),
                                           (plan.T.H, dense.conj()), (plan.H.T, dense.conj())]:
                    values = x if operator is plan or expected.shape == dense.shape else y
                    self.assertLess(difference(operator @ values, expected @ values.ravel()), 1e-8)
                    back = y if values is x else x
                    self.assertLess(difference(operator.adjoint(back), expected.conj().T @ back.ravel()), 1e-8)
                self.assertIs(plan.H.H, plan)
                self.assertIs(plan.T.T, plan)

    def test_scipy_takes_all_three(self):
        try:
            import scipy.sparse.linalg  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("scipy is not installed")
        for plan, dense in plans():
            x = random_complex(sides(plan)[0])
            found = spokelab.linear_operator(plan)
            self.assertEqual(found.shape, dense.shape)
            self.assertLess(difference(found.matvec(x.ravel()), dense @ x.ravel()), 1e-8)

    def test_copies_are_plans_of_their_own(self):
        weights = np.linspace(1, 2, 60)
        for plan, dense in plans():
            if isinstance(plan, spokelab.Nufft):
                plan.set_weights(weights)
            before = sides(plan)[0]
            x = random_complex(before)
            expected = plan @ x
            for made in (copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
                np.testing.assert_array_equal(made @ x, expected)
                self.assertEqual(made.dtype, plan.dtype)
                if isinstance(plan, spokelab.Nufft):
                    normal = dense.conj().T @ (weights * (dense @ x.ravel()))
                    self.assertLess(difference(made.normal(x), normal), 1e-8)
        tuned = spokelab.tune((7, 6), random_points(60, 2), time_limit=0.1)
        made = pickle.loads(pickle.dumps(tuned))
        x = random_complex((7, 6), np.complex64)
        self.assertLess(difference(made @ x, tuned @ x), 2e-3)
        sets = spokelab.Nufft((5, 4), [random_points(9, 2), random_points(7, 2)], sets=2)
        x = random_complex((2, 5, 4), np.complex64)
        np.testing.assert_array_equal(copy.copy(sets) @ x, sets @ x)
        with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
            pickle.dumps(spokelab.Sense(np.ones((2, 8, 8)), random_points(40, 2) * 8))

    def test_with_frees_the_plan(self):
        for plan, _ in plans():
            with plan as same:
                same @ random_complex(sides(plan)[0])
            with self.assertRaisesRegex(spokelab.Error, "closed"):
                plan @ random_complex(sides(plan)[0])
            self.assertIn("closed" if not isinstance(plan, spokelab.Gdft) else "Gdft", repr(plan))

    def test_a_plan_without_points_says_so(self):
        plan = spokelab.Nufft((12, 10))
        for call, shape in [("forward", (12, 10)), ("adjoint", (0,)), ("normal", (12, 10))]:
            with self.assertRaisesRegex(spokelab.Error, "no points"):
                getattr(plan, call)(np.ones(shape))
        plan.set_points(np.empty((0, 2)))
        self.assertEqual(plan.forward(np.ones((12, 10))).shape, (0,))


class Units(unittest.TestCase):
    def test_points_in_a_wrong_unit_are_told_of(self):
        k, maps = random_points(100, 2), np.ones((2, 32, 32))
        for text, call in [("radians", lambda: spokelab.Nufft((32, 32), k * 2 * np.pi)),
                           ("cycles/fov", lambda: spokelab.Nufft((32, 32), k * 32)),
                           ("cycles/pixel", lambda: spokelab.Sense(maps, k)),
                           ("cycles/pixel", lambda: spokelab.Gdft((32, 32), k)),
                           ("another unit", lambda: spokelab.Gdft((32, 32), k * 32 * 32))]:
            with self.subTest(text), self.assertWarnsRegex(spokelab.UnitWarning, f"are they in {text}"):
                call()

    def test_right_units_are_silent(self):
        k = random_points(100, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            spokelab.Nufft((32, 32), k)
            spokelab.Nufft((32, 32), k * 1.2)  # a little beyond the edge, folded
            spokelab.Nufft((32, 32), k * 2 * np.pi, units="radians")
            spokelab.Gdft((32, 32), k * 32)
            spokelab.Gdft((32, 32), k[:4])  # a few points may lie at the centre
            finufft.nufft2d1(*(k.T * 6 * np.pi), np.ones(100, complex), 8)


class Images(unittest.TestCase):
    def test_an_image_is_an_array_with_a_place(self):
        options = {"matrix": "16x12", "pattern": "radial", "fov": "200x180"}
        _, image = spokelab.simulate(truth=True, **options)
        np.testing.assert_array_equal(np.asarray(image), image.values)
        self.assertEqual(np.asarray(image, complex).dtype, complex)
        self.assertEqual(np.abs(image).shape, image.values.shape)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "truth.nii.gz")
            image.write(file)
            header = gzip.decompress(file.read_bytes())[:348]
        sform = np.frombuffer(header[280:328], "<f4").reshape(3, 4)
        np.testing.assert_allclose(image.affine[:3], sform, atol=1e-4)
        try:
            import nibabel  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("nibabel is not installed: to_nifti was not tried")
        made = image.to_nifti()
        np.testing.assert_array_equal(np.asarray(made.dataobj)[:, :, 0], image.values[0, 0].T)


class Errors(unittest.TestCase):
    def test_options_have_their_nearest_name(self):
        for name, meant in [("accuraccy", "'accuracy'"), ("thread", "'threads'"), ("eps", "accuracy"),
                            ("nthreads", "threads")]:
            with self.subTest(name), self.assertRaisesRegex(spokelab.Error, meant):
                spokelab.Nufft((8, 8), **{name: 1})

    def test_options_that_mean_nothing_are_refused(self):
        for call in (lambda **o: spokelab.Nufft((8, 8), **o), lambda **o: spokelab.Gdft((8, 8), [[0, 0]], **o),
                     lambda **o: spokelab.tune((8, 8), random_points(20, 2), **o)):
            with self.assertRaisesRegex(spokelab.Error, "lambda: a transform alone has no use"):
                call(lambda_=3)
        spokelab.Sense(np.ones((2, 8, 8)), random_points(40, 2) * 8, lambda_=3)
        idle = spokelab._context._of_reconstructions()  # by the option table
        self.assertLessEqual({"lambda", "iterations", "edge-taper", "solver"}, idle)
        self.assertFalse({"accuracy", "threads", "alpha"} & idle)

    def test_a_backend_that_is_missing_says_why(self):
        cuda = next(b for b in spokelab.backends() if b.name == "cuda")
        if cuda.usable:
            self.skipTest("there is a GPU")
        with self.assertRaises(spokelab.Error) as caught:
            spokelab.Nufft((8, 8), backend="cuda")
        self.assertIn(cuda.text, str(caught.exception))

    def test_what_is_no_operator_or_scan_is_named(self):
        sense = spokelab.Sense(np.ones((2, 8, 8)), random_points(40, 2) * 8)
        for call in (spokelab.linear_operator, spokelab.reconstruct):
            with self.assertRaisesRegex(TypeError, "Sense"):
                call(sense)
        with self.assertRaisesRegex(spokelab.Error, "no-such.h5"):
            spokelab.reconstruct("no-such.h5")
        self.assertEqual(spokelab.reconstruct("demo", accuracy=1e-2).values.shape[1:], (64, 64, 64))
        failed = spokelab.Nufft.__new__(spokelab.Nufft)
        self.assertIn("not made", repr(failed))


class FinufftKeywords(unittest.TestCase):
    def test_modes_from_zero_on(self):
        x, y = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, 50))
        c, f = random_complex((50,)), random_complex((6, 7), seed=2)
        centred = finufft.nufft2d1(x, y, c, (6, 7), eps=1e-9)
        np.testing.assert_array_equal(finufft.nufft2d1(x, y, c, (6, 7), eps=1e-9, modeord=1), np.fft.ifftshift(centred))
        np.testing.assert_array_equal(finufft.nufft2d2(x, y, np.fft.ifftshift(f), eps=1e-9, modeord=1),
                                      finufft.nufft2d2(x, y, f, eps=1e-9))

    def test_keywords_are_mapped_or_told_of(self):
        x, c = np.linspace(-3, 3, 40), random_complex((40,))
        expected = finufft.nufft1d1(x, c, 12, eps=1e-6)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = finufft.nufft1d1(x, c, 12, eps=1e-6, nthreads=1, upsampfac=2.0, fftw=64, spread_sort=2, debug=0)
            self.assertLess(difference(found, expected), 2e-6)
        for keywords, text in [({"spread_sort": 0}, "does nothing"), ({"foo": "bar"}, "is not an option of FINUFFT")]:
            with self.assertWarnsRegex(UserWarning, text):
                np.testing.assert_array_equal(finufft.nufft1d1(x, c, 12, eps=1e-6, **keywords), expected)
            with self.assertWarnsRegex(UserWarning, text):
                finufft.Plan(1, (12,), **keywords)
        with self.assertRaisesRegex(spokelab.Error, "spreading alone"):
            finufft.Plan(1, (12,), spreadinterponly=1)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            finufft.nufft1d1(x, c, 12, upsampfac=2.0, debug=1)
        self.assertIn("cpu", said.getvalue())
        plan = finufft.Plan(1, (12,), upsampfac=1.25, nthreads=1)
        plan.setpts(x)
        self.assertLess(difference(plan.execute(c), expected), 2e-6)
