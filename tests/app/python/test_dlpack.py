"""DLPack: arrays of other libraries are used where they lie, and come back as theirs; streams are handed over."""

import importlib
import os
import types
import unittest

import numpy as np
import spokelab
from device import Dlpack, DlpackLibrary, Driver, Fake
from exact import difference, matrix, random_complex, random_points


def installed(library):
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise unittest.SkipTest(f"{library} is not installed: {error}") from None


class HostArray:
    """DLPack alone, in host memory."""

    library = types.SimpleNamespace()

    def __init__(self, values):
        self.values = values

    def __dlpack__(self):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __array_namespace__(self):
        return self.library


HostArray.library.from_dlpack = HostArray


class InHostMemory(unittest.TestCase):
    def test_results_are_of_the_same_library(self):
        shape, points = (8, 6), random_points(20, 2)
        image, samples = random_complex(shape, np.complex64, 1), random_complex((20,), np.complex64, 2)
        plan = spokelab.Nufft(shape, points, accuracy=1e-4)
        gdft = spokelab.Gdft(shape, points * shape)
        type3 = spokelab.Type3(points, random_points(20, 2))
        for operator, given in ((plan, image), (gdft, image), (type3, samples)):
            expected = operator.forward(given)
            self.assertIs(type(expected), np.ndarray)
            found = operator.forward(HostArray(given))
            self.assertIsInstance(found, HostArray)
            np.testing.assert_allclose(found.values, expected, rtol=1e-5)
            self.assertIsInstance(operator.adjoint(HostArray(samples)), HostArray)
        sense = spokelab.Sense(np.ones((1, *shape)), points * shape, iterations=3)
        found = sense.solve(HostArray(samples[np.newaxis]))
        self.assertIsInstance(found, HostArray)
        np.testing.assert_allclose(found.values, sense.solve(samples[np.newaxis]), rtol=1e-4)

    def test_outputs_are_written_where_they_lie(self):
        shape, points = (8, 6), random_points(20, 2)
        plan = spokelab.Nufft(shape, points, accuracy=1e-4)
        image = random_complex(shape, np.complex64, 1)
        out = HostArray(np.zeros(20, np.complex64))
        self.assertIs(plan.forward(HostArray(image), out), out)
        np.testing.assert_allclose(out.values, plan.forward(image), rtol=1e-5)
        self.assertIs(plan.forward(image, out), out)  # NumPy's in, another's out
        in_place = HostArray(image.copy())
        self.assertIs(plan.normal(in_place, in_place), in_place)
        np.testing.assert_allclose(in_place.values, plan.normal(image), rtol=1e-4)

    def test_other_precisions_and_orders_are_converted(self):
        shape = (8, 6)
        plan = spokelab.Nufft(shape, random_points(20, 2), accuracy=1e-4)
        image = random_complex(shape, np.complex128, 1)
        expected = plan.forward(image.astype(np.complex64))
        np.testing.assert_allclose(plan.forward(HostArray(image)).values, expected, rtol=1e-5)
        np.testing.assert_allclose(plan.forward(HostArray(np.asfortranarray(image))).values, expected, rtol=1e-5)
        for wrong in (np.zeros(20, np.complex128), np.zeros(40, np.complex64)[::2], np.zeros(19, np.complex64)):
            with self.assertRaises((TypeError, ValueError)):
                plan.forward(image, HostArray(wrong))

    def test_pytorch(self):
        torch = installed("torch")
        points = random_points(20, 2)
        plan = spokelab.Nufft((8, 6), points, accuracy=1e-4)
        image = random_complex((8, 6), np.complex64, 1)
        found = plan.forward(torch.from_numpy(image))
        self.assertIsInstance(found, torch.Tensor)
        np.testing.assert_allclose(found.numpy(), plan.forward(image), rtol=1e-5)
        out = torch.zeros(20, dtype=torch.complex64)
        self.assertIs(plan.forward(torch.from_numpy(image), out), out)
        np.testing.assert_array_equal(out.numpy(), found.numpy())

    def test_memory_is_given_back(self):
        plan = spokelab.Nufft((8, 6), random_points(20, 2))
        values = np.ones((8, 6), np.complex64)
        lent = Dlpack(Fake(values.ctypes.data, values.shape, values.dtype), None, device=(1, 0))
        lent.__class__ = type("OnHost", (Dlpack,), {"__array_namespace__": lambda self: types.SimpleNamespace()})
        self.assertIs(type(plan.forward(lent)), np.ndarray)  # a library without from_dlpack
        self.assertFalse(lent.lent)


class WithoutGpu(unittest.TestCase):
    """What is refused before anything is read, and how streams are told."""

    def setUp(self):
        self.library = DlpackLibrary()
        self.plan = spokelab.Nufft((8, 6), random_points(20, 2))

    def fake(self, shape, dtype="<c8", **fields):
        return Dlpack(Fake(64, shape, dtype), self.library, **fields)

    def test_what_does_not_fit(self):
        image, out = self.fake((8, 6)), self.fake((20,))
        for text, kind, call in [
                ("plan of the CPU", ValueError, lambda: self.plan.forward(image, out)),
                ("dtype", TypeError, lambda: self.plan.forward(self.fake((8, 6), "<c16"), out)),
                ("shape", ValueError, lambda: self.plan.forward(self.fake((6, 8)), out)),
                ("shape", ValueError, lambda: self.plan.forward(image, self.fake((21,)))),
                ("contiguous", ValueError, lambda: self.plan.forward(self.fake((8, 6), strides=(1, 8)), out)),
                ("not in the memory", TypeError, lambda: self.plan.forward(image, np.empty(20, np.complex64))),
                ("not in host memory", TypeError, lambda: self.plan.forward(np.ones((8, 6)), out)),
                ("plan of the CPU", ValueError, lambda: spokelab.Nufft(8).set_points(self.fake((20,), "<f8"))),
                ("expected cycles/pixel", ValueError,
                 lambda: self.plan.set_points(self.fake((20, 2), "<f8"), "radians")),
                ("points have shape", ValueError, lambda: self.plan.set_points(self.fake((20, 3), "<f8"))),
                ("points has dtype", TypeError, lambda: spokelab.Nufft(8).set_points(self.fake((20,), "<f4")))]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()
        self.assertFalse(image.lent or out.lent)

    def test_streams_are_handed_over(self):
        image, out = self.fake((8, 6)), self.fake((20,))
        for stream in (None, 7):
            with self.assertRaises(ValueError):
                self.plan.forward(image, out, stream)
        torch = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=9))
        self.library.cuda = torch
        with self.assertRaises(ValueError):
            self.plan.forward(image, out)
        self.assertEqual((image.streams, out.streams), ([1, 7, 9], [1, 7, 9]))


class OnTheGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = Driver()
        if cls.driver.missing:
            raise unittest.SkipTest(cls.driver.missing)
        cls.library = DlpackLibrary(cls.driver)

    def test_plans_and_points(self):
        shape, points = (12, 9), random_points(200, 2)
        plan = spokelab.Nufft(shape, dtype=np.complex64, accuracy=1e-4, backend="cuda")
        stream = self.driver.stream()
        image = random_complex(shape, np.complex64, 2)
        for given in (None, stream):
            plan.set_points(self.library.asarray(points), stream=given)
            self.assertEqual(plan.n_points, 200)
            a = matrix(points, shape)
            array = self.library.asarray(image)
            found = plan.forward(array, stream=given)
            self.assertIsInstance(found, Dlpack)
            self.assertLess(difference(found.read(), a @ image.ravel()), 2e-4)
            back = plan.adjoint(found, stream=given)
            self.assertLess(difference(back.read(), a.conj().T @ (a @ image.ravel())), 4e-4)
            self.assertEqual(array.streams, [given or 1])
            self.assertFalse(array.lent or found.lent)
            points = 0.7 * points
        line = spokelab.Nufft(16, accuracy=1e-4, backend="cuda")
        line.set_points(self.library.asarray(points[:, 0].copy()))
        row = random_complex((16,), np.complex64, 3)
        exact = matrix(points[:, :1], (16,)) @ row
        self.assertLess(difference(line.forward(self.library.asarray(row)).read(), exact), 2e-4)

    def test_the_default_stream_is_waited_for(self):
        points = random_points(100, 2)
        plan = spokelab.Nufft((12, 9), points, accuracy=1e-4, backend="cuda")
        image = random_complex((12, 9), np.complex64, 2)
        found = plan.forward(self.library.asarray(image))
        self.driver.call("cuStreamQuery", None)  # raises where the default stream still works
        self.assertLess(difference(found.read(), matrix(points, (12, 9)) @ image.ravel()), 2e-4)

    def test_other_operators(self):
        shape, points = (8, 6), random_points(90, 2) * (8, 6)
        image, samples = random_complex(shape, np.complex64, 1), random_complex((2, 90), np.complex64, 2)
        for operator, given in ((spokelab.Gdft(shape, points, backend="cuda"), image),
                                (spokelab.Type3(points, points[:50], backend="cuda"), samples[0])):
            found = operator.forward(self.library.asarray(given))
            self.assertLess(difference(found.read(), operator.forward(given)), 1e-4)
        sense = spokelab.Sense(np.ones((2, *shape)), points, backend="cuda", iterations=4, tolerance=0)
        found = sense.solve(self.library.asarray(samples))
        self.assertLess(difference(found.read(), sense.solve(samples)), 1e-4)

    def test_pytorch(self):
        torch = installed("torch")
        if not torch.cuda.is_available():
            self.skipTest("this PyTorch has no GPU")
        for stream in (torch.cuda.default_stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                found = self.results(lambda values: torch.from_numpy(values).cuda())
            self.assertEqual(found.device.type, "cuda")

    def test_cupy(self):
        cupy = installed("cupy")
        for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True)):
            with stream:
                self.assertIsInstance(self.results(cupy.asarray), cupy.ndarray)

    def test_jax(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        jax = installed("jax")
        if jax.default_backend() != "gpu":
            self.skipTest("this JAX has no GPU")
        points = random_points(300, 2)
        plan = spokelab.Nufft((12, 9), points, accuracy=1e-4, backend="cuda")
        image = random_complex((12, 9), np.complex64, 2)
        found = plan.forward(2 * jax.numpy.asarray(image))  # which JAX may still compute
        self.assertIsInstance(found, jax.Array)
        self.assertLess(difference(np.asarray(found) / 2, matrix(points, (12, 9)) @ image.ravel()), 2e-4)

    def results(self, put):
        """Checks a plan on arrays of a library, whose work before and after is in the same stream."""
        points = random_points(300, 2)
        plan = spokelab.Nufft((12, 9), accuracy=1e-4, backend="cuda")
        plan.set_points(put(points))
        image = random_complex((12, 9), np.complex64, 2)
        found = plan.forward(2 * put(image)) / 2
        back = plan.adjoint(found)
        exact = matrix(points, (12, 9)) @ image.ravel()
        for values, expected in ((found, exact), (back, matrix(points, (12, 9)).conj().T @ exact)):
            host = np.asarray(values.get() if hasattr(values, "get") else values.cpu().numpy())
            self.assertLess(difference(host, expected), 4e-4)
        return back


if __name__ == "__main__":
    unittest.main()
