// A line of progress on a terminal; nothing anywhere else.
#pragma once

#include <string>

#include "engine/core/progress.h"

namespace spokelab::cli {

class ProgressBar {
 public:
  ProgressBar();   // looks whether stderr is a terminal
  ~ProgressBar();  // takes the line away
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(double fraction, const std::string& what);
  void clear();
  Progress::Report report();  // calls show(); valid as long as this lives

 private:
  bool terminal_ = false, lines_ = false, shown_ = false;
  double last_ = 0, start_;
};

}  // namespace spokelab::cli
