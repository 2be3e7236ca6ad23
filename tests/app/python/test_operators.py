"""Plans as operators of SciPy, SigPy and mri-nufft; mri-nufft's own tests of a backend."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np
import spokelab
from exact import difference, matrix, random_complex, random_points


def needs(name):
    return unittest.skipIf(importlib.util.find_spec(name) is None, f"{name} is not installed")


@needs("scipy")
class SciPy(unittest.TestCase):
    def test_least_squares_find_the_image(self):
        from scipy.sparse.linalg import lsqr

        for batch in (None, 2):
            points = random_points(400, 2)
            plan = spokelab.Nufft((9, 8), points, batch=batch, dtype=np.complex128, accuracy=1e-10)
            operator = spokelab.linear_operator(plan)
            count = batch or 1
            self.assertEqual((operator.shape, operator.dtype), ((400 * count, 72 * count), np.complex128))
            image = random_complex((count, 72))
            samples = (image @ matrix(points, (9, 8)).T).ravel()
            found = lsqr(operator, samples, atol=1e-12, btol=1e-12)[0]
            self.assertLess(difference(found, image), 1e-8)
            self.assertLess(difference(operator.H @ samples, plan.adjoint(samples.reshape(plan.samples_shape))), 1e-14)


@needs("sigpy")
class SigPy(unittest.TestCase):
    def test_linops_are_the_plan(self):
        points = random_points(400, 2)
        plan = spokelab.Nufft((9, 8), points, batch=2, dtype=np.complex128, accuracy=1e-9)
        operator = spokelab.sigpy_linop(plan)
        self.assertEqual((operator.ishape, operator.oshape), ([2, 9, 8], [2, 400]))
        image, samples = random_complex((2, 9, 8)), random_complex((2, 400), seed=1)
        a = matrix(points, (9, 8))
        self.assertLess(difference(operator * image, image.reshape(2, -1) @ a.T), 2e-9)
        self.assertLess(difference(operator.H * samples, samples @ a.conj()), 2e-9)
        self.assertLess(difference(operator.N * image, operator.H * (operator * image)), 4e-9)
        self.assertLess(difference(operator.H.H * image, operator * image), 1e-14)
        self.assertLess(difference(operator.N.H * image, operator.N * image), 1e-14)

    def test_sigpys_solver_finds_the_image(self):
        import sigpy

        points = random_points(400, 2)
        plan = spokelab.Nufft((9, 8), points, dtype=np.complex128, accuracy=1e-9, normal="toeplitz")
        image = random_complex((9, 8))
        app = sigpy.app.LinearLeastSquares(spokelab.sigpy_linop(plan), plan.forward(image), max_iter=60,
                                           show_pbar=False)
        self.assertLess(difference(app.run(), image), 1e-6)

    def test_values_are_sigpys(self):
        import sigpy

        points, image = random_points(300, 2), random_complex((16, 12))
        theirs = sigpy.nufft(image, points * (16, 12), oversamp=2, width=8)
        scale = np.sqrt(16 * 12)  # theirs is unitary on a grid
        plan = spokelab.Nufft((16, 12), points, dtype=np.complex128, accuracy=1e-6)
        self.assertLess(difference(plan.forward(image) / scale, theirs), 1e-3)


@needs("mrinufft")
class MriNufft(unittest.TestCase):
    def setUp(self):
        import mrinufft
        import spokelab.mri_nufft  # registers

        warnings.filterwarnings("ignore", "Samples will be rescaled")
        self.make = mrinufft.get_operator("spokelab")

    def test_the_backend_is_registered(self):
        import mrinufft

        self.assertIn("spokelab", mrinufft.list_backends(available_only=True))

    def test_values_with_coils_batches_and_density(self):
        points, shape = random_points(200, 2).astype(np.float32), (12, 10)
        a = matrix(points, shape) / np.sqrt(120 * 4)  # their norm_factor
        maps = random_complex((4, *shape), np.complex64)
        density = np.linspace(0.5, 1, 200).astype(np.float32)
        for n_trans in (1, 2, 4):
            operator = self.make(points, shape, n_coils=4, n_batchs=2, n_trans=n_trans, smaps=maps, density=density,
                                 squeeze_dims=False, eps=1e-5)
            image = random_complex((2, 1, *shape), np.complex64, 1)
            samples = random_complex((2, 4, 200), np.complex64, 2)
            expected = (image * maps).reshape(2, 4, -1) @ a.T
            self.assertLess(difference(operator.op(image), expected), 2e-5)
            expected = ((samples * density) @ a.conj()).reshape(2, 4, *shape)
            expected = (expected * maps.conj()).sum(1, keepdims=True)
            self.assertLess(difference(operator.adj_op(samples), expected), 2e-5)

    def test_samples_can_be_replaced(self):
        operator = self.make(random_points(50, 3).astype(np.float32), (6, 5, 4), eps=1e-5)
        points = random_points(50, 3, seed=9).astype(np.float32)
        operator.update_samples(points)
        image = random_complex((6, 5, 4), np.complex64)
        self.assertLess(difference(operator.op(image), matrix(points, (6, 5, 4)) @ image.ravel() / np.sqrt(960)), 2e-5)

    def test_weights_by_pipe_and_menon(self):
        angles = np.pi * np.arange(128) / 128
        points = (np.linspace(-0.5, 0.5, 32, endpoint=False)[None, :, None]
                  * np.stack([np.cos(angles), np.sin(angles)], -1)[:, None, :]).reshape(-1, 2).astype(np.float32)
        operator = self.make(points, (24, 24), density={"name": "pipe", "backend": "spokelab"})
        ones = operator.adj_op(operator.op(np.ones((24, 24), np.complex64)))
        self.assertLess(abs(np.abs(ones).mean() - 1), 1e-3)
        radius = np.linalg.norm(points, axis=1)
        self.assertGreater(np.corrcoef(operator.density, radius)[0, 1], 0.95)
        self.assertEqual(operator.density.dtype, np.float32)

    def test_the_plan_for_gradients_of_the_trajectory_is_the_conjugate(self):
        points, image = random_points(50, 2).astype(np.float32), random_complex((8, 6), np.complex64)
        operator = self.make(points, (8, 6), eps=1e-5)
        for k in (points, random_points(50, 2, seed=9).astype(np.float32)):
            operator.update_samples(k)
            with operator.grad_traj_plan():
                found = operator.op(image)
            self.assertLess(difference(found, matrix(k, (8, 6), 1) @ image.ravel() / np.sqrt(192)), 2e-5)
            self.assertLess(difference(operator.op(image), matrix(k, (8, 6)) @ image.ravel() / np.sqrt(192)), 2e-5)

    def test_their_tests_of_a_backend(self):
        theirs = os.environ.get("SPOKELAB_MRI_NUFFT_TESTS")
        if not theirs:
            self.skipTest("SPOKELAB_MRI_NUFFT_TESTS does not name mri-nufft's tests")
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder, "tests")
            shutil.copytree(theirs, tests)
            files = ["operators/test_interfaces.py"]
            if importlib.util.find_spec("deepinv"):  # what mri-nufft's gradients need
                files.append("operators/test_autodiff.py")
            # Theirs skip a GPU that is not there for one backend alone.
            deselected = [] if spokelab.backends()[1].usable else ["-k", "not gpu"]
            for file in files:
                text = (tests / file).read_text()
                (tests / file).write_text(re.sub(r'"finufft"(?=[,\]])', '"spokelab"', text))
            conftest = tests / "conftest.py"
            conftest.write_text("import spokelab.mri_nufft\n" + conftest.read_text())
            run = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--backend", "spokelab", "--ref",
                 "finufft", *deselected, *files],
                cwd=tests, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(run.stdout[-400:])
        self.assertEqual(run.returncode, 0, run.stdout[-8000:])
        self.assertGreater(int(re.search(r"(\d+) passed", run.stdout)[1]), 50)
