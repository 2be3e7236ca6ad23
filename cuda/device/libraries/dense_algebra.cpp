#include "cuda/device/libraries/dense_algebra.h"

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <string>

#include "engine/core/error.h"
#include "engine/core/modules/shared_library.h"

namespace spokelab::gpu {
namespace {

[[noreturn]] void failed(const char* doing, const char* library, int code) {
  throw Error("The GPU failed while " + std::string(doing),
              std::string(library) + " error " + std::to_string(code), "Use the CPU backend and report it");
}

void check(cublasStatus_t code, const char* doing) {
  if (code != CUBLAS_STATUS_SUCCESS) failed(doing, "cuBLAS", int(code));
}
void check(cusolverStatus_t code, const char* doing) {
  if (code != CUSOLVER_STATUS_SUCCESS) failed(doing, "cuSOLVER", int(code));
}

struct Functions {
  decltype(cublasCreate_v2)* blasCreate = nullptr;
  decltype(cublasDestroy_v2)* blasDestroy = nullptr;
  decltype(cublasSetStream_v2)* blasSetStream = nullptr;
  decltype(cublasCherk_v2)* cherk = nullptr;
  decltype(cublasCgemm_v2)* cgemm = nullptr;
  decltype(cusolverDnCreate)* solverCreate = nullptr;
  decltype(cusolverDnDestroy)* solverDestroy = nullptr;
  decltype(cusolverDnSetStream)* solverSetStream = nullptr;
  decltype(cusolverDnCheevd_bufferSize)* cheevdSize = nullptr;
  decltype(cusolverDnCheevd)* cheevd = nullptr;
};

bool load(Functions& f) {
  SharedLibrary blas("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));
  blas.find(f.blasCreate, "cublasCreate_v2");
  blas.find(f.blasDestroy, "cublasDestroy_v2");
  blas.find(f.blasSetStream, "cublasSetStream_v2");
  blas.find(f.cherk, "cublasCherk_v2");
  blas.find(f.cgemm, "cublasCgemm_v2");
  SharedLibrary solver("libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));
  solver.find(f.solverCreate, "cusolverDnCreate");
  solver.find(f.solverDestroy, "cusolverDnDestroy");
  solver.find(f.solverSetStream, "cusolverDnSetStream");
  solver.find(f.cheevdSize, "cusolverDnCheevd_bufferSize");
  solver.find(f.cheevd, "cusolverDnCheevd");
  return blas.complete() && solver.complete();
}

class LoadedAlgebra final : public DenseAlgebra {
 public:
  explicit LoadedAlgebra(const Functions& functions) : f_(functions) {
    check(f_.blasCreate(&blas_), "starting cuBLAS");
    const cusolverStatus_t code = f_.solverCreate(&solver_);
    if (code != CUSOLVER_STATUS_SUCCESS) f_.blasDestroy(blas_);
    check(code, "starting cuSOLVER");
  }
  ~LoadedAlgebra() override {
    f_.solverDestroy(solver_);
    f_.blasDestroy(blas_);
  }
  LoadedAlgebra(const LoadedAlgebra&) = delete;
  LoadedAlgebra& operator=(const LoadedAlgebra&) = delete;

  void gram(bool adjoint, std::int64_t n, std::int64_t k, const float2* a, float2* c, cudaStream_t stream,
            std::int64_t columnStep) override {
    constexpr const char* doing = "multiplying matrices";
    const float one = 1, zero = 0;
    const std::int64_t step = columnStep > 0 ? columnStep : adjoint ? k : n;
    check(f_.blasSetStream(blas_, stream), doing);
    check(f_.cherk(blas_, CUBLAS_FILL_MODE_LOWER, adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, int(n), int(k), &one,
                   a, int(step), &zero, c, int(n)),
          doing);
  }

  void adjointProduct(std::int64_t m, std::int64_t n, std::int64_t k, const float2* a, const float2* b,
                      float2* c, cudaStream_t stream) override {
    constexpr const char* doing = "multiplying matrices";
    const float2 one{1, 0}, zero{0, 0};
    check(f_.blasSetStream(blas_, stream), doing);
    check(f_.cgemm(blas_, CUBLAS_OP_C, CUBLAS_OP_N, int(m), int(n), int(k), &one, a, int(k), b, int(k), &zero,
                   c, int(m)),
          doing);
  }

  void product(std::int64_t m, std::int64_t n, std::int64_t k, const float2* a, const float2* b, float2* c,
               cudaStream_t stream) override {
    constexpr const char* doing = "multiplying matrices";
    const float2 one{1, 0}, zero{0, 0};
    check(f_.blasSetStream(blas_, stream), doing);
    check(f_.cgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, int(m), int(n), int(k), &one, a, int(m), b, int(k), &zero,
                   c, int(m)),
          doing);
  }

  bool eigenvectors(std::int64_t n, float2* a, float* values, cudaStream_t stream) override {
    constexpr const char* doing = "finding eigenvectors";
    check(f_.solverSetStream(solver_, stream), doing);
    int numbers = 0, info = 0;
    check(f_.cheevdSize(solver_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, int(n), a, int(n), values,
                        &numbers),
          doing);
    work_.resize(numbers);
    info_.resize(1);
    check(f_.cheevd(solver_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, int(n), a, int(n), values,
                    work_.data(), numbers, info_.data()),
          doing);
    info_.download(&info, 1, stream);
    gpu::check(cudaStreamSynchronize(stream), doing);
    return info == 0;
  }

 private:
  Functions f_;
  cublasHandle_t blas_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  DeviceBuffer<float2> work_;
  DeviceBuffer<int> info_;
};

}  // namespace

std::unique_ptr<DenseAlgebra> DenseAlgebra::load() {
  Functions functions;
  if (!gpu::load(functions)) return nullptr;
  try {
    return std::make_unique<LoadedAlgebra>(functions);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace spokelab::gpu
