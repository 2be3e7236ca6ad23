#include "engine/nufft/problem/options.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/core/error.h"

namespace spokelab {
namespace {

template <class E>
using Names = std::pair<E, std::string_view>;

constexpr std::array<Names<KernelType>, 5> kernels{{{KernelType::automatic, "auto"},
                                                    {KernelType::kaiserBessel, "kaiser-bessel"},
                                                    {KernelType::semicircle, "semicircle"},
                                                    {KernelType::prolate, "prolate"},
                                                    {KernelType::gaussian, "gaussian"}}};

constexpr std::array<Names<Precomputation>, 5> precomputations{{{Precomputation::automatic, "auto"},
                                                                {Precomputation::polynomial, "polynomial"},
                                                                {Precomputation::linear, "linear"},
                                                                {Precomputation::tensor, "tensor"},
                                                                {Precomputation::none, "none"}}};

constexpr std::array<Names<Method>, 12> methods{{{Method::automatic, "auto"},
                                                 {Method::blocked, "blocked"},
                                                 {Method::pointDriven, "gm"},
                                                 {Method::pointSorted, "gm-sort"},
                                                 {Method::subproblem, "sm"},
                                                 {Method::sector, "sector"},
                                                 {Method::outputDriven, "output"},
                                                 {Method::fixedPoint, "fixed"},
                                                 {Method::cell, "cell"},
                                                 {Method::tensor, "tensor"},
                                                 {Method::sparse, "sparse"},
                                                 {Method::cusparse, "cusparse"}}};

constexpr std::array<Names<NormalMethod>, 5> normals{{{NormalMethod::automatic, "auto"},
                                                      {NormalMethod::gridded, "gridded"},
                                                      {NormalMethod::toeplitz, "toeplitz"},
                                                      {NormalMethod::toeplitzShifted, "toeplitz-shifted"},
                                                      {NormalMethod::later, "later"}}};

constexpr std::array<Names<Direction>, 4> directions{{{Direction::forward, "forward"},
                                                      {Direction::adjoint, "adjoint"},
                                                      {Direction::both, "both"},
                                                      {Direction::normal, "normal"}}};

constexpr std::array<Names<Scheduler>, 3> schedulers{
    {{Scheduler::automatic, "auto"}, {Scheduler::tiles, "tiles"}, {Scheduler::graph, "graph"}}};

constexpr std::array<Names<CrowdedSums>, 2> crowdedSums{
    {{CrowdedSums::automatic, "auto"}, {CrowdedSums::off, "off"}}};

constexpr std::array<Names<FftEffort>, 4> fftEfforts{{{FftEffort::automatic, "auto"},
                                                      {FftEffort::estimate, "estimate"},
                                                      {FftEffort::measure, "measure"},
                                                      {FftEffort::patient, "patient"}}};

constexpr std::array<Names<SchedulerPart>, 5> schedulerParts{{{SchedulerPart::variable, "variable"},
                                                              {SchedulerPart::graph, "graph"},
                                                              {SchedulerPart::queue, "queue"},
                                                              {SchedulerPart::copies, "private"},
                                                              {SchedulerPart::reorder, "reorder"}}};

template <class Table, class E>
std::string_view nameIn(const Table& table, E value) {
  for (const auto& [v, name] : table)
    if (v == value) return name;
  return "unknown";
}

template <class Table>
auto valueIn(const Table& table, std::string_view name, const char* what) {
  std::string known;
  for (const auto& [value, n] : table) {
    if (n == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(n);
  }
  throw Error(std::string("Unknown ") + what, "\"" + std::string(name) + "\" is not one of them",
              "Choose one of: " + known);
}

}  // namespace

std::string_view kernelName(KernelType k) {
  return nameIn(kernels, k);
}
std::string_view methodName(Method m) {
  return nameIn(methods, m);
}
std::string_view normalMethodName(NormalMethod m) {
  return nameIn(normals, m);
}
KernelType kernelFromName(std::string_view name) {
  return valueIn(kernels, name, "kernel");
}
Method methodFromName(std::string_view name) {
  return valueIn(methods, name, "method");
}
std::string_view precomputationName(Precomputation p) {
  return nameIn(precomputations, p);
}
Precomputation precomputationFromName(std::string_view name) {
  return valueIn(precomputations, name, "precomputation");
}
NormalMethod normalMethodFromName(std::string_view name) {
  return valueIn(normals, name, "normal method");
}
std::string_view directionName(Direction d) {
  return nameIn(directions, d);
}
Direction directionFromName(std::string_view name) {
  return valueIn(directions, name, "direction");
}

std::string_view schedulerName(Scheduler s) {
  return nameIn(schedulers, s);
}
Scheduler schedulerFromName(std::string_view name) {
  return valueIn(schedulers, name, "scheduler");
}
std::string_view crowdedSumsName(CrowdedSums c) {
  return nameIn(crowdedSums, c);
}
CrowdedSums crowdedSumsFromName(std::string_view name) {
  return valueIn(crowdedSums, name, "choice of crowded sums");
}
std::string_view fftEffortName(FftEffort e) {
  return nameIn(fftEfforts, e);
}
FftEffort fftEffortFromName(std::string_view name) {
  return valueIn(fftEfforts, name, "planner's effort");
}
std::string schedulerPartsText(unsigned parts) {
  std::string text;
  for (const auto& [part, name] : schedulerParts)
    if (parts & static_cast<unsigned>(part)) text += (text.empty() ? "" : ",") + std::string(name);
  return text;
}
unsigned schedulerPartsFromText(std::string_view text) {
  unsigned parts = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    parts |= static_cast<unsigned>(valueIn(schedulerParts, text.substr(0, end), "part of the scheduler"));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string methodsText(const NufftOptions& options) {
  const Method spread = options.spread, interpolate = options.interpolate;
  if (spread == Method::automatic) return std::string(methodName(interpolate));
  std::string text(methodName(spread));
  if (interpolate != spread && interpolate != Method::automatic)
    text += "/" + std::string(methodName(interpolate));
  return text;
}

}  // namespace spokelab
