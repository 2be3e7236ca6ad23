// Whether a sanitizer watches each access to memory: bounds of time are wider in such a build.
#pragma once

namespace spokelab {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

}  // namespace spokelab
