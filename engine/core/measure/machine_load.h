// The machine's other load during a measurement. The load average also counts our threads, so the
// processor time of other processes is measured instead.
#pragma once

#include <string>
#include <string_view>

namespace spokelab {

struct MachineLoad {
  double atStart = -1, atEnd = -1;  // load averages over a minute; negative: not known
  double others = -1;               // processors that other programs kept busy; negative: not known
  int processors = 0;

  // True if other programs took more than a tenth of the machine.
  bool isBusy() const { return others > maxShareOfOthers * processors; }

  static constexpr double maxShareOfOthers = 0.1;
};

// "load average 0.12 at the start, 1.9 at the end"; of a busy machine "the machine was busy: other
// programs took 1.3 of 2 processors; load average ...". Empty where nothing is known.
std::string loadText(const MachineLoad& load);

// Processor seconds that all programs took since the machine started, by the first line of
// /proc/stat; negative where that says nothing.
double busySeconds(std::string_view stat, double ticksPerSecond);

// Watches from construction on.
class LoadWatch {
 public:
  LoadWatch();
  MachineLoad load() const;  // until now

 private:
  struct Sample {
    double time = 0, all = -1, own = 0;  // seconds
  };
  static Sample sample();

  double atStart_;
  Sample start_;
};

}  // namespace spokelab
