// Checks of the numbers that callers of the C interface pass, before they are read or kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/core/array.h"

namespace spokelab::api {

// Pixels of an image. Throws Error where no machine holds them.
std::int64_t pixelsOf(const Index3& size);

// Throws Error if an array cannot be in this machine's memory: its count is wrong, do not read it.
void requirePlausible(double numbers, double bytesEach, const char* what);

// Throws Error where a number is NaN or infinite; `what` names the array ("times").
void requireFinite(std::span<const double> values, const char* what);
// Throws Error if a number is not finite; `count` numbers or pairs of numbers, all on the host.
void requireFinite(const float* values, std::int64_t count, const char* what);
void requireFinite(const cfloat* values, std::int64_t count, const char* what);
void requireFinite(const cdouble* values, std::int64_t count, const char* what);

}  // namespace spokelab::api
