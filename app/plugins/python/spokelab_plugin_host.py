"""Runs a plug-in of Spokelab that is written in Python. Spokelab starts it, one process a file:

    python3 spokelab_plugin_host.py FILE

A plug-in is a file with these names; numpy is all that this program needs:

    name = "my-nufft"               # what charts and the command line call it
    version = "1.0"
    license = "MIT"
    summary = "one line"            # may be missing, as all below but Plan
    dims = (1, 2, 3)
    precisions = ("single", "double")
    alphas = (2.0, 1.25)            # oversampling ratios to try; (): it chooses itself

    class Plan:
        def __init__(self, size, batch, dtype, sign, accuracy, alpha, threads): ...
        def set_points(self, points): ...   # a list of arrays, one a dimension: x, y, z in cycles per pixel
        def type1(self, samples): ...       # [batch, points] -> [batch, (z, (y,)) x], exponent -sign
        def type2(self, images): ...        # [batch, (z, (y,)) x] -> [batch, points], exponent sign

size is (N_x, N_y, N_z) as far as there are dimensions, dtype complex64 or complex128, alpha 0 where it
is open. Neither type is scaled; pixels are counted from -(N // 2). A plan may say alpha, width, grid
and memory (bytes) of itself in attributes of these names.

A denoiser (--method pnp --denoiser FILE) has name, version, license, and in place of Plan

    def denoise(images, strength): ...      # complex64 [image, (z,) y, x] -> the same, or (the same, R)

which is argmin_x 1/2 |x - images|^2 + strength R(x). Its images are scaled: the largest gridded value is 1.
"""

import fcntl
import mmap
import os
import runpy
import socket
import sys

SOCKET, MEMORY, LIFE = 3, 4, 5  # files that Spokelab hands over
UNSUPPORTED, NO_MEMORY, FAILED = 1, 2, 3


def one_line(text):
    return " ".join(str(text).split())


def number_of_bits(names, known):
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not one of {known}")
    return sum(1 << known.index(name) for name in set(names))


class Host:
    def __init__(self, file):
        import numpy

        self.np = numpy
        self.module = runpy.run_path(file, run_name="spokelab_plugin")
        self.plans = {}
        self.memory = None

    def shared(self):
        size = os.fstat(MEMORY).st_size
        if self.memory is None or len(self.memory) < size:
            self.memory = mmap.mmap(MEMORY, size)
        return self.memory

    def describe(self):
        get = self.module.get
        words = [one_line(self.module[key]) for key in ("name", "version", "license")]
        words.append(one_line(get("summary", "")))
        words.append(str(number_of_bits(get("dims", (1, 2, 3)), [1, 2, 3])))
        words.append(str(number_of_bits(get("precisions", ("single", "double")), ["single", "double"])))
        words.append(",".join(repr(float(alpha)) for alpha in get("alphas", ())))
        return "\t".join(words)

    def plan(self, key, dims, nx, ny, nz, precision, sign, batch, accuracy, alpha, threads):
        size = tuple(int(n) for n in (nx, ny, nz)[: int(dims)])
        dtype = self.np.dtype("complex64" if precision == "1" else "complex128")
        made = self.module["Plan"](size=size, batch=int(batch), dtype=dtype, sign=int(sign), accuracy=float(accuracy),
                                   alpha=float(alpha), threads=int(threads))
        self.plans[key] = {"plan": made, "size": size, "batch": int(batch), "dtype": dtype, "points": 0}
        grid = [int(n) for n in getattr(made, "grid", ())] + [0, 0, 0]
        return (f"{float(getattr(made, 'alpha', 0) or 0)} {float(getattr(made, 'width', 0) or 0)} "
                f"{grid[0]} {grid[1]} {grid[2]} {int(getattr(made, 'memory', 0) or 0)}")

    def points(self, key, count):
        one, count = self.plans[key], int(count)
        dims = len(one["size"])
        # Copies, as the memory is used again for the next call.
        k = self.np.frombuffer(self.shared(), dtype="float64", count=dims * count).reshape(dims, count).copy()
        one["plan"].set_points(list(k))
        one["points"] = count
        return ""

    def execute(self, key, kind):
        one = self.plans[key]
        images, samples = (one["batch"], *reversed(one["size"])), (one["batch"], one["points"])
        shape_in, shape_out = (samples, images) if kind == "1" else (images, samples)
        memory, dtype, np = self.shared(), one["dtype"], self.np
        values = np.frombuffer(memory, dtype=dtype, count=int(np.prod(shape_in))).reshape(shape_in)
        out = np.frombuffer(memory, dtype=dtype, count=int(np.prod(shape_out)), offset=values.nbytes)
        values.flags.writeable = False
        made = one["plan"].type1(values) if kind == "1" else one["plan"].type2(values)
        made = np.asarray(made)
        if made.size != out.size:
            raise ValueError(f"type{kind} returned the shape {made.shape} where {shape_out} was asked for")
        out[:] = made.astype(dtype, copy=False).ravel()
        return ""

    def describe_denoiser(self):
        words = [one_line(self.module[key]) for key in ("name", "version", "license")]
        words.append(one_line(self.module.get("summary", "")))
        words.append(str(number_of_bits(self.module.get("dims", (1, 2, 3)), [1, 2, 3])))
        self.module["denoise"]
        return "\t".join(words)

    def denoise(self, images, dims, nx, ny, nz, strength):
        np = self.np
        shape = (int(images), *reversed([int(n) for n in (nx, ny, nz)[: int(dims)]]))
        shared = np.frombuffer(self.shared(), dtype="complex64", count=int(np.prod(shape))).reshape(shape)
        made, value = self.module["denoise"](shared.copy(), float(strength)), float("nan")
        if isinstance(made, tuple):
            made, value = made
        made = np.asarray(made)
        if made.shape != shape:
            raise ValueError(f"denoise returned the shape {made.shape} where {shape} was asked for")
        shared[...] = made
        return repr(float(value))

    def destroy(self, key):
        self.plans.pop(key, None)
        return ""


def answer(host, file, line):
    word, *arguments = line.split()
    try:
        if host[0] is None:
            host[0] = Host(file)
        return "ok " + getattr(host[0], word)(*arguments)
    except NotImplementedError as error:
        return f"{UNSUPPORTED} {one_line(error) or 'it does not serve that'}"
    except MemoryError as error:
        return f"{NO_MEMORY} {one_line(error) or 'there is not enough memory for it'}"
    except KeyError as error:
        return f"{FAILED} {'it has no ' if word.startswith('describe') or word == 'plan' else ''}{one_line(error)}"
    except BaseException as error:  # Spokelab continues after any error
        return f"{FAILED} {type(error).__name__}: {one_line(error)}"


def main():
    # The kernel ends this process when Spokelab's end of the pipe is closed, whatever runs here.
    fcntl.fcntl(LIFE, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(LIFE, fcntl.F_SETFL, fcntl.fcntl(LIFE, fcntl.F_GETFL) | os.O_ASYNC)
    os.dup2(2, 1)  # a plug-in's prints must not mix with Spokelab's results
    words = socket.socket(fileno=SOCKET).makefile("rwb", buffering=0)
    host = [None]
    max_answer = 4000
    for line in words:
        words.write(answer(host, sys.argv[1], line.decode()).encode()[:max_answer] + b"\n")


if __name__ == "__main__":
    main()
