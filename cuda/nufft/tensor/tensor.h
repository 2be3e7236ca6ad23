// Spreading and interpolation on tensor cores: our fastest method, 2-D and 3-D, float and double.
//
// The grid is cut into columns of 16 x 16 cells in (y, x) that run along z (2-D: tiles without z;
// in double also of 32 x 32, tensor_layout.h).
// A column owns the points whose first touched cell is in its first blockY x blockX cells, so all
// their cells are inside. Points are sorted by (column, first z cell). One warp (double:
// two or four) marches a column along z. For a batch of points p
//   spread:       slab_s[y, x] += sum_p (k_y(p, y) k_z(p, s)) (c_p k_x(p, x))  a product over p
//   interpolate:  c_p = sum_s sum_{y, x} k_y(p, y) (k_x(p, x) k_z(p, s)) slab_s[y, x]
// and registers hold the ceil(W) slabs that a point touches. Shared memory needs no atomics, and
// clustered points are fast.
//
// Float evaluates the kernel as a polynomial in q = 1 - (2u/W)^2 on [0, 1]: Kaiser-Bessel is an
// entire function of q with positive coefficients (and the prolate function one that deviates as
// little), so one short polynomial holds over the whole support, for any real W, and is zero for q
// < 0. Double has a polynomial in x, the point's place, for each pair of opposite cells. The kernel
// is even, so both cells have the same even part, and odd parts that differ in sign.
//
// Precision: float runs on fp16 pairs where the accuracy asked leaves room for their error
// (operands are scaled to the range), else on three products of fp16 heads and tails, 22 bits
// together, added in FP32; double runs on DMMA.
//
// Limits (tensorSupports): Kaiser-Bessel or prolate kernel; 2-D or 3-D; less than 2^31 points;
// ceil(W) from 2 to 8 in float, in double from 5 to 16 (2-D) or 15 (3-D). Grid: at least 16 cells
// in x and y, or 32 where ceil(W) is 16; an even number in x in float; at least ceil(W) in z.
#pragma once

#include <cuda_runtime.h>

#include "cuda/nufft/tensor/tensor_layout.h"
#include "cuda/nufft/tensor/tensor_sort.h"

namespace spokelab::gpu {

// Adds to `grid`, which the caller clears before. c: [batch, count], grid: [batch, z, y, x], both
// complex interleaved. largest: device scalar, largest |component| of c over the batch, for fp16
// scaling; unused in double.
void tensorSpread(const TensorLayout<float>&, const TensorPoints<float>&, const float2* c, float2* grid,
                  int batch, const float* largest, cudaStream_t stream);
void tensorSpread(const TensorLayout<double>&, const TensorPoints<double>&, const double2* c, double2* grid,
                  int batch, const float* largest, cudaStream_t stream);

// Writes c. energy: device scalar, sum of |.|^2 over what the FFT turned into the grids of the
// batch, for fp16 scaling (energyScale); unused in double.
void tensorInterpolate(const TensorLayout<float>&, const TensorPoints<float>&, const float2* grid, float2* c,
                       int batch, const double* energy, cudaStream_t stream);
void tensorInterpolate(const TensorLayout<double>&, const TensorPoints<double>&, const double2* grid,
                       double2* c, int batch, const double* energy, cudaStream_t stream);

}  // namespace spokelab::gpu
