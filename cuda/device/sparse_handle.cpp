#include "cuda/device/sparse_handle.h"

#include <type_traits>

namespace spokelab::gpu {
namespace {

constexpr std::int64_t parts = 2;  // real, imaginary

// Descriptors are plain host records; they live for one call.
struct MatrixDescriptor {
  cusparseSpMatDescr_t get = nullptr;
  ~MatrixDescriptor() {
    if (get) cusparseDestroySpMat(get);
  }
};

struct VectorDescriptor {
  cusparseDnMatDescr_t get = nullptr;
  ~VectorDescriptor() {
    if (get) cusparseDestroyDnMat(get);
  }
};

}  // namespace

SparseHandle::SparseHandle() { check(cusparseCreate(&handle_), "starting cuSPARSE"); }

SparseHandle::~SparseHandle() {
  if (handle_) cusparseDestroy(handle_);
}

template <class Real>
void multiply(const SparseHandle& handle, const SparseMatrix<Real>& matrix, const void* x, void* y,
              DeviceBuffer<char>& work, cudaStream_t stream) {
  constexpr const char* doing = "multiplying by the sparse matrix";
  constexpr cudaDataType type = std::is_same_v<Real, double> ? CUDA_R_64F : CUDA_R_32F;
  check(cusparseSetStream(handle.get(), stream), doing);
  MatrixDescriptor a;
  VectorDescriptor in, out;
  check(cusparseCreateCsr(&a.get, matrix.rows, matrix.columns, matrix.nonzeros, matrix.rowStart, matrix.column,
                          matrix.value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
        doing);
  check(cusparseCreateDnMat(&in.get, matrix.columns, parts, parts, const_cast<void*>(x), type, CUSPARSE_ORDER_ROW),
        doing);
  check(cusparseCreateDnMat(&out.get, matrix.rows, parts, parts, y, type, CUSPARSE_ORDER_ROW), doing);
  const Real one = 1, zero = 0;
  constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  constexpr auto algorithm = CUSPARSE_SPMM_CSR_ALG2;  // the one for row-major columns
  std::size_t bytes = 0;
  check(cusparseSpMM_bufferSize(handle.get(), plain, plain, &one, a.get, in.get, &zero, out.get, type, algorithm, &bytes),
        doing);
  work.resize(std::int64_t(bytes));
  check(cusparseSpMM(handle.get(), plain, plain, &one, a.get, in.get, &zero, out.get, type, algorithm, work.data()),
        doing);
}

template void multiply(const SparseHandle&, const SparseMatrix<float>&, const void*, void*, DeviceBuffer<char>&,
                       cudaStream_t);
template void multiply(const SparseHandle&, const SparseMatrix<double>&, const void*, void*, DeviceBuffer<char>&,
                       cudaStream_t);

}  // namespace spokelab::gpu
