"""FINUFFT's calls of types 1, 2 and 3: its conventions against direct sums, its errors, and its own tests."""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import spokelab
from spokelab import finufft
from exact import axes, difference, random_complex

TYPE1 = {1: spokelab.nufft1d1, 2: spokelab.nufft2d1, 3: spokelab.nufft3d1}
TYPE3 = {1: spokelab.nufft1d3, 2: spokelab.nufft2d3, 3: spokelab.nufft3d3}
TYPE2 = {1: spokelab.nufft1d2, 2: spokelab.nufft2d2, 3: spokelab.nufft3d2}
COMPLEX = {np.float32: np.complex64, np.float64: np.complex128}


def sums(points, shape, isign):
    """exp(isign i k . x), [M, modes]; points [dims, M] in radians."""
    return np.exp(1j * isign * (points.T.astype(float) @ axes(shape).reshape(len(shape), -1)))


class Calls(unittest.TestCase):
    def test_signs_axes_and_scale(self):
        for real, shape, lead, isign in itertools.product(COMPLEX, [(9,), (8, 5), (4, 7, 6)], [(), (1,), (3,)],
                                                          (None, 1, -1)):
            with self.subTest(real=real, shape=shape, lead=lead, isign=isign):
                dims, dtype = len(shape), COMPLEX[real]
                points = np.random.default_rng(dims).uniform(-np.pi, np.pi, (dims, 60)).astype(real)
                c, f = random_complex(lead + (60,), dtype, 1), random_complex(lead + shape, dtype, 2)
                keywords = {} if isign is None else {"isign": isign}
                found = TYPE1[dims](*points, c, shape, eps=1e-5, **keywords)
                expected = c.astype(complex) @ sums(points, shape, isign or 1)
                self.assertEqual((found.shape, found.dtype), (lead + shape, dtype))
                self.assertLess(difference(found, expected), 2e-5)
                found = TYPE2[dims](*points, f, eps=1e-5, **keywords)
                expected = f.reshape(lead + (-1,)).astype(complex) @ sums(points, shape, isign or -1).T
                self.assertEqual((found.shape, found.dtype), (lead + (60,), dtype))
                self.assertLess(difference(found, expected), 2e-5)

    def test_type_3(self):
        for real, dims, lead, isign in itertools.product(COMPLEX, (1, 2, 3), [(), (1,), (3,)], (None, 1, -1)):
            with self.subTest(real=real, dims=dims, lead=lead, isign=isign):
                dtype, rng = COMPLEX[real], np.random.default_rng(dims)
                x = rng.uniform(-3, 5, (dims, 60)).astype(real)
                s = rng.uniform(10, 16, (dims, 40)).astype(real)
                c = random_complex(lead + (60,), dtype, 1)
                keywords = {} if isign is None else {"isign": isign}
                expected = c.astype(complex) @ np.exp(1j * (isign or 1) * (x.T.astype(float) @ s.astype(float)))
                found = TYPE3[dims](*x, c, *s, eps=1e-5, **keywords)
                self.assertEqual((found.shape, found.dtype), (lead + (40,), dtype))
                self.assertLess(difference(found, expected), 2e-5)
                plan = finufft.Plan(3, dims, lead[0] if lead else 1, 1e-5, isign, dtype)
                plan.setpts(*x, *(None,) * (3 - dims), *s)
                self.assertLess(difference(plan.execute(c), expected), 2e-5)
                f = random_complex(lead + (40,), dtype, 2)
                back = f.astype(complex) @ np.exp(-1j * (isign or 1) * (s.T.astype(float) @ x.astype(float)))
                self.assertLess(difference(plan.execute_adjoint(f), back), 2e-5)
                own = spokelab.Type3(x.T, s.T, batch=lead[0] if lead else None, dtype=dtype, accuracy=1e-5,
                                     sign=isign or 1, units="radians")
                self.assertLess(difference(own.forward(c), expected), 2e-5)
                self.assertLess(difference(own.adjoint(f), back), 2e-5)
                self.assertLessEqual(own.error, 1e-5)
        tuned = spokelab.Type3(x.T, s.T, dtype=np.complex128, accuracy=1e-8, sign=-1, units="radians", tune=True,
                               trials=1, context=spokelab.Context(None))
        c = random_complex((60,), np.complex128, 3)
        self.assertLess(difference(tuned.forward(c), c @ np.exp(-1j * (x.T.astype(float) @ s.astype(float)).reshape(
            60, 40))), 1e-7)
        self.assertIn("Tuned for forward", tuned.text)

    def test_type_3_refuses(self):
        x = np.ones(3)
        for text, call in [("s must be a vector", lambda: spokelab.nufft1d3(x, x, np.ones((2, 2)))),
                           ("t must have same length as s", lambda: spokelab.nufft2d3(x, x, x, x, np.ones(4))),
                           ("c.shape must be", lambda: spokelab.nufft1d3(x, np.ones(4), x)),
                           ("not available", lambda: spokelab.nufft1d3(x, x, x, backend="no-such")),
                           ("not finite", lambda: spokelab.nufft1d3(x * np.nan, x, x)),
                           ("need a grid of", lambda: spokelab.nufft1d3([0, 1e9], [1, 1], [0, 1e9]))]:
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, text):
                call()
        with self.assertRaises(ValueError):
            spokelab.Type3(np.ones((3, 2)), np.ones((3, 3)))
        with self.assertRaises(ValueError):
            spokelab.Type3(np.ones((3, 4)), np.ones((3, 4)))
        with self.assertRaises(ValueError):
            spokelab.Type3(x, x, units="turns")

    def test_points_beyond_pi_are_folded(self):
        x = np.random.default_rng(0).uniform(-3 * np.pi, 3 * np.pi, 50)
        c = random_complex((50,))
        found = spokelab.nufft1d1(x, c, 12, eps=1e-9)
        self.assertLess(difference(found, c @ sums(x[np.newaxis], (12,), 1)), 2e-9)

    def test_output_arrays(self):
        x, y = np.random.default_rng(0).uniform(-np.pi, np.pi, (2, 50))
        c = random_complex((2, 50))
        out = np.empty((2, 6, 8), complex)
        self.assertIs(spokelab.nufft2d1(x, y, c, out=out), out)
        np.testing.assert_array_equal(out, spokelab.nufft2d1(x, y, c, (6, 8)))
        values = np.empty((2, 50), complex)
        self.assertIs(spokelab.nufft2d2(x, y, out, out=values), values)
        self.assertEqual(spokelab.nufft2d1(x, y, c[0], 5).shape, (5, 5))
        self.assertEqual(spokelab.nufft1d1(x[:0], c[0, :0], 5).tolist(), [0] * 5)  # no points: exact zeros

    def test_accuracies_beyond_single_precision(self):
        x = np.random.default_rng(0).uniform(-np.pi, np.pi, 3000).astype(np.float32)
        c = random_complex((3000,), np.complex64)
        with self.assertRaises(spokelab.Error):
            spokelab.Nufft(400, accuracy=1e-7)
        found = spokelab.nufft1d1(x, c, 400, eps=1e-7)
        self.assertEqual(found.dtype, np.complex64)
        self.assertLess(difference(found, c.astype(complex) @ sums(x[np.newaxis], (400,), 1)), 2e-7)
        with self.assertRaises(spokelab.Error):
            spokelab.nufft1d1(x.astype(float), c, 400, eps=1e-30)

    def test_errors(self):
        zeros, cases = np.zeros, []
        c1, n1 = spokelab.nufft1d1, np.complex128
        cases.append(("x dtype should be", lambda: c1(zeros(1, "int64"), zeros(1), (4,))))
        cases.append(("n_modes must be", lambda: c1(zeros(1), zeros(1), "")))
        cases.append(("n_modes dimension does not match", lambda: c1(zeros(1), zeros(1), (2, 2))))
        cases.append(("elements of input n_modes must", lambda: c1(zeros(1), zeros(1), (2.5,))))
        cases.append(("must supply n_modes", lambda: c1(zeros(1), zeros(1))))
        cases.append(("c.size must be divisible by x.size", lambda: c1(zeros(2), zeros(3, n1), 4)))
        cases.append(("c.shape must be", lambda: c1(zeros(2), zeros((2, 3, 2), n1), 4)))
        cases.append(("x must be a vector", lambda: c1(zeros((2, 2)), zeros(4, n1), 4)))
        cases.append(("y must have same length", lambda: spokelab.nufft2d1(zeros(2), zeros(3), zeros(2), 4)))
        cases.append(("must be either dim", lambda: spokelab.nufft1d2(zeros(1), zeros((2, 2, 2), n1))))
        cases.append(("input n_modes and output n_modes", lambda: c1(zeros(1), zeros(1, n1), 4, out=zeros(3, n1))))
        cases.append(("input n_trans and output n_trans",
                      lambda: c1(zeros(1), zeros((3, 1), n1), 4, out=zeros((2, 4), n1))))
        for text, call in cases:
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, text):
                call()


class Plans(unittest.TestCase):
    def test_both_types_and_their_adjoints(self):
        for dtype, shape, n_trans, isign, order in itertools.product(
                ("complex64", "complex128"), [(9,), (8, 5), (4, 7, 6)], (1, 3), (None, 1, -1), (0, 1)):
            with self.subTest(dtype=dtype, shape=shape, n_trans=n_trans, isign=isign, order=order):
                points = np.random.default_rng(7).uniform(-np.pi, np.pi, (len(shape), 40))
                points = points.astype("float32" if dtype == "complex64" else "float64")
                c, f = random_complex((n_trans, 40), dtype, 1), random_complex((n_trans, *shape), dtype, 2)
                mode_axes = tuple(range(1, len(shape) + 1))
                stored = np.fft.ifftshift(f, mode_axes) if order else f
                for kind in (1, 2):
                    plan = finufft.Plan(kind, shape, n_trans, 1e-5, isign, dtype, modeord=order)
                    plan.setpts(*points)
                    self.assertEqual((plan.type, plan.n_modes, plan.dim, plan.n_trans, plan.dtype),
                                     (kind, shape, len(shape), n_trans, np.dtype(dtype)))
                    a = sums(points, shape, isign or (1 if kind == 1 else -1))  # [M, modes]
                    to_modes = c.astype(complex) @ (a if kind == 1 else a.conj())
                    to_values = f.reshape(n_trans, -1).astype(complex) @ (a.conj() if kind == 1 else a).T
                    modes = plan.execute(c) if kind == 1 else plan.execute_adjoint(c)
                    out = np.empty((n_trans, 40), dtype)
                    values = plan.execute(stored, out) if kind == 2 else plan.execute_adjoint(stored, out)
                    self.assertIs(values, out)
                    if order:
                        modes = np.fft.fftshift(modes, mode_axes)
                    self.assertLess(difference(modes, to_modes), 2e-5)
                    self.assertLess(difference(values, to_values), 2e-5)
                    if n_trans == 1:
                        self.assertEqual((plan.execute(c[0]) if kind == 1 else plan.execute_adjoint(c[0])).shape, shape)

    def test_what_it_refuses(self):
        for text, call in [("type 3", lambda: finufft.Plan(3, (2, 2))), ("no points", lambda: finufft.Plan(3, 2).execute([1j])),
                           ("type invalid", lambda: finufft.Plan(4, (8,))),
                           ("single or double", lambda: finufft.Plan(1, (8, 8), dtype="float32")),
                           ("n_modes dimension must be", lambda: finufft.Plan(2, (1, 2, 3, 4)))]:
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, text):
                call()
        plan = finufft.Plan(1, (8,), n_trans=2)
        plan.setpts(np.zeros(3))
        for shape in ((3,), (3, 3), (2, 4), (2, 1, 3)):
            with self.assertRaisesRegex(RuntimeError, "data has shape"):
                plan.execute(np.ones(shape, complex))
        with self.assertRaises(ValueError):
            plan.execute(np.ones((2, 3), complex), out=np.empty((2, 9), complex))


class Theirs(unittest.TestCase):
    def test_their_tests_of_all_types(self):
        theirs = os.environ.get("SPOKELAB_FINUFFT_TESTS")
        if not theirs:
            self.skipTest("SPOKELAB_FINUFFT_TESTS does not name FINUFFT's python/finufft/test")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "finufft.py").write_text("from spokelab.finufft import *\n")
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
            run = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k",
                 "finufft1 or finufft2 or finufft3 or simple_errors or properties", "test_finufft_simple.py",
                 "test_finufft_plan.py"],
                cwd=theirs, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(run.stdout[-400:])
        self.assertEqual(run.returncode, 0, run.stdout[-8000:])
        self.assertRegex(run.stdout, r"\d{3} passed")
