#include "engine/nufft/tune/timing_data.h"

#include <random>

#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {

double timingBytes(const TuneRequest& request) {
  const NufftProblem& p = request.problem;
  constexpr double images = 2;
  const double number = p.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const auto samples = double(request.points.size()) / p.dims, pixels = double(p.pixels());
  const double sampled = request.workload.direction == Direction::normal ? 0 : samples;
  return number * (double(p.batch) * (images * pixels + sampled) + pixels);
}

TimingData::TimingData(const TuneRequest& request) {
  requireMemory(timingBytes(request), "Cannot time the transform",
                sizeText(request.problem.size, request.problem.dims) + " pixels with " +
                    countText(request.problem.batch, "image", "images") + " at once",
                "Use a smaller matrix, fewer coils at once, or single precision");
  const NufftProblem& p = request.problem;
  pixels_ = p.pixels();
  batch_ = p.batch;
  samplesOfAll_ = p.batch * (std::int64_t(request.points.size()) / p.dims);
  threads_ = request.options.threads;
}

// Fills with uniform random numbers: their distribution does not change a transform's time.
template <class Real>
std::complex<Real>* TimingData::filled(Buffer<std::complex<Real>>& buffer, std::int64_t count) {
  constexpr std::int64_t block = 1 << 16;
  if (std::int64_t(buffer.size()) == count) return buffer.data();
  buffer.resize(std::size_t(count));
  parallelFor(count, threads_, block, [&](std::int64_t begin, std::int64_t end) {
    std::minstd_rand random(unsigned(7 + begin / block));
    std::uniform_real_distribution<Real> value(-1, 1);
    for (std::int64_t i = begin; i < end; ++i) buffer[std::size_t(i)] = {value(random), value(random)};
  });
  return buffer.data();
}

std::int64_t TimingData::bytes() const {
  std::int64_t sum = ofSets_ ? ofSets_->bytes() : 0;
  for (const auto* const b : {&imageFloat_, &samplesFloat_, &resultFloat_})
    sum += std::int64_t(b->size() * sizeof(cfloat));
  for (const auto* const b : {&imageDouble_, &samplesDouble_, &resultDouble_})
    sum += std::int64_t(b->size() * sizeof(cdouble));
  return sum;
}

TimingData& TimingData::ofSets(const TuneRequest& request, std::int64_t sets) {
  TuneRequest setRequest = request;
  setRequest.problem.batch *= sets;
  if (!ofSets_ || ofSetsCount_ != sets) ofSets_ = std::make_unique<TimingData>(setRequest);
  ofSetsCount_ = sets;
  return *ofSets_;
}

const FarLags& TimingData::farLags(const TuneRequest& request) {
  if (!farLags_) farLags_.emplace(request.problem, request.points, request.weights, request.options.threads);
  return *farLags_;
}

template <class Real>
void TimingData::findNormalPower(Nufft<Real>& plan, double maxSeconds) {
  if (normalPower_) return;
  constexpr std::int64_t maxSeen = 6;
  std::minstd_rand random(7);
  std::uniform_int_distribution<std::int64_t> pixel(0, pixels_ - 1);
  std::complex<Real>* const images = result<Real>();
  double squares = 0;
  std::int64_t seen = 0;
  for (const double begun = now(); seen < maxSeen && (seen == 0 || now() - begun < maxSeconds);
       seen += batch_) {
    std::fill_n(images, batch_ * pixels_, std::complex<Real>(0));
    for (std::int64_t b = 0; b < batch_; ++b) images[b * pixels_ + pixel(random)] = 1;
    plan.normal(images, images);
    for (std::int64_t i = 0; i < batch_ * pixels_; ++i) squares += std::norm(std::complex<double>(images[i]));
  }
  normalPower_ = squares / double(seen);
}

template <>
cfloat* TimingData::image<float>() {
  return filled(imageFloat_, batch_ * pixels_);
}
template <>
cfloat* TimingData::samples<float>() {
  return filled(samplesFloat_, samplesOfAll_);
}
template <>
cfloat* TimingData::result<float>() {
  return filled(resultFloat_, batch_ * pixels_);
}
template <>
cdouble* TimingData::image<double>() {
  return filled(imageDouble_, batch_ * pixels_);
}
template <>
cdouble* TimingData::samples<double>() {
  return filled(samplesDouble_, samplesOfAll_);
}
template <>
cdouble* TimingData::result<double>() {
  return filled(resultDouble_, batch_ * pixels_);
}

template void TimingData::findNormalPower(Nufft<float>& plan, double);
template void TimingData::findNormalPower(Nufft<double>& plan, double);

}  // namespace spokelab
