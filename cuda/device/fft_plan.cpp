#include "cuda/device/fft_plan.h"

#include <utility>

namespace spokelab::gpu {
namespace {

// cuFFT wants the slowest dimension first.
struct Shape {
  int rank;
  int size[3];
  long long wide[3], distance;
  Shape(int dims, const std::array<int, 3>& n) : rank(dims), size{}, wide{}, distance(1) {
    for (int d = 0; d < dims; ++d) {
      size[d] = n[std::size_t(dims - 1 - d)];
      wide[d] = size[d];
      distance *= size[d];
    }
  }
};

}  // namespace

FftPlan::FftPlan(int dims, const std::array<int, 3>& size, std::int64_t batch, bool doublePrecision)
    : double_(doublePrecision) {
  make(dims, size, batch, double_ ? CUFFT_Z2Z : CUFFT_C2C);
}

FftPlan FftPlan::toReal(int dims, const std::array<int, 3>& size, bool doublePrecision) {
  FftPlan plan;
  plan.double_ = doublePrecision;
  plan.make(dims, size, 1, doublePrecision ? CUFFT_Z2D : CUFFT_C2R);
  return plan;
}

void FftPlan::make(int dims, const std::array<int, 3>& size, std::int64_t batch, cufftType type) {
  Shape shape(dims, size);
  check(cufftCreate(&plan_), "planning the FFT");
  hasPlan_ = true;
  try {
    check(cufftSetAutoAllocation(plan_, 0), "planning the FFT");
    std::size_t bytes = 0;
    check(cufftMakePlanMany64(plan_, shape.rank, shape.wide, nullptr, 1, shape.distance, nullptr, 1,
                              shape.distance, type, batch, &bytes),
          "planning the FFT");
    work_.resize(std::int64_t(bytes));
    check(cufftSetWorkArea(plan_, work_.data()), "planning the FFT");
  } catch (...) {
    cufftDestroy(plan_);
    hasPlan_ = false;
    throw;
  }
}

FftPlan::~FftPlan() {
  if (hasPlan_) cufftDestroy(plan_);
}

FftPlan::FftPlan(FftPlan&& o) noexcept
    : plan_(o.plan_),
      hasPlan_(std::exchange(o.hasPlan_, false)),
      double_(o.double_),
      work_(std::move(o.work_)) {
}

FftPlan& FftPlan::operator=(FftPlan&& o) noexcept {
  std::swap(plan_, o.plan_);
  std::swap(hasPlan_, o.hasPlan_);
  std::swap(double_, o.double_);
  std::swap(work_, o.work_);
  return *this;
}

void FftPlan::execute(void* in, void* out, int sign, cudaStream_t stream) const {
  check(cufftSetStream(plan_, stream), "computing the FFT");
  const int direction = sign < 0 ? CUFFT_FORWARD : CUFFT_INVERSE;
  if (double_)
    check(cufftExecZ2Z(plan_, static_cast<cufftDoubleComplex*>(in), static_cast<cufftDoubleComplex*>(out),
                       direction),
          "computing the FFT");
  else
    check(cufftExecC2C(plan_, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out), direction),
          "computing the FFT");
}

void FftPlan::executeToReal(void* in, void* out, cudaStream_t stream) const {
  check(cufftSetStream(plan_, stream), "computing the FFT");
  if (double_)
    check(cufftExecZ2D(plan_, static_cast<cufftDoubleComplex*>(in), static_cast<double*>(out)),
          "computing the FFT");
  else
    check(cufftExecC2R(plan_, static_cast<cufftComplex*>(in), static_cast<float*>(out)), "computing the FFT");
}

std::int64_t FftPlan::estimate(int dims, const std::array<int, 3>& size, std::int64_t batch,
                               bool doublePrecision) {
  Shape shape(dims, size);
  std::size_t bytes = 0;
  const cufftResult code =
      cufftEstimateMany(shape.rank, shape.size, nullptr, 1, int(shape.distance), nullptr, 1,
                        int(shape.distance), doublePrecision ? CUFFT_Z2Z : CUFFT_C2C, int(batch), &bytes);
  const std::int64_t grid = std::int64_t(shape.distance) * batch * (doublePrecision ? 16 : 8);
  return code == CUFFT_SUCCESS ? std::int64_t(bytes) : grid;
}

}  // namespace spokelab::gpu
