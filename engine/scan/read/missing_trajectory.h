// The error of a file that holds samples and no trajectory, which another file may give.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/scan/scan.h"

namespace spokelab {

class MissingTrajectory : public Error {
 public:
  MissingTrajectory(const std::string& summary, const std::string& reason, const std::string& remedy,
                    std::vector<Decision> decisions)
      : Error(summary, reason, remedy), decisions(std::move(decisions)) {}
  std::vector<Decision> decisions;  // all that the reader found before: protocol, coils, counters
};

}  // namespace spokelab
