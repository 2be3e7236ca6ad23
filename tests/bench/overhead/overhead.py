"""overhead.py N POINTS CALLS: for each line on stdin, times CALLS forward transforms and prints microseconds a call."""

import sys
import time

import numpy as np
import spokelab

n, count, calls = (int(text) for text in sys.argv[1:4])
j = np.arange(count)
points = np.stack([np.remainder(0.6180339887498949 * j + 0.5, 1) - 0.5, np.remainder(0.41421356237309503 * j + 0.5, 1) - 0.5], 1)
plan = spokelab.Nufft((n, n), points[:, ::-1], accuracy=1e-4, threads=1, context=spokelab.Context(None))
image, samples = np.ones((n, n), np.complex64), np.empty(count, np.complex64)
for _ in sys.stdin:
    start = time.perf_counter()
    for _ in range(calls):
        plan.forward(image, samples)
    print(1e6 * (time.perf_counter() - start) / calls, flush=True)
