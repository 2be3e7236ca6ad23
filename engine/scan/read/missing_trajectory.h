// The error of a file that holds samples and no trajectory, which another file may give.
#pragma once

#include "engine/core/error.h"

namespace spokelab {

class MissingTrajectory : public Error {
 public:
  using Error::Error;
};

}  // namespace spokelab
