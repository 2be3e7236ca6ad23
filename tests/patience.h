// The longest time that a test waits for what has to happen, in milliseconds. It is long, because
// other programs may keep the machine busy.
#pragma once

#include "tests/instrumented.h"

namespace spokelab {

inline constexpr int patience = instrumented ? 900'000 : 60'000;

}  // namespace spokelab
