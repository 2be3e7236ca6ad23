#include "engine/core/measure/machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "engine/core/stage_timer.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double minWatchedSeconds = 0.1;  // the kernel counts in hundredths
constexpr int digits = 2;

double loadAverage() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

double secondsOf(const timeval& t) {
  constexpr double microsecond = 1e-6;
  return double(t.tv_sec) + microsecond * double(t.tv_usec);
}

}  // namespace

std::string loadText(const MachineLoad& load) {
  std::string text;
  if (load.isBusy())
    text = "the machine was busy: other programs took " + numberText(load.others, digits) + " of " +
           countText(load.processors, "processor");
  if (load.atStart >= 0 && load.atEnd >= 0)
    text += (text.empty() ? "load average " : "; load average ") + numberText(load.atStart, digits) +
            " at the start, " + numberText(load.atEnd, digits) + " at the end";
  return text;
}

double busySeconds(std::string_view stat, double ticksPerSecond) {
  constexpr std::string_view head = "cpu ";
  if (!stat.starts_with(head) || !(ticksPerSecond > 0)) return -1;
  stat = stat.substr(head.size(), stat.find('\n') - head.size());
  // user nice system idle iowait irq softirq steal: all but the fourth and fifth are work.
  constexpr std::array works = {true, true, true, false, false, true, true, true};
  double ticks = 0;
  std::size_t column = 0;
  while (column < works.size()) {
    while (!stat.empty() && stat.front() == ' ') stat.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(stat.data(), stat.data() + stat.size(), value);
    if (error != std::errc{}) break;
    if (works.at(column)) ticks += value;
    stat.remove_prefix(std::size_t(end - stat.data()));
    ++column;
  }
  constexpr std::size_t minColumns = 4;
  return column < minColumns ? -1 : ticks / ticksPerSecond;
}

LoadWatch::LoadWatch() : atStart_(loadAverage()), start_(sample()) {
}

LoadWatch::Sample LoadWatch::sample() {
  Sample s;
  s.time = now();
  std::ifstream in("/proc/stat");
  std::string line;
  std::getline(in, line);
  s.all = busySeconds(line, double(sysconf(_SC_CLK_TCK)));
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) s.own = secondsOf(used.ru_utime) + secondsOf(used.ru_stime);
  return s;
}

MachineLoad LoadWatch::load() const {
  MachineLoad load;
  load.atStart = atStart_;
  load.atEnd = loadAverage();
  load.processors = int(sysconf(_SC_NPROCESSORS_ONLN));
  const Sample end = sample();
  const double seconds = end.time - start_.time;
  if (start_.all >= 0 && end.all >= 0 && seconds >= minWatchedSeconds)
    load.others = std::max(0.0, (end.all - start_.all) - (end.own - start_.own)) / seconds;
  return load;
}

}  // namespace spokelab
