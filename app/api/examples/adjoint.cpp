// A plan in double precision from C++, held by unique_ptr: <A m, s> = <m, A^H s>.
#include <spokelab.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace {

void check(spokelab_status status) {
  if (status != SPOKELAB_OK) throw std::runtime_error(spokelab_error_text());
}

struct Destroy {
  void operator()(spokelab_context* context) const { spokelab_context_destroy(context); }
  void operator()(spokelab_plan* plan) const { spokelab_plan_destroy(plan); }
};

using Values = std::vector<std::complex<double>>;

std::complex<double> product(const Values& a, const Values& b) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

}  // namespace

int main() try {
  constexpr std::int64_t count = 5000;
  constexpr std::int64_t size[] = {20, 24, 30};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::normal_distribution<double> normal;
  std::vector<double> points(3 * count);
  for (double& k : points) k = place(random);
  Values image(20 * 24 * 30), samples(count), forward(count), adjoint(image.size());
  for (auto* values : {&image, &samples})
    for (auto& v : *values) v = {normal(random), normal(random)};

  spokelab_context* context = nullptr;
  check(spokelab_context_create(nullptr, &context));
  const std::unique_ptr<spokelab_context, Destroy> ownContext(context);
  spokelab_plan* plan = nullptr;
  check(spokelab_plan_create(context, 3, size, -1, SPOKELAB_DOUBLE, 1, nullptr, &plan));
  const std::unique_ptr<spokelab_plan, Destroy> ownPlan(plan);
  check(spokelab_plan_set_points(plan, count, points.data()));
  check(spokelab_plan_forward(plan, image.data(), forward.data()));
  check(spokelab_plan_adjoint(plan, samples.data(), adjoint.data()));
  const std::complex<double> left = product(forward, samples), right = product(image, adjoint);
  std::cout << spokelab_plan_text(plan) << "\n<A m, s> = " << left << ", <m, A^H s> = " << right << '\n';
  return std::abs(left - right) < 1e-9 * std::abs(left) ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
