// The vectors of iterative reconstruction on the device: engine/recon/operators/vector_space.h for
// the GPU. All work is given to one stream; between iterations only sums return to the host.
#pragma once

#include <complex>
#include <span>
#include <utility>

#include "cuda/device/buffer.h"
#include "cuda/device/measure/stage_clock.h"
#include "cuda/device/stream.h"
#include "engine/recon/operators/vector_space.h"

namespace spokelab::gpu {

class DeviceSpace {
 public:
  using Real = float;
  using Complex = cfloat;

  // Owns device memory; it moves and does not copy.
  class Vector {
   public:
    Vector() = default;
    explicit Vector(std::int64_t n) : memory_(n) {}
    cfloat* data() { return memory_.data(); }
    const cfloat* data() const { return memory_.data(); }
    std::size_t size() const { return std::size_t(memory_.size()); }

   private:
    DeviceBuffer<cfloat> memory_;
  };

  DeviceSpace();

  Vector make(std::int64_t n) const { return Vector(n); }
  void upload(const cfloat* host, cfloat* x, std::int64_t n);
  void uploadReal(const double* host, cfloat* x, std::int64_t n);
  void download(const cfloat* x, cfloat* host, std::int64_t n);
  void zero(cfloat* x, std::int64_t n) const;
  void copy(const cfloat* from, cfloat* to, std::int64_t n) const;
  void axpy(float a, const cfloat* x, cfloat* y, std::int64_t n) const;
  void addTimes(cfloat a, const cfloat* x, cfloat* y, std::int64_t n) const;
  void xpay(const cfloat* x, float a, cfloat* y, std::int64_t n) const;
  void scaledCopy(float a, const cfloat* x, cfloat* y, std::int64_t n) const;
  double dot(const cfloat* x, const cfloat* y, std::int64_t n) const;
  // Computes all components from the input x: x is read once, not once for each vector.
  double removeComponents(std::span<const Vector> units, cfloat* x, std::int64_t n) const;
  void expand(const cfloat* image, const cfloat* maps, const cfloat* phase, cfloat* out, std::int64_t count,
              std::int64_t n) const;
  void combine(const cfloat* in, const cfloat* maps, const cfloat* phase, cfloat* out, std::int64_t count,
               std::int64_t n, bool add) const;
  void scale(const cfloat* factors, cfloat* values, std::int64_t count, std::int64_t n) const;
  void scaleReal(const float* factors, cfloat* values, std::int64_t count, std::int64_t n) const;
  void differences(const cfloat* image, cfloat* out, const Index3& size, int dims) const;
  void addDifferencesAdjoint(float a, const cfloat* in, cfloat* image, const Index3& size, int dims) const;
  void shrink(float threshold, cfloat* values, std::int64_t n, int dims) const;
  Execution execution() const;
  // Times a call by events, and also a transform's stages.
  template <class Call>
  void timed(SpaceWork work, const Call& call) {
    const std::size_t began = log_.record(stream_.get());
    {
      const StageLogScope scope(work == SpaceWork::transforms ? &log_ : nullptr);
      call();
    }
    log_.add(began, log_.record(stream_.get()), times_[work]);
    if (log_.events() >= maxEvents) log_.read();
  }
  SpaceTimes takeTimed() {
    log_.read();
    times_.stages = std::exchange(log_.stages, {});
    return std::exchange(times_, {});
  }
  void synchronize() const { gpu::synchronize(stream_.get()); }

  // Arrays that crossed the bus, for tests.
  std::int64_t copies() const { return copies_; }

 private:
  // The sum, on the host; `parts` are device memory.
  double sumOfParts(double* parts, int count) const;

  static constexpr std::size_t maxEvents = 512;  // between two looks at them

  Stream stream_;
  DeviceBuffer<double> sum_;
  StageLog log_;
  SpaceTimes times_;
  std::int64_t copies_ = 0;
};

}  // namespace spokelab::gpu
