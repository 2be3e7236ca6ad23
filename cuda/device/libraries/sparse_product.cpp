#include "cuda/device/libraries/sparse_product.h"

#include <cusparse.h>

#include <string>

#include "cuda/device/buffer.h"
#include "engine/core/error.h"
#include "engine/core/modules/shared_library.h"

namespace spokelab::gpu {
namespace {

struct Functions {
  decltype(cusparseCreate)* create = nullptr;
  decltype(cusparseDestroy)* destroy = nullptr;
  decltype(cusparseSetStream)* setStream = nullptr;
  decltype(cusparseCreateConstCsr)* createMatrix = nullptr;
  decltype(cusparseDestroySpMat)* destroyMatrix = nullptr;
  decltype(cusparseCreateDnVec)* createVector = nullptr;
  decltype(cusparseDestroyDnVec)* destroyVector = nullptr;
  decltype(cusparseDnVecSetValues)* setVector = nullptr;
  decltype(cusparseCreateDnMat)* createColumns = nullptr;
  decltype(cusparseDestroyDnMat)* destroyColumns = nullptr;
  decltype(cusparseDnMatSetValues)* setColumns = nullptr;
  decltype(cusparseSpMV_bufferSize)* vectorBytes = nullptr;
  // Has the product's parameters. An older library that is found at run time may lack it.
  decltype(cusparseSpMV)* analyseVector = nullptr;
  decltype(cusparseSpMV)* multiplyVector = nullptr;
  decltype(cusparseSpMM_bufferSize)* columnsBytes = nullptr;
  decltype(cusparseSpMM_preprocess)* analyseColumns = nullptr;
  decltype(cusparseSpMM)* multiplyColumns = nullptr;
  std::string missing;
};

Functions load() {
  Functions f;
  SharedLibrary library("libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR));
  library.find(f.create, "cusparseCreate");
  library.find(f.destroy, "cusparseDestroy");
  library.find(f.setStream, "cusparseSetStream");
  library.find(f.createMatrix, "cusparseCreateConstCsr");
  library.find(f.destroyMatrix, "cusparseDestroySpMat");
  library.find(f.createVector, "cusparseCreateDnVec");
  library.find(f.destroyVector, "cusparseDestroyDnVec");
  library.find(f.setVector, "cusparseDnVecSetValues");
  library.find(f.createColumns, "cusparseCreateDnMat");
  library.find(f.destroyColumns, "cusparseDestroyDnMat");
  library.find(f.setColumns, "cusparseDnMatSetValues");
  library.find(f.vectorBytes, "cusparseSpMV_bufferSize");
  library.findOptional(f.analyseVector, "cusparseSpMV_preprocess");
  library.find(f.multiplyVector, "cusparseSpMV");
  library.find(f.columnsBytes, "cusparseSpMM_bufferSize");
  library.find(f.analyseColumns, "cusparseSpMM_preprocess");
  library.find(f.multiplyColumns, "cusparseSpMM");
  f.missing = library.missing();
  return f;
}

const Functions& functions() {
  static const Functions loaded = load();
  return loaded;
}

void check(cusparseStatus_t code, const char* doing) {
  if (code == CUSPARSE_STATUS_SUCCESS) return;
  const std::string what = "The GPU failed while " + std::string(doing);
  if (code == CUSPARSE_STATUS_ALLOC_FAILED || code == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
    throw Error(what, "not enough GPU memory for cuSPARSE",
                "Use less oversampling, fewer points, or the CPU");
  throw Error(what, "cuSPARSE error " + std::to_string(int(code)),
              "Choose the method \"sparse\" and report it");
}

constexpr const char* analysing = "analysing a sparse matrix";
constexpr const char* multiplying = "multiplying with a sparse matrix";
constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto vectorAlgorithm = CUSPARSE_SPMV_CSR_ALG2;
constexpr auto columnsAlgorithm = CUSPARSE_SPMM_CSR_ALG2;

}  // namespace

struct SparseProduct::State {
  const Functions& f = functions();
  cusparseHandle_t handle = nullptr;
  cusparseConstSpMatDescr_t matrix = nullptr;
  // Operands of SpMV, or of SpMM: from and to.
  cusparseDnVecDescr_t vector[2] = {};
  cusparseDnMatDescr_t columns[2] = {};
  cudaDataType compute = CUDA_C_32F;
  DeviceBuffer<char> work;
  // 1 and 0 in the type of the computation; a real one reads the first part. Aligned as the
  // library's complex numbers are.
  alignas(16) double doubles[2][2] = {{1, 0}, {0, 0}};
  alignas(16) float floats[2][2] = {{1, 0}, {0, 0}};

  const void* scalar(int i) const {
    const bool isDouble = compute == CUDA_C_64F || compute == CUDA_R_64F;
    return isDouble ? static_cast<const void*>(doubles[i]) : floats[i];
  }

  void forget() {
    if (matrix) f.destroyMatrix(matrix);
    matrix = nullptr;
    for (int i = 0; i < 2; ++i) {
      if (vector[i]) f.destroyVector(vector[i]);
      if (columns[i]) f.destroyColumns(columns[i]);
      vector[i] = nullptr;
      columns[i] = nullptr;
    }
  }

  void setVectors(const SparseOperand& a, void* anywhere) {
    const cudaDataType type = a.isDouble ? CUDA_C_64F : CUDA_C_32F;
    compute = type;
    check(f.createVector(&vector[0], a.columns, anywhere, type), analysing);
    check(f.createVector(&vector[1], a.rows, anywhere, type), analysing);
    std::size_t bytes = 0;
    check(f.vectorBytes(handle, plain, scalar(0), matrix, vector[0], scalar(1), vector[1], compute,
                        vectorAlgorithm, &bytes),
          analysing);
    work.resize(std::int64_t(bytes));
    if (f.analyseVector)
      check(f.analyseVector(handle, plain, scalar(0), matrix, vector[0], scalar(1), vector[1], compute,
                            vectorAlgorithm, work.data()),
            analysing);
  }

  void setColumns(const SparseOperand& a, std::int64_t vectors, void* anywhere) {
    const cudaDataType type = a.isDouble ? CUDA_R_64F : CUDA_R_32F;
    const std::int64_t count = 2 * vectors;
    compute = type;
    check(f.createColumns(&columns[0], a.columns, count, count, anywhere, type, CUSPARSE_ORDER_ROW),
          analysing);
    check(f.createColumns(&columns[1], a.rows, count, count, anywhere, type, CUSPARSE_ORDER_ROW), analysing);
    std::size_t bytes = 0;
    check(f.columnsBytes(handle, plain, plain, scalar(0), matrix, columns[0], scalar(1), columns[1], compute,
                         columnsAlgorithm, &bytes),
          analysing);
    work.resize(std::int64_t(bytes));
    check(f.analyseColumns(handle, plain, plain, scalar(0), matrix, columns[0], scalar(1), columns[1],
                           compute, columnsAlgorithm, work.data()),
          analysing);
  }
};

SparseProduct::SparseProduct() : state_(std::make_unique<State>()) {
  const char* const what = "Cannot plan the transform on the GPU";
  const char* const remedy = "Choose the method \"sparse\", which needs no library";
  if (!state_->f.missing.empty())
    throw Error(what, "the method \"cusparse\" needs cuSPARSE: " + state_->f.missing, remedy);
  const cusparseStatus_t code = state_->f.create(&state_->handle);
  if (code != CUSPARSE_STATUS_SUCCESS)
    throw Error(what, "cuSPARSE does not start here, error " + std::to_string(int(code)), remedy);
}

SparseProduct::~SparseProduct() {
  state_->forget();
  if (state_->handle) state_->f.destroy(state_->handle);
}

void SparseProduct::set(const SparseOperand& a, std::int64_t vectors, cudaStream_t stream) {
  State& s = *state_;
  s.forget();
  check(s.f.setStream(s.handle, stream), analysing);
  const auto index = a.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  check(s.f.createMatrix(&s.matrix, a.rows, a.columns, a.entries, a.rowStart, a.column, a.value, index, index,
                         CUSPARSE_INDEX_BASE_ZERO, a.isDouble ? CUDA_R_64F : CUDA_R_32F),
        analysing);
  // The analysis looks at shapes alone: where the vectors lie is said by apply().
  void* const anywhere = const_cast<void*>(a.value);
  if (vectors == 1)
    s.setVectors(a, anywhere);
  else
    s.setColumns(a, vectors, anywhere);
}

void SparseProduct::apply(const void* x, void* y, cudaStream_t stream) {
  State& s = *state_;
  check(s.f.setStream(s.handle, stream), multiplying);
  void* const from = const_cast<void*>(x);
  if (s.vector[0]) {
    check(s.f.setVector(s.vector[0], from), multiplying);
    check(s.f.setVector(s.vector[1], y), multiplying);
    check(s.f.multiplyVector(s.handle, plain, s.scalar(0), s.matrix, s.vector[0], s.scalar(1), s.vector[1],
                             s.compute, vectorAlgorithm, s.work.data()),
          multiplying);
  } else {
    check(s.f.setColumns(s.columns[0], from), multiplying);
    check(s.f.setColumns(s.columns[1], y), multiplying);
    check(s.f.multiplyColumns(s.handle, plain, plain, s.scalar(0), s.matrix, s.columns[0], s.scalar(1),
                              s.columns[1], s.compute, columnsAlgorithm, s.work.data()),
          multiplying);
  }
}

std::int64_t SparseProduct::memory() const {
  return state_->work.bytes();
}

std::int64_t SparseProduct::estimate(std::int64_t entries) {
  constexpr std::int64_t leastBytes = 1 << 20, entriesPerByte = 2;
  return leastBytes + entries / entriesPerByte;
}

}  // namespace spokelab::gpu
