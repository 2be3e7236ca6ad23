#include "engine/nufft/kernel/quadrature.h"

#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

namespace spokelab {
namespace {

Quadrature makeQuadrature(int nodes) {
  Quadrature q;
  q.node.resize(std::size_t(nodes));
  q.weight.resize(std::size_t(nodes));
  constexpr int maxNewtonSteps = 8;
  constexpr long double maxLastStep = 1e-16;
  for (int i = 0; i < nodes; ++i) {
    long double x = std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (nodes + 0.5L));
    long double slope = 1;
    for (int step = 0; step < maxNewtonSteps; ++step) {
      long double p0 = 1, p1 = x;
      for (int k = 2; k <= nodes; ++k) {
        const long double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      slope = nodes == 1 ? 1 : nodes * (x * p1 - p0) / (x * x - 1);
      const long double change = p1 / slope;
      x -= change;
      if (std::abs(change) < maxLastStep) break;
    }
    q.node[std::size_t(i)] = double(x);
    q.weight[std::size_t(i)] = double(2 / ((1 - x * x) * slope * slope));
  }
  return q;
}

}  // namespace

const Quadrature& gaussLegendre(int nodes) {
  static std::mutex mutex;
  static std::map<int, Quadrature> known;  // a map: references to its values stay valid
  const std::lock_guard lock(mutex);
  const auto found = known.find(nodes);
  return found != known.end() ? found->second : known.emplace(nodes, makeQuadrature(nodes)).first->second;
}

}  // namespace spokelab
