#include "app/api/checks.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/parallel_all.h"
#include "engine/core/text.h"
#include "engine/scan/scan.h"

namespace spokelab::api {
namespace {

// allOf(begin, end): whether these values are finite.
template <class AllOf>
void require(std::int64_t count, const char* what, const AllOf& allOf) {
  if (holdsForAll(count, allOf)) return;
  std::int64_t first = 0;
  while (allOf(first, first + 1)) ++first;
  throw Error("Numbers that are not finite cannot be used",
              "number " + std::to_string(first) + " of the " + what + " is NaN or infinite",
              "Mend or remove it");
}

template <class Real>
void requireReals(const Real* values, std::int64_t count, const char* what) {
  require(count, what, [=](std::int64_t begin, std::int64_t end) {
    Real sum = 0;  // 0 times a number that is not finite is NaN
    for (std::int64_t i = begin; i < end; ++i) sum += 0 * values[i];
    return sum == 0;
  });
}

}  // namespace

std::int64_t pixelsOf(const Index3& size) {
  constexpr double maxPixels = double(std::int64_t{1} << 44);  // as plans have it
  double pixels = 1;
  for (const std::int64_t n : size) pixels *= double(n);
  if (pixels > maxPixels)
    throw Error("The image is too large",
                "it would have " + numberText(pixels, 3) + " pixels, more than " + numberText(maxPixels, 3),
                "Give a smaller size, in pixels along x, y and z");
  return product(size);
}

void requirePlausible(double numbers, double bytesEach, const char* what) {
  requireMemory(numbers * bytesEach, "An array is too large", what, "Check the counts that are given");
}

void requireFinite(std::span<const double> values, const char* what) {
  requireReals(values.data(), std::int64_t(values.size()), what);
}
void requireFinite(const float* values, std::int64_t count, const char* what) {
  requireReals(values, count, what);
}
void requireFinite(const cfloat* values, std::int64_t count, const char* what) {
  require(count, what, [=](std::int64_t begin, std::int64_t end) {
    return spokelab::allFinite(values + begin, end - begin);
  });
}
void requireFinite(const cdouble* values, std::int64_t count, const char* what) {
  require(count, what, [=](std::int64_t begin, std::int64_t end) {
    return spokelab::allFinite(values + begin, end - begin);
  });
}

}  // namespace spokelab::api
