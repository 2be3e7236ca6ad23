// Progress and cancellation of one job. A long function takes a `const Progress&`, reports, and is
// unwound by `Cancelled` when the owner's stop_source fires. Check at least every 100 ms of work.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "engine/core/error.h"

namespace spokelab {

class Progress {
 public:
  // fraction is the share of the whole job, in [0, 1]; `what` is one short phrase for the user.
  // Called on the worker thread; the receiver throttles.
  using Report = std::function<void(double fraction, const std::string& what)>;

  Progress() = default;
  explicit Progress(std::stop_token stop, Report report = {})
      : stop_(std::move(stop)), report_(std::move(report)) {}

  // Reports a share of this part, in [0, 1]. A negative fraction (length unknown) reports the
  // part's start. Throws Cancelled like checkpoint().
  void report(double fraction, const std::string& what) const {
    checkpoint();
    if (report_) report_(low_ + (fraction < 0 ? 0 : fraction) * (high_ - low_), what);
  }
  // Throws Cancelled if the job was asked to stop. Cheap.
  void checkpoint() const {
    if (stop_.stop_requested()) throw Cancelled{};
  }
  bool stopRequested() const noexcept { return stop_.stop_requested(); }
  const std::stop_token& stopToken() const noexcept { return stop_; }

  // The same job, its [0, 1] mapped to [low, high] of this one.
  Progress part(double low, double high) const {
    Progress p = *this;
    p.low_ = low_ + low * (high_ - low_);
    p.high_ = low_ + high * (high_ - low_);
    return p;
  }

 private:
  std::stop_token stop_;
  Report report_;
  double low_ = 0, high_ = 1;
};

}  // namespace spokelab
