"""Gradients of spokelab.torch in double precision: gradcheck, gradgradcheck, differences of the exact sum."""

import unittest

import numpy as np
import spokelab
from exact import difference, matrix, random_complex, random_points

try:
    import torch
    import spokelab.torch

    torch.set_num_threads(1)  # tensors of a few numbers
except ImportError:
    torch = None

CASES = [((7,), None), ((5, 6), None), ((4, 5), 2), ((3, 4, 3), None)]


@unittest.skipIf(torch is None, "torch is not installed")
class Gradients(unittest.TestCase):
    def each(self):
        for (shape, batch), sign in ((case, sign) for case in CASES for sign in (-1, 1)):
            with self.subTest(shape=shape, batch=batch, sign=sign):
                lead = () if batch is None else (batch,)
                transform = spokelab.torch.NufftTransform(shape, batch=batch, sign=sign, dtype=torch.complex128,
                                                          accuracy=1e-12)
                points = torch.tensor(random_points(6, len(shape)), requires_grad=True)
                image = torch.tensor(random_complex(lead + shape, seed=2), requires_grad=True)
                samples = torch.tensor(random_complex(lead + (6,), seed=3), requires_grad=True)
                yield transform, image, samples, points

    def test_first_and_second_derivatives(self):
        for transform, image, samples, points in self.each():
            self.assertTrue(torch.autograd.gradcheck(transform.forward, (image, points)))
            self.assertTrue(torch.autograd.gradcheck(transform.adjoint, (samples, points)))
            self.assertTrue(torch.autograd.gradgradcheck(transform.forward, (image, points)))
            self.assertTrue(torch.autograd.gradgradcheck(transform.adjoint, (samples, points)))

    def test_points_against_differences_of_the_exact_sum(self):
        for transform, image, samples, points in self.each():
            shape, sign = transform.plan.shape, transform.plan.sign
            m, y = image.detach().numpy().reshape(-1, np.prod(shape)), samples.detach().numpy().reshape(-1, 6)
            places = points.detach().numpy()

            def loss(k):  # the distance to the samples
                return np.linalg.norm(m @ matrix(k, shape, sign).T - y) ** 2

            ((transform(image, points) - samples).abs() ** 2).sum().backward()
            expected = np.empty_like(places)
            step = 1e-5
            for index in np.ndindex(places.shape):
                moved = np.zeros_like(places)
                moved[index] = step
                expected[index] = (loss(places + moved) - loss(places - moved)) / (2 * step)
            self.assertLess(difference(points.grad.numpy(), expected), 1e-7)

    def test_derivatives_by_a_field(self):
        for shape in ((5,), (3, 4)):
            count = 5
            times = torch.linspace(0.1, 1, count, dtype=torch.float64)
            transform = spokelab.torch.GdftTransform(shape, times, dtype=torch.complex128)
            points = torch.tensor(random_points(count, len(shape)) * shape, requires_grad=True)
            field = torch.tensor(np.random.default_rng(5).uniform(-3, 3, shape), requires_grad=True)
            image = torch.tensor(random_complex(shape, seed=2), requires_grad=True)
            samples = torch.tensor(random_complex((count,), seed=3), requires_grad=True)
            exact = matrix(points.detach().numpy() / shape, shape)
            exact = exact * np.exp(-1j * times.numpy()[:, np.newaxis] * field.detach().numpy().ravel())
            found = transform(image, points, field).detach().numpy()
            self.assertLess(difference(found, exact @ image.detach().numpy().ravel()), 1e-10)
            for call, data in ((transform.forward, image), (transform.adjoint, samples)):
                self.assertTrue(torch.autograd.gradcheck(call, (data, points, field)))
                self.assertTrue(torch.autograd.gradgradcheck(call, (data, points, field)))

    def test_values_and_single_precision(self):
        shape, points = (12, 10), random_points(50, 2)
        image = random_complex(shape, np.complex64)
        transform = spokelab.torch.NufftTransform(shape, accuracy=1e-5)
        given = torch.tensor(image, requires_grad=True)
        places = torch.tensor(points, dtype=torch.float32, requires_grad=True)
        samples = transform(given, places)
        self.assertEqual((samples.dtype, samples.shape), (torch.complex64, (50,)))
        exact = matrix(places.detach().numpy(), shape)
        self.assertLess(difference(samples.detach().numpy(), exact @ image.ravel()), 2e-5)
        samples.abs().square().sum().backward()
        self.assertEqual((given.grad.dtype, places.grad.dtype), (torch.complex64, torch.float32))
        back = 2 * exact.conj().T @ (exact @ image.ravel())
        self.assertLess(difference(given.grad.numpy(), back), 5e-5)

    def test_points_that_moved_are_noticed(self):
        transform = spokelab.torch.NufftTransform(9, dtype=torch.complex128, accuracy=1e-9)
        image = torch.tensor(random_complex((9,)))
        points = torch.tensor(random_points(5, 1))
        for _ in range(2):
            expected = matrix(points.numpy(), (9,)) @ image.numpy()
            self.assertLess(difference(transform(image, points).numpy(), expected), 2e-9)
            points += 0.01  # in place
        with self.assertRaises(spokelab.Error):
            transform(image, points * np.nan)
        self.assertLess(difference(transform(image, points).numpy(), matrix(points.numpy(), (9,)) @ image.numpy()), 2e-9)
        with self.assertRaises(ValueError):
            spokelab.torch.NufftTransform(9, dtype=torch.float32)


@unittest.skipIf(torch is None, "torch is not installed")
class OnTheGpu(unittest.TestCase):
    def setUp(self):
        if not torch.cuda.is_available():
            self.skipTest("this PyTorch has no GPU")
        if not spokelab.backends()[1].usable:
            self.skipTest(spokelab.backends()[1].text)

    def gradients(self, device):
        """Of a loss by image, points and samples, on a stream of its own; the host is asked for no array."""
        transform = spokelab.torch.NufftTransform((12, 10), dtype=torch.complex128, accuracy=1e-9, backend="cuda")
        image = torch.tensor(random_complex((12, 10), seed=2), device=device, requires_grad=True)
        points = torch.tensor(random_points(80, 2), device=device, requires_grad=True)
        samples = torch.tensor(random_complex((80,), seed=3), device=device, requires_grad=True)
        loss = (transform(image, points) - samples).abs().square().sum()
        loss = loss + transform.adjoint(samples, points).abs().square().sum()
        first = torch.autograd.grad(loss, (image, points, samples), create_graph=True)
        second = torch.autograd.grad(sum(g.abs().square().sum() for g in first), (image, points, samples))
        return loss, *first, *second

    def test_gradients_are_those_of_the_host(self):
        expected = self.gradients("cpu")
        for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                found = self.gradients("cuda")
                for on_gpu, on_host in zip(found, expected):
                    self.assertEqual(on_gpu.device.type, "cuda")
                    self.assertLess(difference(on_gpu.detach().cpu().numpy(), on_host.detach().numpy()), 1e-7)

    def test_a_field(self):
        times = torch.linspace(0.1, 1, 20, dtype=torch.float64)
        transform = spokelab.torch.GdftTransform((6, 5), times, dtype=torch.complex128, backend="cuda")
        results = []
        for device in ("cpu", "cuda"):
            points = torch.tensor(random_points(20, 2) * (6, 5), device=device, requires_grad=True)
            field = torch.tensor(np.random.default_rng(5).uniform(-3, 3, (6, 5)), device=device, requires_grad=True)
            image = torch.tensor(random_complex((6, 5), seed=2), device=device, requires_grad=True)
            found = transform(image, points, field)
            self.assertEqual(found.device.type, device)
            results.append((found, *torch.autograd.grad(found.abs().square().sum(), (image, points, field))))
        for on_host, on_gpu in zip(*results):
            self.assertLess(difference(on_gpu.detach().cpu().numpy(), on_host.detach().numpy()), 1e-9)

    def test_a_plan_of_the_cpu_says_so(self):
        transform = spokelab.torch.NufftTransform(9)
        with self.assertRaisesRegex(ValueError, "plan of the CPU"):
            transform(torch.ones(9, dtype=torch.complex64, device="cuda"), torch.zeros(5, 1, device="cuda"))
