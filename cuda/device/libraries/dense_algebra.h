// Products and eigenvectors of dense complex matrices, by cuBLAS and cuSOLVER. Both libraries are
// large, and most jobs need neither: they are loaded at first use. Matrices are column-major, in
// device memory.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/device/buffer.h"

namespace spokelab::gpu {

class DenseAlgebra {
 public:
  // Null where a library, or a function of it, cannot be loaded, and where the device has no memory
  // left for it. Not for several threads at once.
  static std::unique_ptr<DenseAlgebra> load();

  virtual ~DenseAlgebra() = default;
  // Lower triangle of c [n, n] = a a^H; a [n, k]. adjoint: = a^H a; a [k, n]. columnStep: between
  // the columns of a; 0: they follow each other. Throws Error.
  virtual void gram(bool adjoint, std::int64_t n, std::int64_t k, const float2* a, float2* c,
                    cudaStream_t stream, std::int64_t columnStep = 0) = 0;
  // c [m, n] = a b; a [m, k], b [k, n]. Throws Error.
  virtual void product(std::int64_t m, std::int64_t n, std::int64_t k, const float2* a, const float2* b,
                       float2* c, cudaStream_t stream) = 0;
  // c [m, n] = a^H b; a [k, m], b [k, n]. Throws Error.
  virtual void adjointProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float2* a,
                              const float2* b, float2* c, cudaStream_t stream) = 0;
  // a [n, n], of which the lower triangle counts, becomes its unit eigenvectors, a column each;
  // values [n], ascending. False where the iteration does not converge. Throws Error (memory).
  virtual bool eigenvectors(std::int64_t n, float2* a, float* values, cudaStream_t stream) = 0;
};

}  // namespace spokelab::gpu
