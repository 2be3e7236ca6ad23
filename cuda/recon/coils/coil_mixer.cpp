#include "cuda/recon/coils/coil_mixer.h"

#include <algorithm>
#include <map>

#include "cuda/device/device.h"
#include "cuda/device/stream.h"
#include "cuda/recon/coils/sent_array.h"
#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

// Below, the host is done before the samples are there.
constexpr std::int64_t minValues = std::int64_t(1) << 19;
// Less arrives within a millisecond.
constexpr std::int64_t minSentValues = std::int64_t(1) << 20;
// Share of the free memory for input and mixed samples: the transforms need the rest.
constexpr double maxMemoryShare = 0.25;
// Samples whose products are added in single precision; sums of these are added in double.
constexpr std::int64_t samplesPerSum = std::int64_t(1) << 14;

const float2* on(const cfloat* values) {
  return reinterpret_cast<const float2*>(values);
}

class DeviceMixer final : public CoilMixer {
 public:
  DeviceMixer(CalibrationTools& tools, FollowedSamples& followed) : tools_(tools), followed_(followed) {}

  bool ready() const override { return tools_.ready(); }

  bool takes(std::int64_t coils, std::int64_t samples) override {
    if (coils * samples < minValues || samples > INT32_MAX) return false;
    constexpr double arrays = 2;  // before and after
    return hasRoom(arrays * double(coils * samples) * sizeof(float2)) && tools_.use([](DenseAlgebra&) {});
  }

  bool send(std::span<const cfloat* const> coils, std::int64_t samples) override {
    const auto count = std::int64_t(coils.size());
    if (count * samples < minSentValues || sent_.contains(coils.front())) return false;
    for (std::int64_t c = 0; c < count; ++c)
      if (coils[std::size_t(c)] != coils.front() + c * samples) return false;
    if (!hasRoom(double(count * samples) * sizeof(float2))) return false;
    if (auto there = followed_.take(coils.front(), count, samples)) {
      keptBytes_ += double(there->bytes());
      sent_[coils.front()] = std::move(there);
      return true;
    }
    try {
      const auto& made = sent_[coils.front()] =
          std::make_shared<SentArray>(coils.front(), count, samples * std::int64_t(sizeof(cfloat)));
      keptBytes_ += double(made->bytes());
      return true;
    } catch (const Error&) {  // no memory
      sent_.erase(coils.front());
      return false;
    }
  }

  void forget(const cfloat* host) override {
    const auto found = sent_.find(host);
    if (found == sent_.end()) return;
    keptBytes_ -= double(found->second->bytes());
    sent_.erase(found);
  }

  void sendPoints(std::span<const double> coordinates) override {
    forgetPoints();
    const auto count = std::int64_t(coordinates.size());
    if (count < minSentValues || !hasRoom(double(coordinates.size_bytes()))) return;
    try {
      points_ = std::make_unique<SentArray>(coordinates.data(), 1, count * std::int64_t(sizeof(double)));
      pointsHere_ = coordinates.data();
      keptBytes_ += double(points_->bytes());
    } catch (const Error&) {  // no memory
      points_.reset();
    }
  }

  const double* copyOfPoints(const double* host) const override {
    return points_ && host == pointsHere_ ? static_cast<const double*>(points_->at(0)) : nullptr;
  }

  void forgetPoints() override {
    if (points_) keptBytes_ -= double(points_->bytes());
    points_.reset();
  }

  std::vector<cdouble> covariance(std::span<const cfloat* const> coils, std::int64_t samples,
                                  const Progress& progress) override {
    load(coils, samples, progress);
    const auto n = std::int64_t(coils.size());
    const std::int64_t sums = (samples + samplesPerSum - 1) / samplesPerSum;
    DeviceBuffer<float2> grams(sums * n * n);
    tools_.use([&](DenseAlgebra& algebra) {
      for (std::int64_t s = 0; s < sums; ++s) {
        const std::int64_t first = s * samplesPerSum;
        algebra.gram(true, n, std::min(samplesPerSum, samples - first), loaded_.data() + first,
                     grams.data() + s * n * n, stream_.get(), samples);
      }
    });
    std::vector<float2> host(std::size_t(grams.size()));
    grams.download(host.data(), grams.size(), stream_.get());
    synchronize(stream_.get());
    // The lower triangle of Y^H Y, by columns; y y^H is its conjugate.
    std::vector<cdouble> total(std::size_t(n * n), 0.0);
    for (std::int64_t s = 0; s < sums; ++s)
      for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = column; row < n; ++row) {
          const float2 v = host[std::size_t((s * n + column) * n + row)];
          total[std::size_t(row * n + column)] += cdouble(v.x, -v.y);
        }
    for (std::int64_t a = 0; a < n; ++a) {
      total[std::size_t(a * n + a)] = total[std::size_t(a * n + a)].real();
      for (std::int64_t b = a + 1; b < n; ++b)
        total[std::size_t(a * n + b)] = std::conj(total[std::size_t(b * n + a)]);
    }
    return total;
  }

  void mix(std::span<const cdouble> matrix, int rows, std::span<const cfloat* const> coils,
           std::int64_t samples, cfloat* out, const Progress& progress) override {
    load(coils, samples, progress);
    std::vector<float2> factors;
    for (const cdouble& m : matrix) factors.push_back({float(m.real()), float(m.imag())});
    DeviceBuffer<float2> m, mixed(rows * samples);
    m.upload(factors.data(), std::int64_t(factors.size()), stream_.get());
    // [sample, coil] by columns, times M^T, which is M by rows.
    tools_.use([&](DenseAlgebra& algebra) {
      algebra.product(samples, rows, std::int64_t(coils.size()), loaded_.data(), m.data(), mixed.data(),
                      stream_.get());
    });
    mixed.download(reinterpret_cast<float2*>(out), rows * samples, stream_.get());
    synchronize(stream_.get());
    loaded_.release();
    first_ = nullptr;
    progress.checkpoint();
    DeviceBuffer<float2>& kept = mixedCoils_[out];
    keptBytes_ += double(mixed.bytes()) - double(kept.bytes());
    kept = std::move(mixed);
  }

  const cfloat* copyOf(const cfloat* host) const override {
    if (const auto next = sent_.upper_bound(host); next != sent_.begin()) {
      const auto& [begin, samples] = *std::prev(next);
      if (const void* const there = samples->at((host - begin) * std::int64_t(sizeof(cfloat))))
        return static_cast<const cfloat*>(there);
    }
    const auto after = mixedCoils_.upper_bound(host);
    if (after == mixedCoils_.begin()) return nullptr;
    const auto& [begin, values] = *std::prev(after);
    if (host >= begin + values.size()) return nullptr;
    return reinterpret_cast<const cfloat*>(values.data()) + (host - begin);
  }

 private:
  bool hasRoom(double bytes) {
    if (maxBytes_ == 0) maxBytes_ = maxMemoryShare * double(freeMemory());
    return keptBytes_ + bytes < maxBytes_;
  }

  // loaded_ [coil, sample]; once for covariance() and mix() of the same samples.
  void load(std::span<const cfloat* const> coils, std::int64_t samples, const Progress& progress) {
    if (first_ == coils.front()) return;
    first_ = nullptr;
    const auto count = std::int64_t(coils.size());
    loaded_.resize(count * samples);
    const auto followed = followed_.take(coils.front(), count, samples);
    const void* const there = followed ? followed->at(0) : nullptr;
    if (there)
      check(cudaMemcpyAsync(loaded_.data(), there, std::size_t(count * samples) * sizeof(float2),
                            cudaMemcpyDeviceToDevice, stream_.get()),
            "copying on the GPU");
    for (std::size_t c = 0; c < coils.size() && !there; ++c) {
      progress.checkpoint();
      copyToDevice(loaded_.data() + std::int64_t(c) * samples, on(coils[c]),
                   std::size_t(samples) * sizeof(float2), stream_.get());
    }
    synchronize(stream_.get());
    first_ = coils.front();
  }

  CalibrationTools& tools_;
  FollowedSamples& followed_;
  Stream stream_;
  double maxBytes_ = 0, keptBytes_ = 0;  // of device memory
  const cfloat* first_ = nullptr;        // of the samples that loaded_ holds
  std::unique_ptr<SentArray> points_;
  const double* pointsHere_ = nullptr;  // those that points_ copies
  DeviceBuffer<float2> loaded_;
  std::map<const cfloat*, DeviceBuffer<float2>> mixedCoils_;  // by where the host has them
  std::map<const cfloat*, std::shared_ptr<const ArrivingArray>> sent_;
};

}  // namespace

std::shared_ptr<CoilMixer> makeCoilMixer(CalibrationTools& tools, FollowedSamples& followed) {
  return std::make_shared<DeviceMixer>(tools, followed);
}

}  // namespace spokelab::gpu
