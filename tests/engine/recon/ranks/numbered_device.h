// The CPU as a machine with several devices: for tests of jobs on several GPUs.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "tests/engine/recon/ranks/other_processor.h"

namespace spokelab::test {

// One of them.
class NumberedDevice : public OtherProcessor {
 public:
  NumberedDevice(int number, const std::vector<std::unique_ptr<NumberedDevice>>& all)
      : number_(number), all_(all) {}
  int deviceCount() const override { return int(all_.size()); }
  Backend& device(int number) override { return *all_[std::size_t(number)]; }
  int deviceNumber() const override { return number_; }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.precision == Precision::single) {
      ++plans;
      if (fails) throw Error("The GPU failed", "it is lost", "Look for it");
    }
    return OtherProcessor::makePlan(p, o);
  }

  std::atomic<int> plans = 0;
  bool fails = false;

 private:
  int number_;
  const std::vector<std::unique_ptr<NumberedDevice>>& all_;
};

}  // namespace spokelab::test
