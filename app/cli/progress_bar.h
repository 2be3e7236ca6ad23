// A line of progress on a terminal; nothing anywhere else, but for --verbose: then each step has a
// line with the seconds since the start.
#pragma once

#include <string>

#include "engine/core/progress.h"

namespace spokelab::cli {

enum class Talk { usual, quiet, verbose };  // --quiet: errors alone

class ProgressBar {
 public:
  explicit ProgressBar(Talk talk);  // looks whether stderr is a terminal
  ~ProgressBar();                   // takes the line away
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double fraction, const std::string& what);
  void clear();
  Progress::Report report();  // calls show(); valid as long as this lives

 private:
  void showStep(double time, const std::string& what);

  bool terminal_ = false, lines_ = false, shown_ = false, steps_ = false;
  std::string step_;  // that has its line already
  double last_ = 0, start_;
};

}  // namespace spokelab::cli
