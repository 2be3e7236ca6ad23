"""Nufft and tune: exact sums, adjoint pairs, arrays that are not copied, errors with the engine's text, threads."""

import itertools
import signal
import threading
import time
import tracemalloc
import unittest
import weakref

import numpy as np
import spokelab
from exact import difference, matrix, random_complex, random_points

PRECISIONS = [(np.complex64, 1e-4), (np.complex128, 1e-9)]
SHAPES = [(11,), (10, 9), (6, 9, 8)]


class Values(unittest.TestCase):
    def test_plans_give_the_exact_sums(self):
        for (dtype, accuracy), shape, sign, batch in itertools.product(PRECISIONS, SHAPES, (-1, 1), (None, 1, 3)):
            with self.subTest(dtype=dtype, shape=shape, sign=sign, batch=batch):
                points = random_points(200, len(shape))
                plan = spokelab.Nufft(shape, points, dtype=dtype, accuracy=accuracy, sign=sign, batch=batch)
                lead = () if batch is None else (batch,)
                image = random_complex(lead + shape, dtype, 2)
                samples = random_complex(lead + (200,), dtype, 3)
                a = matrix(points, shape, sign)
                forward = plan.forward(image)
                adjoint = plan.adjoint(samples)
                self.assertEqual((forward.shape, forward.dtype), (lead + (200,), dtype))
                self.assertEqual((adjoint.shape, adjoint.dtype), (lead + shape, dtype))
                flat = image.reshape(-1, a.shape[1]).astype(complex)
                self.assertLess(difference(forward, flat @ a.T), 2 * accuracy)
                flat = samples.reshape(-1, 200).astype(complex)
                self.assertLess(difference(adjoint, flat @ a.conj()), 2 * accuracy)
                self.assertLessEqual(plan.error, accuracy)

    def test_more_than_three_dimensions(self):
        shape = (3, 4, 5, 6)
        anywhere = random_points(60, 4)
        places, times = random_points(20, 3), np.linspace(-0.4, 0.4, 5)
        pairs = np.array([[t, *place] for t in times for place in places])
        for (dtype, accuracy), points, batch in itertools.product(PRECISIONS, (anywhere, pairs), (None, 2)):
            with self.subTest(dtype=dtype, batch=batch, count=len(points)):
                plan = spokelab.Nufft(shape, points, dtype=dtype, accuracy=accuracy, batch=batch)
                lead = () if batch is None else (batch,)
                image = random_complex(lead + shape, dtype, 2)
                samples = random_complex(lead + (len(points),), dtype, 3)
                a = matrix(points, shape)
                flat = image.reshape(-1, a.shape[1]).astype(complex)
                self.assertLess(difference(plan.forward(image), flat @ a.T), 2 * accuracy)
                flat = samples.reshape(-1, len(points)).astype(complex)
                self.assertLess(difference(plan.adjoint(samples), flat @ a.conj()), 2 * accuracy)
        with self.assertRaises(ValueError):
            spokelab.Nufft((2,) * 9)

    def test_adjoint_is_the_adjoint_and_normal_is_both(self):
        for (dtype, accuracy), shape in itertools.product(PRECISIONS, SHAPES):
            with self.subTest(dtype=dtype, shape=shape):
                weights = np.linspace(0.5, 2, 300)
                plan = spokelab.Nufft(shape, random_points(300, len(shape)), dtype=dtype, accuracy=accuracy,
                                      weights=weights)
                x, y = random_complex(shape, dtype, 4), random_complex((300,), dtype, 5)
                ax = plan.forward(x)
                left, right = np.vdot(y, ax), np.vdot(plan.adjoint(y), x)
                rounding = 1e-5 if dtype == np.complex64 else 1e-13
                self.assertLess(abs(left - right), rounding * np.linalg.norm(ax) * np.linalg.norm(y))
                expected = plan.adjoint((ax * weights).astype(dtype))
                in_place = x.copy()
                self.assertIs(plan.normal(in_place, in_place), in_place)
                self.assertLess(difference(in_place, expected), 4 * accuracy)
                plan.set_weights(None)
                self.assertLess(difference(plan.normal(x), plan.adjoint(ax)), 4 * accuracy)

    def test_sets_of_points_are_transformed_together(self):
        shape, counts = (12, 9), [40, 0, 1, 25]
        for batch, same in itertools.product((None, 3), (False, True)):
            with self.subTest(batch=batch, same=same):
                sets = [random_points(30 if same else count, 2, 7 + i) for i, count in enumerate(counts)]
                plan = spokelab.Nufft(shape, sets, batch=batch, sets=4, dtype=np.complex128, accuracy=1e-9)
                lead = () if batch is None else (batch,)
                images = random_complex((4,) + lead + shape, np.complex128, 2)
                samples = plan.forward(images)
                total = sum(map(len, sets))
                self.assertEqual(samples.shape, (4,) + lead + (30,) if same else ((batch or 1) * total,))
                self.assertEqual(plan.n_points, total)
                back, first = plan.adjoint(samples), 0
                for i, points in enumerate(sets):
                    a, size = matrix(points, shape, -1), (batch or 1) * len(points)
                    own = samples.reshape(-1)[first:first + size].reshape(batch or 1, -1)
                    first += size
                    if not size:
                        self.assertEqual(np.abs(back[i]).max(), 0)
                        continue
                    self.assertLess(difference(own, images[i].reshape(batch or 1, -1) @ a.T), 2e-9)
                    self.assertLess(difference(back[i].reshape(batch or 1, -1), own @ a.conj()), 2e-9)
                plan.set_weights(np.full(total, 2.0))
                self.assertLess(difference(plan.normal(images), 2 * back), 1e-8)
                bad = [points.copy() for points in sets]
                bad[3][5, 1] = np.nan
                with self.assertRaisesRegex(spokelab.Error, "point 5 of set 3"):
                    plan.set_points(bad)
                np.testing.assert_array_equal(plan.forward(images), samples)
                with self.assertRaisesRegex(ValueError, "3 sets, expected 4"):
                    plan.set_points(sets[:3])

    def test_executions_work_in_lent_memory(self):
        points = random_points(300, 2)
        for dtype, batch in itertools.product((np.complex64, np.complex128), (None, 3)):
            plan = spokelab.Nufft((30, 20), points, dtype=dtype, batch=batch, accuracy=1e-4, normal="gridded")
            image, samples = random_complex(plan.image_shape, dtype), random_complex(plan.samples_shape, dtype)

            def results():
                return plan.forward(image), plan.adjoint(samples), plan.normal(image)

            expected = results()
            memory = np.full(plan.workspace_bytes() // 8 + 1, np.nan)
            plan.set_workspace(memory)
            for _ in range(2):
                for found, same in zip(results(), expected):
                    np.testing.assert_array_equal(found, same)
                self.assertFalse(np.isnan(memory).all())  # it was used
                memory[:] = np.nan
            alive = weakref.ref(memory)
            del memory
            self.assertIsNotNone(alive())  # the plan keeps it
            plan.set_workspace(None)
            self.assertIsNone(alive())
            np.testing.assert_array_equal(plan.forward(image), expected[0])
            with self.assertRaisesRegex(spokelab.Error, "bytes"):
                plan.set_workspace(np.empty(10))
            for wrong in (np.empty((99999, 2))[:, 0], np.broadcast_to(0.0, 99999), "memory", 7):
                self.assertRaises((ValueError, TypeError), plan.set_workspace, wrong)
        self.assertEqual(spokelab.Nufft((5, 4), sets=2).workspace_bytes(), 0)

    def test_options_of_reconstructions_are_refused(self):
        for name in ("lambda", "frame-prior", "edge-taper", "basis", "denoiser", "t1-range"):
            with self.assertRaisesRegex(spokelab.Error, name):
                spokelab.Nufft((5, 4), **{name.replace("-", "_"): "1"})
        for name, value in dict(alpha=2, axis_alpha="1x2", threads=1, kernel="semicircle", exact=False).items():
            spokelab.Nufft((5, 4), **{name: value})

    def test_units_of_points(self):
        shape, points = (12, 7), random_points(50, 2)
        image = random_complex(shape, np.complex128)
        expected = matrix(points, shape) @ image.ravel()
        for units, factor in [("cycles/pixel", 1), ("radians", 2 * np.pi), ("cycles/fov", np.array(shape))]:
            plan = spokelab.Nufft(shape, points * factor, units=units, dtype=np.complex128, accuracy=1e-8)
            self.assertLess(difference(plan.forward(image), expected), 2e-8)
        with self.assertRaisesRegex(ValueError, "parsecs"):
            plan.set_points(points, "parsecs")

    def test_points_can_be_replaced(self):
        plan = spokelab.Nufft(16, dtype=np.complex128, accuracy=1e-8)
        image = random_complex((16,))
        for count in (0, 10, 30):
            points = random_points(count, 1, seed=count)
            plan.set_points(points[:, 0])
            self.assertEqual(plan.n_points, count)
            self.assertEqual(plan.forward(image).shape, (count,))
            if count:
                self.assertLess(difference(plan.forward(image), matrix(points, (16,)) @ image), 2e-8)

    def test_the_error_measure_is_what_the_accuracy_bounds(self):
        # The last pixel has the largest aliasing: its error is what an amplitude bounds, and the mean of all is smaller.
        points, accuracy = random_points(2000, 1), 1e-4
        image = np.zeros(64, np.complex128)
        image[0] = 1
        exact = matrix(points, (64,)) @ image
        for make in (spokelab.Nufft, spokelab.tune):
            errors = {}
            for measure in ("l2", "amplitude"):
                plan = make((64,), points, dtype=np.complex128, accuracy=accuracy, error_measure=measure, alpha=1.25)
                errors[measure] = difference(plan.forward(image), exact)
                self.assertLessEqual(plan.error, accuracy)
            self.assertLessEqual(errors["amplitude"], accuracy)
            self.assertGreater(errors["l2"], accuracy)
        with self.assertRaisesRegex(spokelab.Error, "amplitude"):
            spokelab.Nufft((64,), error_measure="largest")

    def test_tuned_plans_are_remembered(self):
        points = random_points(300, 2)
        image = random_complex((20, 18), np.complex64)
        for word in ("", "Remembered"):
            plan = spokelab.tune((20, 18), points, accuracy=1e-3)
            self.assertIn(word, plan.text)
            self.assertLess(difference(plan.forward(image), matrix(points, (20, 18)) @ image.ravel()), 2e-3)

    def test_a_tuned_plan_says_how_many_executions_it_is_for(self):
        points, context = random_points(300, 2), spokelab.Context(None)
        self.assertIn("10 executions for a set of points", spokelab.tune((20, 18), points, context=context).text)
        self.assertIn("4 executions for a set of points", spokelab.tune((20, 18), points, context=context, reuse=4).text)

    def test_progress_cancels_and_its_exceptions_arrive(self):
        points, context = random_points(2000, 2), spokelab.Context(None)
        heard = []
        spokelab.tune((32, 32), points, context=context, progress=lambda f, what: heard.append((f, what)))
        self.assertTrue(heard and all(0 <= f <= 1 and isinstance(w, str) for f, w in heard))
        with self.assertRaises(spokelab.Cancelled):
            spokelab.tune((32, 32), points, context=context, progress=lambda f, what: True)
        with self.assertRaises(ZeroDivisionError):
            spokelab.tune((32, 32), points, context=context, progress=lambda f, what: 1 / 0)

    def test_signals_end_long_calls(self):
        def interrupt(number, frame):
            raise KeyboardInterrupt

        scan = spokelab.simulate(pattern="radial", matrix=256, coils=8)
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            begin = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with self.assertRaises(KeyboardInterrupt):
                spokelab.reconstruct(scan, method="sense", iterations=10000, tolerance=0, iteration_seconds=60,
                                     context=spokelab.Context(None))
            self.assertLess(time.monotonic() - begin, 30)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


class Recorder:
    """In place of the compiled plan: keeps what it is given."""

    def __init__(self, core):
        self.core, self.given = core, []

    def __getattr__(self, name):
        def call(*arrays):
            self.given += arrays
            return getattr(self.core, name)(*arrays)

        return call


class Arrays(unittest.TestCase):
    def setUp(self):
        self.plan = spokelab.Nufft((16, 8), random_points(40, 2))
        self.image, self.samples = random_complex((16, 8), np.complex64), random_complex((40,), np.complex64)

    def test_contiguous_arrays_are_used_where_they_lie(self):
        recorder = self.plan._core = Recorder(self.plan._core)
        out = np.empty(40, np.complex64)
        image_out = np.empty((16, 8), np.complex64)
        self.assertIs(self.plan.forward(self.image, out), out)
        self.assertIs(self.plan.adjoint(self.samples, out=image_out), image_out)
        self.plan.normal(self.image, image_out)
        addresses = [a.ctypes.data for a in recorder.given]
        expected = [a.ctypes.data for a in (self.image, out, self.samples, image_out, self.image, image_out)]
        self.assertEqual(addresses, expected)

    def test_the_module_makes_no_copies_either(self):
        shape = (2048, 2048)  # 32 MB
        plan = spokelab.Nufft(shape, random_points(10, 2), accuracy=1e-2)
        image, samples = np.zeros(shape, np.complex64), np.zeros(10, np.complex64)
        tracemalloc.start()
        try:
            plan.forward(image, samples)
            plan.adjoint(samples, image)
            self.assertLess(tracemalloc.get_traced_memory()[1], image.nbytes // 10)
        finally:
            tracemalloc.stop()
        for wrong in (image[:, ::2], image.T[::2], image.astype(np.complex128)):
            with self.assertRaises((TypeError, ValueError)):  # refused, not converted
                plan._core.forward(wrong, samples)

    def test_read_only_inputs_are_taken(self):
        expected = self.plan.forward(self.image)
        self.image.flags.writeable = False
        np.testing.assert_array_equal(self.plan.forward(self.image), expected)

    def test_other_arrays_are_converted(self):
        expected = self.plan.forward(self.image)
        wide = np.zeros((16, 16), np.complex64)
        wide[:, ::2] = self.image
        for image in (wide[:, ::2], np.asfortranarray(self.image), self.image.astype(np.complex128), self.image.tolist()):
            np.testing.assert_allclose(self.plan.forward(image), expected, rtol=1e-5)

    def test_what_does_not_fit_is_refused(self):
        plan, image, samples = self.plan, self.image, self.samples
        read_only = np.empty(40, np.complex64)
        read_only.flags.writeable = False
        for wrong in (np.empty(40, np.complex128), np.empty(41, np.complex64), np.empty((40, 2), np.complex64)[:, 0],
                      read_only, [0] * 40):
            with self.assertRaises((TypeError, ValueError)):
                plan.forward(image, wrong)
        with self.assertRaisesRegex(ValueError, r"image has shape \(8, 16\), expected \(16, 8\)"):
            plan.forward(image.T)
        with self.assertRaisesRegex(ValueError, "samples"):
            plan.adjoint(samples[:39])
        with self.assertRaisesRegex(ValueError, "points"):
            plan.set_points(np.zeros((5, 3)))
        with self.assertRaisesRegex(ValueError, "weights"):
            plan.set_weights(np.ones(39))
        for shape in ((), (4,) * 9, (0, 4), (4, -1)):
            with self.assertRaises(ValueError):
                spokelab.Nufft(shape)
        for wrong in ({"dtype": np.int8, "batch": 0}, {"dtype": "complex256"}, {"sign": 2}, {"batch": -1}):
            with self.assertRaises((ValueError, TypeError)):
                spokelab.Nufft((4, 4), **wrong)

    def test_errors_have_the_engines_text(self):
        with self.assertRaisesRegex(spokelab.Error, "cannot be reached.*single precision.*double precision"):
            spokelab.Nufft((64, 64, 64), accuracy=1e-13)
        with self.assertRaisesRegex(spokelab.Error, "no option has that name"):
            spokelab.Nufft((8, 8), no_such_option=1)
        with self.assertRaisesRegex(RuntimeError, "finite"):
            spokelab.Nufft((8, 8), [[0, np.nan]])
        with self.assertRaisesRegex(spokelab.Error, "accuracy = much"):
            spokelab.Nufft((8, 8), accuracy="much")
        if not spokelab.backends()[1].usable:
            with self.assertRaises(spokelab.Error):
                spokelab.Nufft((8, 8), backend="cuda")


class Threads(unittest.TestCase):
    def test_the_lock_of_python_is_released(self):
        plan = spokelab.Nufft((128, 128, 128), random_points(1_000_000, 3), accuracy=1e-6)
        image = np.ones((128, 128, 128), np.complex64)
        span, started = [], threading.Event()

        def work():
            started.set()
            span.append(time.perf_counter())
            plan.forward(image)
            span.append(time.perf_counter())

        thread = threading.Thread(target=work)
        ticks = []
        thread.start()
        started.wait()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep((1e-4))
        inside = [t for t in ticks if span[0] < t < span[1]]
        self.assertGreater(len(inside), 10)

    def test_threads_with_plans_of_their_own(self):
        points, image = random_points(300, 2), random_complex((16, 16))
        results, failures = [None] * 32, []

        def work(i):
            try:
                plan = spokelab.Nufft((16, 16), points, dtype=np.complex128, accuracy=1e-6)
                for _ in range(5):
                    results[i] = plan.forward(image)
            except Exception as failure:  # any: the test names it
                failures.append(failure)

        run_all(work, 32)
        self.assertEqual(failures, [])
        for result in results:
            self.assertLess(difference(result, results[0]), 1e-12)

    def test_threads_that_share_a_plan_take_turns(self):
        plan = spokelab.Nufft((16, 16), random_points(300, 2), dtype=np.complex128, accuracy=1e-6)
        images = [random_complex((16, 16), seed=i) for i in range(8)]
        expected = [plan.forward(image) for image in images]
        worst = [0.0] * 8

        def work(i):
            for _ in range(20):
                worst[i] = max(worst[i], difference(plan.forward(images[i]), expected[i]))

        run_all(work, 8)
        self.assertLess(max(worst), 1e-12)


def run_all(work, count):
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
