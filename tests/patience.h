// The longest time that a test waits for what has to happen, in milliseconds: long, as other programs may keep the
// machine busy.
#pragma once

namespace spokelab {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int patience = 900'000;  // instrumented, with other tests beside it
#else
inline constexpr int patience = 60'000;
#endif

}  // namespace spokelab
