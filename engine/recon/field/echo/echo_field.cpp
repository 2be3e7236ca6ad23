#include "engine/recon/field/echo/echo_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/field/echo/smooth_map.h"
#include "engine/recon/field/echo/unwrap_phase.h"

namespace spokelab {
namespace {

double quantileOf(std::vector<double> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The mean over each pixel and its neighbours along all axes.
template <class T>
std::vector<T> blurred(std::vector<T> values, const Index3& size) {
  std::int64_t step = 1;
  for (std::size_t d = 0; d < 3; step *= size[d], ++d) {
    if (size[d] == 1) continue;
    const std::vector<T> before = values;
    for (std::int64_t i = 0; i < std::int64_t(values.size()); ++i) {
      const std::int64_t at = i / step % size[d];
      if (at > 0) values[std::size_t(i)] += before[std::size_t(i - step)];
      if (at < size[d] - 1) values[std::size_t(i)] += before[std::size_t(i + step)];
    }
  }
  return values;
}

class EchoFieldEstimate {
 public:
  EchoFieldEstimate(const EchoImages& echoes, double smoothing, const Progress& progress)
      : in_(echoes), pixels_(std::size_t(product(echoes.size))), smoothing_(smoothing), progress_(progress) {}

  EchoField run() {
    choosePair();
    findObject();
    fromPair();
    for (std::size_t used = 2; used < in_.times.size();) {
      const double reach = 2 * (in_.times[last_] - in_.times[first_]);
      while (first_ > 0 && in_.times[last_] - in_.times[first_ - 1] <= reach) --first_;
      while (last_ + 1 < in_.times.size() && in_.times[last_ + 1] - in_.times[first_] <= reach) ++last_;
      if (last_ + 1 - first_ == used) last_ + 1 < in_.times.size() ? ++last_ : --first_;
      used = last_ + 1 - first_;
      refine();
    }
    finish();
    return std::move(out_);
  }

 private:
  cdouble value(std::size_t echo, std::size_t pixel) const { return cdouble(in_.images[echo][pixel]); }

  // The neighbours in time with the least time between them.
  void choosePair() {
    for (std::size_t e = 0; e + 1 < in_.times.size(); ++e)
      if (in_.times[e + 1] - in_.times[e] < in_.times[first_ + 1] - in_.times[first_]) first_ = e;
    last_ = first_ + 1;
    out_.span = in_.times[last_] - in_.times[first_];
    turned_.resize(pixels_);
    for (std::size_t i = 0; i < pixels_; ++i) turned_[i] = value(last_, i) * std::conj(value(first_, i));
  }

  // Pixels with a signal, whose neighbours' phases agree.
  void findObject() {
    constexpr double brightShare = 0.95, minMagnitude = 0.1, minAgreement = 0.6;
    std::vector<double> squares(pixels_);
    for (std::size_t i = 0; i < pixels_; ++i) squares[i] = std::abs(turned_[i]);
    const double bright = quantileOf(squares, brightShare);
    const std::vector<cdouble> sum = blurred(turned_, in_.size);
    const std::vector<double> blurredSquares = blurred(squares, in_.size);
    out_.object.assign(pixels_, false);
    bool any = false;
    for (std::size_t i = 0; i < pixels_; ++i)
      if (squares[i] > minMagnitude * minMagnitude * bright &&
          std::abs(sum[i]) > minAgreement * blurredSquares[i])
        any = out_.object[i] = true;
    if (!any)
      throw Error("Cannot find the field from the echoes", "no pixel has a signal with a steady phase",
                  "Look at the echoes' images: the field needs their phases");
  }

  void fromPair() {
    std::vector<double> phase(pixels_), quality(pixels_, 0.0);
    for (std::size_t i = 0; i < pixels_; ++i) {
      phase[i] = std::arg(turned_[i]);
      if (out_.object[i]) quality[i] = std::abs(turned_[i]);
    }
    const UnwrappedPhase unwrapped = unwrapPhase(phase, quality, in_.size, progress_);
    dropSpecks(unwrapped);
    measured_.assign(pixels_, 0.0);
    for (std::size_t i = 0; i < pixels_; ++i) measured_[i] = -unwrapped.phase[i] / out_.span;
    for (const int r : parts_) {
      progress_.checkpoint();
      const double shift = shiftOf(unwrapped, r);
      for (std::size_t i = 0; i < pixels_; ++i)
        if (unwrapped.region[i] == r) measured_[i] += shift;
    }
    weigh();
    smooth();
  }

  // Noise in the air agrees by chance in small regions, which do not count.
  void dropSpecks(const UnwrappedPhase& unwrapped) {
    constexpr double minShare = 0.01;
    std::vector<std::size_t> pixels(std::size_t(unwrapped.regions), 0);
    for (const int r : unwrapped.region)
      if (r >= 0) ++pixels[std::size_t(r)];
    const double least = minShare * double(*std::max_element(pixels.begin(), pixels.end()));
    for (std::size_t i = 0; i < pixels_; ++i)
      if (const int r = unwrapped.region[i]; r >= 0 && double(pixels[std::size_t(r)]) < least)
        out_.object[i] = false;
    for (int r = 0; r < unwrapped.regions; ++r)
      if (double(pixels[std::size_t(r)]) >= least) parts_.push_back(r);
    out_.regions = int(parts_.size());
  }

  // The multiple of 2 pi / span for a region: by the agreement of echoes, else the median near 0.
  double shiftOf(const UnwrappedPhase& unwrapped, int region) const {
    constexpr int maxTurns = 3;
    constexpr double tie = 0.98;  // of the best agreement
    std::vector<std::size_t> members;
    std::vector<double> values;
    for (std::size_t i = 0; i < pixels_; ++i)
      if (unwrapped.region[i] == region) {
        members.push_back(i);
        values.push_back(measured_[i]);
      }
    const double turn = 2 * std::numbers::pi / out_.span, median = quantileOf(values, 0.5),
                 nearest = -turn * std::nearbyint(median / turn);
    if (in_.times.size() == 2) return nearest;
    std::array<double, 2 * maxTurns + 1> agreement{};
    for (int k = -maxTurns; k <= maxTurns; ++k)
      for (const std::size_t i : members) {
        cdouble sum = 0;
        for (std::size_t e = 0; e < in_.times.size(); ++e)
          sum += value(e, i) * std::polar(1.0, (measured_[i] + nearest + k * turn) * in_.times[e]);
        agreement[std::size_t(k + maxTurns)] += std::abs(sum);
      }
    const double best = *std::max_element(agreement.begin(), agreement.end());
    for (int k = 0; k <= maxTurns; ++k)
      for (const int side : {k, -k})
        if (agreement[std::size_t(side + maxTurns)] >= tie * best) return nearest + side * turn;
    return nearest;
  }

  // Weights of the pixels from the echoes first_ ... last_.
  void weigh() {
    weights_.assign(pixels_, 0.0);
    for (std::size_t i = 0; i < pixels_; ++i) {
      if (!out_.object[i]) continue;
      double w = 0, wt = 0, wtt = 0;
      for (std::size_t e = first_; e <= last_; ++e) {
        const double m = std::norm(value(e, i)), t = in_.times[e] - in_.times[first_];
        w += m;
        wt += m * t;
        wtt += m * t * t;
      }
      weights_[i] = w > 0 ? std::max(0.0, wtt - wt * wt / w) : 0;
    }
  }

  void smooth() { out_.field = smoothMap(measured_, weights_, in_.size, smoothing_, progress_); }

  // Adds the field that the residual phases over the echoes first_ ... last_ show.
  void refine() {
    weigh();
    for (std::size_t i = 0; i < pixels_; ++i) {
      if (!out_.object[i]) continue;
      std::vector<cdouble> left;
      cdouble mean = 0;
      for (std::size_t e = first_; e <= last_; ++e) {
        left.push_back(value(e, i) * std::polar(1.0, out_.field[i] * in_.times[e]));
        mean += left.back();
      }
      double w = 0, wt = 0, wp = 0, wtp = 0;
      for (std::size_t e = 0; e < left.size(); ++e) {
        const double m = std::norm(left[e]), t = in_.times[first_ + e] - in_.times[first_],
                     p = std::arg(left[e] * std::conj(mean));
        w += m;
        wt += m * t;
        wp += m * p;
        wtp += m * t * p;
      }
      measured_[i] = out_.field[i];
      if (weights_[i] > 0) measured_[i] -= (wtp - wt * wp / w) / weights_[i];
    }
    smooth();
  }

  void finish() {
    // Noise from what the smoothing took away: a robust standard deviation.
    constexpr double perMedian = 1.4826;
    std::vector<double> residuals;
    for (std::size_t i = 0; i < pixels_; ++i)
      if (weights_[i] > 0)
        residuals.push_back(std::abs(measured_[i] - out_.field[i]) * std::sqrt(weights_[i]));
    const double noise = residuals.empty() ? 0 : perMedian * quantileOf(residuals, 0.5);
    const double unknown =
        2 * std::numbers::pi / out_.span / std::sqrt(12.0);  // evenly spread over all phases
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t i = 0; i < pixels_; ++i)
      if (out_.object[i]) {
        low = std::min(low, out_.field[i]);
        high = std::max(high, out_.field[i]);
      }
    out_.deviation.assign(pixels_, unknown);
    std::vector<double> rates(pixels_, 0.0);
    for (std::size_t i = 0; i < pixels_; ++i) {
      out_.field[i] = std::clamp(out_.field[i], low, high);
      if (weights_[i] <= 0) continue;
      out_.deviation[i] = std::min(unknown, noise / std::sqrt(weights_[i]));
      rates[i] = rateOf(i);
    }
    out_.decay = smoothMap(rates, weights_, in_.size, smoothing_, progress_);
    for (std::size_t i = 0; i < pixels_; ++i)
      out_.decay[i] = out_.object[i] ? std::max(0.0, out_.decay[i]) : 0;
  }

  double rateOf(std::size_t pixel) const {
    double w = 0, wt = 0, wl = 0, wtl = 0;
    for (std::size_t e = 0; e < in_.times.size(); ++e) {
      const double m = std::norm(value(e, pixel)), t = in_.times[e] - in_.times[0];
      if (m == 0) continue;
      const double log = std::log(m) / 2;
      w += m;
      wt += m * t;
      wl += m * log;
      wtl += m * t * log;
    }
    return -(wtl - wt * wl / w) / weights_[pixel];
  }

  const EchoImages& in_;
  std::size_t pixels_;
  double smoothing_;
  const Progress& progress_;
  std::size_t first_ = 0, last_ = 1;  // echoes that the map so far is made of
  std::vector<cdouble> turned_;       // z_{e+1} conj(z_e) of the first pair
  std::vector<int> parts_;            // regions that count
  std::vector<double> measured_, weights_;
  EchoField out_;
};

}  // namespace

EchoField fieldFromEchoImages(const EchoImages& echoes, double smoothing, const Progress& progress) {
  const std::string problem = "Cannot find the field from the echoes";
  if (echoes.times.size() < 2)
    throw Error(problem, "there are fewer than two echoes", "Give two or more echoes with different times");
  for (std::size_t e = 0; e + 1 < echoes.times.size(); ++e)
    if (!(echoes.times[e + 1] > echoes.times[e]))
      throw Error(problem, "the echo times do not rise", "Give the time of each echo with echo-times");
  return EchoFieldEstimate(echoes, smoothing, progress).run();
}

}  // namespace spokelab
