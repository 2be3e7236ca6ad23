#include "cuda/nufft/method.h"

#include <algorithm>

#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

template <class Real>
std::vector<MethodFactory<Real>>& registry() {
  static std::vector<MethodFactory<Real>> factories;
  return factories;
}

}  // namespace

template <class Real>
const std::vector<MethodFactory<Real>>& methodFactories() {
  return registry<Real>();
}

template <class Real>
bool registerMethod(const MethodFactory<Real>& factory) {
  registry<Real>().push_back(factory);
  return true;
}

template <class Real>
const MethodFactory<Real>* findMethod(Method method, GridDirection direction) {
  for (const auto& factory : registry<Real>())
    if (factory.method == method && factory.direction == direction) return &factory;
  return nullptr;
}

template <class Real>
KernelTable<Real> kernelTable(const KernelPolynomial& polynomial) {
  KernelTable<Real> table;
  if (polynomial.coefficient.size() > std::size_t(KernelTable<Real>::maxCoefficients))
    throw Error("The GPU cannot use this kernel",
                "its polynomial has " + std::to_string(polynomial.degree + 1) + " terms for " +
                    std::to_string(polynomial.cells) + " cells",
                "Ask for less accuracy or use the CPU");
  table.cells = polynomial.cells;
  table.degree = std::max(polynomial.degree, KernelTable<Real>::shortDegree);
  table.edge = Real(polynomial.edge);
  std::copy(polynomial.coefficient.begin(), polynomial.coefficient.end(),
            table.coefficient + (table.degree - polynomial.degree) * polynomial.cells);
  return table;
}

template const std::vector<MethodFactory<float>>& methodFactories<float>();
template const std::vector<MethodFactory<double>>& methodFactories<double>();
template bool registerMethod<float>(const MethodFactory<float>&);
template bool registerMethod<double>(const MethodFactory<double>&);
template const MethodFactory<float>* findMethod<float>(Method, GridDirection);
template const MethodFactory<double>* findMethod<double>(Method, GridDirection);
template KernelTable<float> kernelTable<float>(const KernelPolynomial&);
template KernelTable<double> kernelTable<double>(const KernelPolynomial&);

}  // namespace spokelab::gpu
