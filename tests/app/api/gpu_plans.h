// Plans and random data that the tests of the C interface on a GPU share.
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/app/api/c_handles.h"
#include "tests/app/api/gpu_driver.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/engine/recon/measures.h"

namespace spokelab::test {

inline constexpr std::int64_t count = 700;
inline constexpr std::array<std::int64_t, 3> size{22, 19, 16};
inline constexpr double singleAccuracy = 1e-4, doubleAccuracy = 1e-9;

inline std::int64_t pixelsOf(int dims) {
  std::int64_t pixels = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) pixels *= size[d];
  return pixels;
}

template <class Complex>
std::vector<Complex> randomValues(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<cdouble> values = normalData(random, n);
  return {values.begin(), values.end()};
}

inline std::vector<double> randomPoints(int dims, double scale = 1) {
  std::mt19937 random(8);
  std::vector<double> points = uniformPoints(random, count, dims);
  for (double& k : points) k *= scale;
  return points;
}

template <class Complex>
constexpr bool isDouble = sizeof(Complex) == sizeof(cdouble);
template <class Complex>
constexpr spokelab_precision precisionOf = isDouble<Complex> ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE;
template <class Complex>
constexpr double accuracyOf = isDouble<Complex> ? doubleAccuracy : singleAccuracy;
template <class Complex>
constexpr const char* accuracyText = isDouble<Complex> ? "1e-9" : "1e-4";

inline void ok(spokelab_status status) {
  if (status != SPOKELAB_OK) qFatal("%s", spokelab_error_text());
}

// A handle that ends with its scope.
template <class T, void (*destroy)(T*)>
struct Owner {
  T* handle = nullptr;
  Owner() = default;
  ~Owner() { destroy(handle); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
};
using Plan = Owner<spokelab_plan, spokelab_plan_destroy>;
using Type3 = Owner<spokelab_type3, spokelab_type3_destroy>;
using Gdft = Owner<spokelab_transform, spokelab_gdft_destroy>;
using Sense = Owner<spokelab_sense, spokelab_sense_destroy>;

template <class Complex>
void makePlan(Plan& plan, const Context& context, const char* backend, int dims, std::int64_t batch,
              const char* normal = "gridded") {
  const Options options{{"accuracy", accuracyText<Complex>}, {"backend", backend}, {"normal", normal}};
  ok(spokelab_plan_create(context.handle, dims, size.data(), -1, precisionOf<Complex>, batch, options.handle,
                          &plan.handle));
  ok(spokelab_plan_set_points(plan.handle, count, randomPoints(dims).data()));
  std::vector<double> weights;
  for (std::int64_t j = 0; j < count; ++j) weights.push_back(0.5 + double(j) / double(count));
  ok(spokelab_plan_set_weights(plan.handle, count, weights.data()));
}

}  // namespace spokelab::test
