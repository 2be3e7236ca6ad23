// cuSPARSE behind one class: a real sparse matrix in CSR applied to complex vectors, which are dense matrices of two real
// columns, row by row.
#pragma once

#include <cstdint>

#include "cuda/device/buffer.h"

namespace spokelab::gpu {

class SparseHandle {
 public:
  SparseHandle();
  ~SparseHandle();
  SparseHandle(const SparseHandle&) = delete;
  SparseHandle& operator=(const SparseHandle&) = delete;
  cusparseHandle_t get() const { return handle_; }

 private:
  cusparseHandle_t handle_ = nullptr;
};

/// A [rows, columns], indices of 32 bits. The arrays are device memory of the caller's and must stay.
template <class Real>
struct SparseMatrix {
  std::int64_t rows = 0, columns = 0, nonzeros = 0;
  int* rowStart = nullptr;  // [rows + 1]
  int* column = nullptr;    // [nonzeros]
  Real* value = nullptr;    // [nonzeros]
};

/// y = A x; x: [columns], y: [rows], both complex. `work` grows as cuSPARSE asks.
template <class Real>
void multiply(const SparseHandle& handle, const SparseMatrix<Real>& matrix, const void* x, void* y,
              DeviceBuffer<char>& work, cudaStream_t stream);

}  // namespace spokelab::gpu
