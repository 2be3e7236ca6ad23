"""Every function of the package with NaN, infinities, -1, None, huge numbers, texts and empty lists in every argument: an
exception in words or a result, never a crash or another kind of end, and where numbers go in, nothing made of NaN."""

import inspect
import time
import unittest

import numpy as np
import spokelab

HUGE = 2**62
BAD = (np.nan, np.inf, -np.inf, -1, 0, HUGE, -HUGE, 1e308, None, "", "text", [], [None], object())
# What a call may end with; NumPy adds its own for what is no array.
EXPECTED = (spokelab.Error, ValueError, TypeError, MemoryError, OverflowError)
# Arguments for which a number that is not finite is always refused.
FINITE = {"points", "weights", "times", "field", "decay", "gradient", "maps", "phases", "sources", "targets", "values"}
LONGEST = 20  # s

SHAPE, COUNT = (8, 10), 60
RNG = np.random.default_rng(5)
POINTS = RNG.uniform(-0.5, 0.5, (COUNT, 2))
AT = POINTS * np.array(SHAPE)
ONES = np.ones(COUNT)
SAMPLES = np.ones(COUNT, np.complex128)
TIMES = np.linspace(0, 1e-3, COUNT)
FIELD = np.full(SHAPE, 30.0)
RADIANS = 2 * np.pi * POINTS
IMAGE = np.ones(SHAPE, np.complex128)
EMPTY = spokelab.Context(None)


def plan():
    return spokelab.Nufft(SHAPE, POINTS, dtype=np.complex128, context=EMPTY)


def simulated():
    return spokelab.simulate(matrix="8")


# name: the call, and arguments that are good.
CALLS = {
    "Nufft": (spokelab.Nufft, dict(shape=SHAPE, points=POINTS, batch=1, accuracy=1e-3, sign=-1, weights=ONES,
                                   units="cycles/pixel", dtype=np.complex64)),
    "Nufft of sets": (spokelab.Nufft, dict(shape=SHAPE, points=[POINTS, POINTS], sets=2, accuracy=1e-3)),
    "Nufft.set_points": (lambda **a: plan().set_points(**a), dict(points=POINTS, units="cycles/pixel")),
    "Nufft.set_weights": (lambda **a: plan().set_weights(**a), dict(weights=ONES)),
    "Nufft.forward": (lambda **a: plan().forward(**a), dict(image=IMAGE)),
    "Nufft.adjoint": (lambda **a: plan().adjoint(**a), dict(samples=SAMPLES)),
    "tune": (spokelab.tune, dict(shape=SHAPE, points=POINTS, batch=1, accuracy=1e-3, sign=-1, weights=ONES,
                                 time_limit=0.05, context=EMPTY)),
    "Type3": (spokelab.Type3, dict(sources=POINTS, targets=AT, batch=1, accuracy=1e-3, sign=-1, units="cycles")),
    "Gdft": (spokelab.Gdft, dict(shape=SHAPE, points=AT, times=TIMES, field=FIELD, decay=FIELD,
                                 gradient=np.zeros((2, *SHAPE)), dtype=np.complex64)),
    "Sense": (spokelab.Sense, dict(maps=np.ones((2, *SHAPE), np.complex64), points=AT, weights=ONES, times=TIMES,
                                   field=FIELD, decay=FIELD, lambda_=1e-3)),
    "density_weights": (spokelab.density_weights, dict(points=AT, shape=SHAPE, shot_offsets=[0, 30, COUNT],
                                                       density="pipe-menon")),
    "Scan.from_arrays": (spokelab.Scan.from_arrays, dict(shape=SHAPE, points=AT, values=SAMPLES, shots=2, times=TIMES,
                                                         fov=(200, 200))),
    "Scan.set_array": (lambda **a: simulated().set_array(**a), dict(name="FieldMap", values=np.ones((8, 8)))),
    "simulate": (spokelab.simulate, dict(matrix="8", coils=1, noise=0.0, truth=False)),
    "reconstruct": (lambda **a: spokelab.reconstruct(simulated(), **a),
                    dict(accuracy=1e-3, alpha=2, effort="estimate", context=EMPTY)),
    "noise_maps": (lambda **a: spokelab.noise_maps(simulated(), **a),
                   dict(replicas=2, sigma=0.1, seed=1, effort="estimate", context=EMPTY)),
    "lambda_range": (lambda **a: spokelab.lambda_range(simulated(), **a),
                     dict(low=0.01, high=1.0, values=3, held_out=0.1, sigma=0.1, context=EMPTY)),
    "LambdaRange.image": (lambda **a: spokelab.lambda_range(simulated(), values=2).image(**a), dict(value=0.1)),
    "read_scan": (spokelab.read_scan, dict(file="demo")),
    "Context": (spokelab.Context, dict(wisdom=None)),
    "linear_operator": (spokelab.linear_operator, dict(plan=None)),
    "sigpy_linop": (spokelab.sigpy_linop, dict(plan=None)),
    "nufft1d1": (spokelab.nufft1d1, dict(x=RADIANS[:, 0], c=SAMPLES, n_modes=8, eps=1e-4, isign=1)),
    "nufft1d2": (spokelab.nufft1d2, dict(x=RADIANS[:, 0], f=IMAGE[0], eps=1e-4, isign=1)),
    "nufft1d3": (spokelab.nufft1d3, dict(x=RADIANS[:, 0], c=SAMPLES, s=RADIANS[:, 1], eps=1e-4)),
    "nufft2d1": (spokelab.nufft2d1, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], c=SAMPLES, n_modes=SHAPE, eps=1e-4)),
    "nufft2d2": (spokelab.nufft2d2, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], f=IMAGE, eps=1e-4)),
    "nufft2d3": (spokelab.nufft2d3, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], c=SAMPLES, s=TIMES, t=TIMES, eps=1e-4)),
    "nufft3d1": (spokelab.nufft3d1, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], z=RADIANS[:, 0], c=SAMPLES,
                                         n_modes=(4, 5, 6), eps=1e-4)),
    "nufft3d2": (spokelab.nufft3d2, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], z=RADIANS[:, 0],
                                         f=np.ones((4, 5, 6), complex), eps=1e-4)),
    "nufft3d3": (spokelab.nufft3d3, dict(x=RADIANS[:, 0], y=RADIANS[:, 1], z=RADIANS[:, 0], c=SAMPLES, s=TIMES,
                                         t=TIMES, u=TIMES, eps=1e-4)),
}
# Classes of errors and results, which the others make, and functions without an argument.
ELSEWHERE = {"show"}  # needs a window
WITHOUT = {"Cancelled", "Error", "Image", "NoiseMaps", "Scan", "UnitWarning", "backends", "option_help"}


def spoiled(value):
    """The argument with one bad number in it, where it is an array; else the bad values themselves."""
    if isinstance(value, np.ndarray):
        for bad in (np.nan, np.inf, -np.inf):
            changed = np.array(value)
            changed.reshape(-1)[changed.size // 2] = bad
            yield bad, changed
        yield "cut", value[:-1]
        yield "one more axis", value[None, None]
    for bad in BAD:
        yield bad, bad


class ArgumentWalk(unittest.TestCase):
    def test_every_argument(self):
        calls = 0
        for name, (call, good) in CALLS.items():
            if "plan" not in good:
                call(**good)  # what is good is taken
            for argument, value in good.items():
                for bad, given in spoiled(value):
                    with self.subTest(call=name, argument=argument, bad=repr(bad)[:40]):
                        began = time.monotonic()
                        calls += 1
                        is_array = isinstance(given, np.ndarray) and isinstance(bad, float)
                        if is_array and argument in FINITE and "from_arrays" not in name:
                            self.assertRaises(EXPECTED, call, **{**good, argument: given})
                        else:
                            try:
                                call(**{**good, argument: given})
                            except EXPECTED as error:
                                self.assertTrue(str(error) or isinstance(error, MemoryError))
                            except (AttributeError, ImportError):  # an object of another kind; no such library
                                self.assertIn(argument, ("plan", "context"))
                        self.assertLess(time.monotonic() - began, LONGEST)
        print(f"campaign: calls of Python with a bad argument: {calls}")

    def test_no_name_is_left_out(self):
        walked = {name.split(".")[0].split()[0] for name in CALLS}
        for name in spokelab.__all__:
            self.assertIn(name, walked | WITHOUT | ELSEWHERE)
            if name in WITHOUT and inspect.isfunction(getattr(spokelab, name)):
                self.assertEqual(len(inspect.signature(getattr(spokelab, name)).parameters), 0)
