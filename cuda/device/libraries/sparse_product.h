// Products of a real sparse matrix with complex vectors, by cuSPARSE. The library is large, and
// most jobs do without it: the first product loads it.
//
// One vector is a product of matrix and vector (SpMV), which takes real entries and complex values.
// Several at a time are a product of matrices (SpMM), which takes one type alone: the real and the
// imaginary parts of all vectors are its columns, side by side in each row, and an entry is read
// once for all of them. (One vector as two such columns took 8 to 10 times as long as our own
// kernel.) Matrices are not transposed, the algorithms CSR_ALG2 of both: documented to repeat, yet
// sums of SpMM in float differed from run to run on an H200 (cuSPARSE of CUDA 13.0).
#pragma once

#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

namespace spokelab::gpu {

// Compressed rows in device memory.
struct SparseOperand {
  std::int64_t rows = 0, columns = 0, entries = 0;
  // [rows + 1], [entries], [entries]: indices of 64 bits where `wide`, else of 32, and values of 64
  // bits where `isDouble`.
  const void *rowStart = nullptr, *column = nullptr, *value = nullptr;
  bool wide = false, isDouble = false;
};

class SparseProduct {
 public:
  // Throws Error where cuSPARSE cannot be loaded or started, with the reason.
  SparseProduct();
  ~SparseProduct();
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  // Analyses the matrix, which has to outlive the products, for products with `vectors` complex
  // vectors at a time. At least one row, column and entry. Throws Error (memory).
  void set(const SparseOperand& matrix, std::int64_t vectors, cudaStream_t stream);
  // y [rows, vectors] = A x [columns, vectors] in the precision of the matrix, vectors side by
  // side.
  void apply(const void* x, void* y, cudaStream_t stream);
  std::int64_t memory() const;
  // Estimates memory() in bytes: 1 MiB, and a byte for every two entries. Only the library knows
  // the true size of its work memory, and only for a matrix that is set.
  static std::int64_t estimate(std::int64_t entries);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace spokelab::gpu
