"""spokelab.jax: jit, vmap, grad and jvp against exact sums, and the interface to XLA against jaxlib's header."""

import gc
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
import spokelab
from exact import difference, matrix, random_complex, random_points

try:
    import jax
    import jax.numpy as jnp
    import jax.test_util

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    import spokelab.jax
except ImportError:
    jax = None

CASES = [((7,), -1), ((5, 6), 1), ((3, 4, 3), -1)]
COUNT = 6


@unittest.skipIf(jax is None, "jax is not installed")
class Transforms(unittest.TestCase):
    def each(self, cases=CASES):
        for shape, sign in cases:
            with self.subTest(shape=shape, sign=sign):
                transform = spokelab.jax.NufftTransform(shape, sign=sign, dtype=np.complex128, accuracy=1e-11)
                points = random_points(COUNT, len(shape))
                yield transform, random_complex(shape), random_complex((COUNT,), seed=3), points

    def test_values_with_and_without_jit(self):
        for transform, image, samples, points in self.each():
            dense = matrix(points, transform.shape, transform.sign)
            for wrap in (lambda f: f, jax.jit):
                self.assertLess(difference(wrap(transform.forward)(image, points), dense @ image.ravel()), 1e-10)
                self.assertLess(difference(wrap(transform.adjoint)(samples, points), dense.conj().T @ samples), 1e-10)

    def test_leading_axes_and_vmap(self):
        for transform, image, samples, points in self.each(CASES[1:2]):
            images = random_complex((2, 3) + transform.shape)
            dense = matrix(points, transform.shape, transform.sign)
            expected = images.reshape(6, -1) @ dense.T
            over = jax.vmap(transform.forward, (0, None))
            for found in (transform(images, points), over(images, points), jax.vmap(over, (0, None))(images, points),
                          jax.jit(jax.vmap(over, (1, None), 1))(images, points)):
                self.assertEqual(found.shape, (2, 3, COUNT))
                self.assertLess(difference(found, expected), 1e-10)
            frames = np.stack([random_points(COUNT, points.shape[1], seed) for seed in range(4)])  # a set for each
            denses = [matrix(own, transform.shape, transform.sign) for own in frames]
            expected = np.stack([own @ image.ravel() for own in denses])
            self.assertLess(difference(jax.vmap(transform.forward, (None, 0))(image, frames), expected), 1e-10)
            all_four = jax.vmap(jax.vmap(transform.forward, (None, 0)), (None, 0))
            found = jax.jit(all_four)(image, frames.reshape((2, 2) + points.shape))
            self.assertLess(difference(found, expected), 1e-10)
            many = random_complex((4, 3) + transform.shape)
            expected = np.stack([m.reshape(3, -1) @ own.T for m, own in zip(many, denses)])
            found = jax.vmap(jax.vmap(transform.forward, (0, None)))(many, frames)
            self.assertLess(difference(found, expected), 1e-10)
            back = jax.vmap(transform.adjoint)(np.broadcast_to(samples, (4, COUNT)), frames)
            self.assertLess(difference(back, np.stack([own.conj().T @ samples for own in denses])), 1e-10)

    def test_derivatives_against_differences(self):
        for transform, image, samples, points in self.each(CASES[:2]):
            order = 2 if len(transform.shape) == 1 else 1
            for call, values in ((transform.forward, image), (transform.adjoint, samples)):
                jax.test_util.check_grads(call, (values, points), order=order, eps=1e-4, rtol=1e-3, atol=1e-3)

    def test_gradients_against_exact_sums(self):
        for transform, image, samples, points in self.each(CASES[1:]):
            dense = matrix(points, transform.shape, transform.sign)

            def loss(m, k):
                return (jnp.abs(transform.forward(m, k) - samples) ** 2).sum()

            by_image, by_points = jax.jit(jax.grad(loss, (0, 1)))(image, points)
            misfit = dense @ image.ravel() - samples
            expected = (2 * dense.conj().T @ misfit).conj()  # JAX's gradient is the conjugate
            self.assertLess(difference(by_image, expected), 1e-9)
            step, slopes = 1e-6, np.empty_like(points)
            for index in np.ndindex(points.shape):
                losses = []
                for way in (1, -1):
                    moved = points.copy()
                    moved[index] += way * step
                    at = matrix(moved, transform.shape, transform.sign) @ image.ravel() - samples
                    losses.append(np.linalg.norm(at) ** 2)
                slopes[index] = (losses[0] - losses[1]) / (2 * step)
            self.assertLess(difference(by_points, slopes), 1e-6)

    def test_a_gradient_of_a_batch_of_sets(self):
        transform = spokelab.jax.NufftTransform((5, 6), dtype=np.complex128, accuracy=1e-11)
        frames = np.stack([random_points(COUNT, 2, seed) for seed in range(3)])
        images = random_complex((3, 5, 6))

        def loss(m, k):
            return (jnp.abs(transform(m, k)) ** 4).sum()

        both = jax.jit(jax.vmap(jax.grad(loss, (0, 1))))(images, frames)
        alone = [jax.grad(loss, (0, 1))(m, k) for m, k in zip(images, frames)]
        for together, single in zip(both, zip(*alone)):
            self.assertLess(difference(together, np.stack(single)), 1e-9)

    def test_single_precision_and_other_inputs(self):
        transform = spokelab.jax.NufftTransform((12, 10), accuracy=1e-5)
        points = random_points(50, 2).astype(np.float32)
        dense = matrix(points, (12, 10))
        found = jax.jit(transform)(np.ones((12, 10)), points)  # real pixels
        self.assertEqual(found.dtype, np.complex64)
        self.assertLess(difference(found, dense.sum(1)), 2e-5)
        slope = jax.grad(lambda m: jnp.abs(transform(m, points)).sum())(jnp.ones((12, 10)))
        self.assertFalse(np.iscomplexobj(slope))
        self.assertEqual(transform(np.zeros((0, 12, 10)), points).shape, (0, 50))
        nothing = transform.adjoint(np.zeros(0), np.zeros((0, 2)))
        np.testing.assert_array_equal(nothing, np.zeros((12, 10)))

    def test_points_that_moved_are_noticed_and_bad_ones_refused(self):
        transform = spokelab.jax.NufftTransform(9, dtype=np.complex128, accuracy=1e-9)
        image, run = random_complex((9,)), jax.jit(transform.forward)
        for seed in (1, 2, 2, 1):
            points = random_points(5, 1, seed)
            self.assertLess(difference(run(image, points), matrix(points, (9,)) @ image), 2e-9)
        with self.assertRaisesRegex(Exception, "finite"):
            jax.block_until_ready(run(image, points * np.nan))
        self.assertLess(difference(run(image, points), matrix(points, (9,)) @ image), 2e-9)

    def test_what_does_not_fit_is_refused(self):
        make = spokelab.jax.NufftTransform
        for wrong in (dict(dtype=str), dict(shape=(2, 2, 2, 2)), dict(backend="cuda")):
            self.assertRaises((ValueError, TypeError), make, **{"shape": (4, 3), **wrong})
        for wrong in (dict(accuracy=1e-12), dict(alpha=7), dict(lambda_=1), dict(nonsense=1)):
            self.assertRaises(spokelab.Error, make, (4, 3), **wrong)
        transform = make((4, 3))
        image, points = np.ones((4, 3)), random_points(5, 2)
        for bad in ((image.T, points), (image, points[:, :1]), (image, points.T), (image[0], points)):
            self.assertRaises(ValueError, transform.forward, *bad)
        self.assertRaises(ValueError, transform.adjoint, np.ones(4), points)

    def test_a_plan_ends_with_its_transform(self):
        transform = spokelab.jax.NufftTransform((4, 3))
        core = transform._plan(1, 0)
        call = jax.ffi.ffi_call("spokelab_nufft", jax.ShapeDtypeStruct((5,), np.complex64))
        image, points = jnp.ones((4, 3), jnp.complex64), jnp.asarray(random_points(5, 2))
        number = core.number()
        call(image, points, plan=np.int64(number), adjoint=np.int64(0)).block_until_ready()
        with self.assertRaisesRegex(Exception, "size"):
            call(image, points[:4], plan=np.int64(number), adjoint=np.int64(0)).block_until_ready()
        del transform, core
        gc.collect()
        with self.assertRaisesRegex(Exception, "gone"):
            call(image, points, plan=np.int64(number), adjoint=np.int64(0)).block_until_ready()


@unittest.skipIf(jax is None, "jax is not installed")
class Interface(unittest.TestCase):
    def test_our_description_is_jaxlibs(self):
        compiler = shutil.which("c++")
        header = pathlib.Path(__file__).parents[3] / "app/python/core/xla_ffi.h"
        if not compiler or not header.exists():
            self.skipTest("there is no compiler, or no source")
        pairs = {"Buffer": "structSize struct_size, type dtype, data data, rank rank, dims dims",
                 "Text:ByteSpan": "data ptr, size len", "Scalar": "type dtype, value value",
                 "Buffers:Args": "size size, kinds types, buffers args",
                 "Buffers:Rets": "size size, kinds types, buffers rets",
                 "Attributes:Attrs": "size size, kinds types, names names, values attrs",
                 "CallFrame": "extensions extension_start, api api, context ctx, stage stage, arguments args, "
                              "results rets, attributes attrs",
                 "Api": "structSize struct_size, version api_version, makeError XLA_FFI_Error_Create",
                 "ApiVersion:Api_Version": "major major_version, minor minor_version",
                 "Extension:Extension_Base": "type type, next next",
                 "Metadata": "version api_version, traits traits",
                 "MetadataExtension:Metadata_Extension": "metadata metadata",
                 "ErrorToMake:Error_Create_Args": "message message, code errc"}
        lines = ["#include <xla/ffi/api/c_api.h>", f'#include "{header}"', "namespace ours = spokelab::python::xla;"]
        for names, members in pairs.items():
            ours, _, theirs = names.partition(":")
            for member in members.split(", "):
                own, other = member.split()
                lines.append(f"static_assert(offsetof(ours::{ours}, {own}) == "
                             f"offsetof(XLA_FFI_{theirs or ours}, {other}));")
        values = {"Type::int64": "DataType_S64", "Type::float32": "DataType_F32", "Type::float64": "DataType_F64",
                  "Type::complex64": "DataType_C64", "Type::complex128": "DataType_C128",
                  "ArgumentKind::buffer": "ArgType_BUFFER", "AttributeKind::scalar": "AttrType_SCALAR",
                  "ErrorCode::invalidArgument": "Error_Code_INVALID_ARGUMENT",
                  "ErrorCode::resourceExhausted": "Error_Code_RESOURCE_EXHAUSTED",
                  "ErrorCode::internal": "Error_Code_INTERNAL", "metadataExtension": "Extension_Metadata",
                  "apiMajor": "API_MAJOR"}
        lines += [f"static_assert(int(ours::{own}) == int(XLA_FFI_{other}));" for own, other in values.items()]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "compared.cpp")
            source.write_text("\n".join(lines) + "\n")
            done = subprocess.run([compiler, "-std=c++20", "-Wno-invalid-offsetof", "-fsyntax-only", "-I",
                                   jax.ffi.include_dir(), str(source)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
