"""Arrays in a GPU's memory: used as they are, in the order of their stream, refused where they do not fit."""

import unittest
import weakref

import numpy as np
import spokelab
from device import DeviceArray, Driver, Fake
from exact import difference, matrix, random_complex, random_points
from spokelab._device import _stream

ACCURACY = {np.complex64: 1e-4, np.complex128: 1e-9}


class OnTheGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = Driver()
        if cls.driver.missing:
            raise unittest.SkipTest(cls.driver.missing)

    def test_plans(self):
        shape, points = (12, 9), random_points(200, 2)
        a = matrix(points, shape)
        for dtype, accuracy in ACCURACY.items():
            plan = spokelab.Nufft(shape, points, batch=2, dtype=dtype, accuracy=accuracy, backend="cuda")
            image = random_complex((2, *shape), dtype, 2)
            forward = image.reshape(2, -1).astype(complex) @ a.T
            normal = forward @ a.conj()
            stream = self.driver.stream()
            for fields, given in (({}, None), ({"stream": stream}, None), ({}, stream)):
                array = DeviceArray(self.driver, image, **fields)
                out = DeviceArray(self.driver, np.zeros((2, 200), dtype), **fields)
                self.assertIs(plan.forward(array, out, given), out)
                self.assertLess(difference(out.read(), forward), 2 * accuracy)
                back = plan.adjoint(out, stream=given)  # made by the array's library
                self.assertLess(difference(back.read(), normal), 4 * accuracy)
                self.assertLess(difference(plan.normal(array, array, given).read(), normal), 4 * accuracy)

    def test_lent_memory(self):
        points, image = random_points(200, 2), random_complex((12, 9), np.complex64, 2)
        plan = spokelab.Nufft((12, 9), points, accuracy=1e-4, backend="cuda", normal="gridded")
        expected = plan.normal(image)
        memory = DeviceArray(self.driver, np.full(plan.workspace_bytes(), 255, np.uint8))
        plan.set_workspace(memory)
        alive = weakref.ref(memory)
        del memory
        self.assertIsNotNone(alive())  # the plan keeps it
        self.assertLess(difference(plan.normal(image), expected), 1e-5)
        with self.assertRaisesRegex(spokelab.Error, "bytes"):
            plan.set_workspace(DeviceArray(self.driver, np.zeros(16, np.uint8)))
        with self.assertRaises((ValueError, TypeError, spokelab.Error)):
            plan.set_workspace(np.zeros(plan.workspace_bytes(), np.uint8))
        self.assertLess(difference(plan.normal(image), expected), 1e-5)  # a refusal changes nothing
        plan.set_workspace(None)
        self.assertIsNone(alive())
        with self.assertRaises((ValueError, TypeError, spokelab.Error)):
            spokelab.Nufft((12, 9), points, backend="cpu").set_workspace(DeviceArray(self.driver, np.zeros(99999)))

    def test_type_3(self):
        x, s = random_points(150, 2), 9 * random_points(120, 2)
        values = random_complex((150,), np.complex128, 3)
        plan = spokelab.Type3(x, s, dtype=np.complex128, accuracy=1e-9, backend="cuda")
        exact = np.exp(-2j * np.pi * (s @ x.T))
        found = plan.forward(DeviceArray(self.driver, values))
        self.assertLess(difference(found.read(), exact @ values), 2e-9)
        self.assertLess(difference(plan.adjoint(found).read(), exact.conj().T @ (exact @ values)), 4e-9)
        self.assertLess(difference(plan.forward(values), exact @ values), 2e-9)

    def test_gdft_and_sense(self):
        shape, count = (8, 6), 90
        points = random_points(count, 2) * shape
        times, field = np.linspace(0, 5e-3, count), np.random.default_rng(4).uniform(-200, 200, shape)
        gdft = spokelab.Gdft(shape, points, times, field, dtype=np.complex128, backend="cuda")
        a = matrix(points / shape, shape) * np.exp(-1j * times[:, np.newaxis] * field.ravel())
        image, samples = random_complex(shape, np.complex128, 1), random_complex((count,), np.complex128, 2)
        found = gdft.forward(DeviceArray(self.driver, image))
        self.assertLess(difference(found.read(), a @ image.ravel()), 1e-10)
        back = gdft.adjoint(DeviceArray(self.driver, samples))
        self.assertLess(difference(back.read(), a.conj().T @ samples), 1e-10)

        maps, y = random_complex((3, *shape), np.complex64, 3), random_complex((3, count), np.complex64, 4)
        sense = spokelab.Sense(maps, points, backend="cuda", iterations=5, tolerance=0, lambda_=1e-2)
        on_host = sense.solve(y)
        stream = self.driver.stream()
        on_device = sense.solve(DeviceArray(self.driver, y), stream=stream)
        self.assertLess(difference(on_device.read(), on_host), 1e-4)
        self.assertEqual(len(sense.residuals), 5)
        double = spokelab.Sense(maps, points, dtype=np.complex128, backend="cuda", iterations=2)
        values = y.astype(complex)
        self.assertLess(difference(double.solve(DeviceArray(self.driver, values)).read(), double.solve(values)), 1e-10)

    def test_host_memory_is_refused(self):
        plan = spokelab.Nufft((8, 8), random_points(20, 2), backend="cuda")
        image = np.ones((8, 8), np.complex64)
        out = DeviceArray(self.driver, np.zeros(20, np.complex64))
        with self.assertRaisesRegex(spokelab.Error, "memory of a GPU"):
            plan.forward(Fake(image.ctypes.data, image.shape, image.dtype), out)
        self.assertEqual(plan.forward(image).shape, (20,))


class Refusals(unittest.TestCase):
    """Without a GPU, too: nothing is read before all fits."""

    def test_what_does_not_fit(self):
        plan = spokelab.Nufft((8, 6), random_points(20, 2))
        image, out = Fake(64, (8, 6), "<c8"), Fake(64, (20,), "<c8")
        for text, kind, call in [
                ("plan of the CPU", ValueError, lambda: plan.forward(image, out)),
                ("dtype", TypeError, lambda: plan.forward(Fake(64, (8, 6), "<c16"), out)),
                ("shape", ValueError, lambda: plan.forward(Fake(64, (6, 8), "<c8"), out)),
                ("shape", ValueError, lambda: plan.forward(image, Fake(64, (21,), "<c8"))),
                ("contiguous", ValueError, lambda: plan.forward(Fake(64, (8, 6), "<c8", strides=(8, 64)), out)),
                ("writeable", ValueError, lambda: plan.forward(image, Fake(64, (20,), "<c8", data=(64, True)))),
                ("not in the memory", TypeError, lambda: plan.forward(image, np.empty(20, np.complex64))),
                ("neither a NumPy array", TypeError, lambda: plan.forward(np.ones((8, 6)), out)),
                ("give out", TypeError, lambda: plan.forward(image)),
                ("a stream is for", TypeError, lambda: plan.forward(np.ones((8, 6)), stream=1)),
                ("give stream=", ValueError, lambda: plan.forward(Fake(64, (8, 6), "<c8", stream=7),
                                                                  Fake(64, (20,), "<c8", stream=9)))]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()
        gdft = spokelab.Gdft((8, 6), random_points(20, 2))
        with self.assertRaisesRegex(ValueError, "transform of the CPU"):
            gdft.forward(image, out)
        sense = spokelab.Sense(np.ones((2, 8, 6)), random_points(20, 2), iterations=2)
        with self.assertRaisesRegex(ValueError, "SENSE on the CPU"):
            sense.solve(Fake(64, (2, 20), "<c8"), Fake(64, (8, 6), "<c8"))
        type3 = spokelab.Type3(random_points(5, 2), random_points(4, 2))
        with self.assertRaisesRegex(ValueError, "transform of the CPU"):
            type3.forward(Fake(64, (5,), "<c8"), Fake(64, (4,), "<c8"))

    def test_workspaces(self):
        plan = spokelab.Nufft((8, 6), random_points(20, 2), backend="cpu")
        image = random_complex((8, 6), np.complex64, 2)
        before = plan.forward(image)
        for says, error, memory in (("GPU", ValueError, Fake(64, (99999,), "<u1")),
                                    ("contiguous", ValueError, Fake(64, (9, 9), "<f4", strides=(4, 36))),
                                    ("writeable", ValueError, Fake(64, (99999,), "<u1", data=(64, True)))):
            with self.assertRaisesRegex(error, says):
                plan.set_workspace(memory)
        np.testing.assert_array_equal(plan.forward(image), before)

    def test_which_stream(self):
        class Cupy:
            ptr = 5

        class Torch:
            cuda_stream = 0

        class Protocol:
            def __cuda_stream__(self):
                return (0, 11)

        plain, own = Fake(64, (1,), "<c8"), Fake(64, (1,), "<c8", stream=2)
        self.assertEqual([_stream(given, plain, plain) for given in (Cupy(), Torch(), Protocol(), 3, None)],
                         [5, 1, 11, 3, None])
        self.assertEqual((_stream(None, plain, own), _stream(7, plain, own)), (2, 7))


if __name__ == "__main__":
    unittest.main()
