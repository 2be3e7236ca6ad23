"""NaN, infinities and -1 where numbers go in: an error in words, never an image of zeros."""

import unittest

import numpy as np
import spokelab

BAD = (np.nan, np.inf, -np.inf)


def with_one(values, bad):
    """The same array with one bad number in its middle."""
    changed = np.array(values)
    changed.reshape(-1)[changed.size // 2] = bad
    return changed


class BadNumbers(unittest.TestCase):
    shape, count = (8, 10), 200

    def setUp(self):
        rng = np.random.default_rng(3)
        self.maps = np.ones((2, *self.shape), np.complex64)
        self.points = rng.uniform(-0.5, 0.5, (self.count, 2)) * np.array(self.shape)
        self.samples = np.ones((2, self.count), np.complex64)
        self.times = np.linspace(0, 1e-3, self.count)
        self.map = np.full(self.shape, 30.0)
        self.phases = np.zeros((1, *self.shape))

    def refused(self, call, **what):
        with self.subTest(**what):
            self.assertRaises((spokelab.Error, ValueError), call)

    def test_sense(self):
        good = dict(weights=np.ones(self.count), times=self.times, field=self.map, decay=self.map, phases=self.phases)
        for bad in BAD:
            self.refused(lambda b=bad: spokelab.Sense(with_one(self.maps, b), self.points), maps=bad)
            self.refused(lambda b=bad: spokelab.Sense(self.maps, with_one(self.points, b)), points=bad)
            for name, values in good.items():
                given = {name: with_one(values, bad)}
                if name in ("field", "decay"):
                    given["times"] = self.times
                self.refused(lambda g=given: spokelab.Sense(self.maps, self.points, **g), **{name: bad})
            for dtype in (np.complex64, np.complex128):
                sense = spokelab.Sense(self.maps, self.points, dtype=dtype)
                self.refused(lambda s=sense, b=bad: s.solve(with_one(self.samples, b)), samples=bad, dtype=dtype)
                self.assertTrue(np.any(sense.solve(self.samples) != 0))
        self.refused(lambda: spokelab.Sense(self.maps, self.points, weights=with_one(np.ones(self.count), -1)))
        self.refused(lambda: spokelab.Sense(self.maps, self.points, weights=np.zeros(self.count)))
        for value in ("nan", "inf", -1, float("nan"), float("inf")):
            self.refused(lambda v=value: spokelab.Sense(self.maps, self.points, lambda_=v), lambda_=value)

    def test_transforms(self):
        for bad in BAD:
            plan = spokelab.Nufft(self.shape, self.points, units="cycles/fov")
            self.refused(lambda b=bad: spokelab.Nufft(self.shape, with_one(self.points, b), units="cycles/fov"))
            self.refused(lambda b=bad, p=plan: p.set_weights(with_one(np.ones(self.count), b)))
            self.refused(lambda b=bad: spokelab.Gdft(self.shape, with_one(self.points, b)))
            self.refused(lambda b=bad: spokelab.Gdft(self.shape, self.points, with_one(self.times, b), self.map))
            self.refused(lambda b=bad: spokelab.Gdft(self.shape, self.points, self.times, with_one(self.map, b)))
            self.refused(lambda b=bad: spokelab.Type3(with_one(self.points, b), self.points))
            self.refused(lambda b=bad: spokelab.Type3(self.points, with_one(self.points, b)))
