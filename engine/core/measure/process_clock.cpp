#include "engine/core/measure/process_clock.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace spokelab {

double secondsSinceProcessStart() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  // The program's name is in brackets, and may contain blanks and brackets.
  const std::size_t name = text.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream fields(text.substr(name + 1));
  constexpr int fieldsBetween = 19;  // from the name, which is the second, to the start, the 22nd
  std::string skipped;
  for (int i = 0; i < fieldsBetween; ++i) fields >> skipped;
  double ticks = 0;
  timespec clock{};
  const long perSecond = ::sysconf(_SC_CLK_TCK);
  // The kernel counts the start from boot, time in suspension included, as CLOCK_BOOTTIME does.
  if (!(fields >> ticks) || perSecond <= 0 || ::clock_gettime(CLOCK_BOOTTIME, &clock) != 0) return 0;
  constexpr double nanosecond = 1e-9;
  const double sinceBoot = double(clock.tv_sec) + nanosecond * double(clock.tv_nsec);
  return std::max(0.0, sinceBoot - ticks / double(perSecond));
}

}  // namespace spokelab
