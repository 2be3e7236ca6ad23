#include "engine/scan/read/correct/ghost_finder.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace spokelab {
namespace {

constexpr int coilsOfGhost = 4;  // the strongest ones tell what all share
// The common phase counts as this part of a mean coil: weak coils take it.
constexpr double shareOfCommonPhase = 0.02;

std::vector<cdouble> sumOf(const std::vector<std::vector<cdouble>>& products) {
  std::vector<cdouble> sum = products.front();
  for (std::size_t c = 1; c < products.size(); ++c)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += products[c][i];
  return sum;
}

// The phases of single coils at the shift and phase of all.
std::vector<double> phasesOfCoils(const std::vector<std::vector<cdouble>>& products, const GhostPhase& all) {
  std::vector<cdouble> sums;
  double mean = 0;
  for (const auto& product : products) {
    sums.push_back(sumWithoutGhost(product, all));
    mean += std::abs(sums.back()) / double(products.size());
  }
  std::vector<double> phases;
  for (const cdouble& sum : sums) phases.push_back(all.phase + std::arg(sum + shareOfCommonPhase * mean));
  return phases;
}

}  // namespace

GhostFinder::GhostFinder(const Scan& scan, const EpiNavigators& navigators, std::vector<EpiShot> shots)
    : scan_(scan),
      navigators_(navigators),
      shots_(std::move(shots)),
      pixels_(scan.geometry.matrix[0]),
      rows_(scan.geometry.matrix[1]) {
}

void GhostFinder::makeProducts(bool navigators) {
  products_.clear();
  std::vector<int> coils(std::size_t(scan_.coils));
  std::iota(coils.begin(), coils.end(), 0);
  for (int z = 0; z < scan_.slices; ++z)
    products_.push_back(navigators ? navigatorProducts(z)
                                   : oddEvenProducts(linesOf(z, coils), pixels_, false));
}

std::vector<SliceGhost> GhostFinder::fitted(bool byCoil) const {
  std::vector<Product> sums, all;
  for (const auto& products : products_) {
    sums.push_back(sumOf(products));
    all.insert(all.end(), products.begin(), products.end());
  }
  std::vector<GhostPhase> fits = fitProducts(sums);
  // The sum over coils that differ in phase has a slope that their magnitudes make.
  const double shift = fitProducts(byCoil ? all : sums).front().shift;
  std::vector<SliceGhost> ghosts;
  for (std::size_t z = 0; z < fits.size(); ++z) {
    SliceGhost& ghost = ghosts.emplace_back();
    ghost.all = {shift, std::arg(sumWithoutGhost(sums[z], {shift, 0}))};
    if (byCoil) ghost.phases = phasesOfCoils(products_[z], ghost.all);
  }
  return ghosts;
}

std::vector<SliceGhost> GhostFinder::sharpest(bool byCoil, const Progress& progress) {
  makeProducts(false);
  std::vector<SliceGhost> ghosts = fitted(byCoil);
  const std::size_t strongest = strongestSlice();
  const auto sharpen = [&](std::size_t z, bool phaseOnly, const Progress& part) {
    const GhostPhase before = ghosts[z].all;
    ghosts[z].all = sharpestGhost(turnedLines(int(z), ghosts[z]), pixels_, rows_, before, phaseOnly, part);
    for (double& phase : ghosts[z].phases) phase += ghosts[z].all.phase - before.phase;
  };
  sharpen(strongest, false, progress.part(0, 0.5));
  for (std::size_t z = 0; z < ghosts.size(); ++z) {
    const double done = double(z) / double(ghosts.size()), next = double(z + 1) / double(ghosts.size());
    const Progress part = progress.part(0.5 + 0.5 * done, 0.5 + 0.5 * next);
    part.report(0, "Looking for the phase of odd and even lines");
    ghosts[z].all.shift = ghosts[strongest].all.shift;
    if (z != strongest) sharpen(z, true, part.part(0, 0.5));
    if (byCoil) sharpenCoils(int(z), ghosts[z], part.part(0.5, 1));
  }
  return ghosts;
}

// Coils much weaker than the strongest keep the phase of all: noise would choose theirs.
void GhostFinder::sharpenCoils(int slice, SliceGhost& ghost, const Progress& progress) const {
  constexpr double minEnergy = 0.05;  // of the strongest coil's product
  std::vector<double> energies;
  for (const Product& product : products_[std::size_t(slice)]) {
    double sum = 0;
    for (const cdouble& v : product) sum += std::abs(v);
    energies.push_back(sum);
  }
  const double maxEnergy = *std::max_element(energies.begin(), energies.end());
  for (int c = 0; c < scan_.coils; ++c) {
    progress.report(double(c) / scan_.coils, "Looking for the phase of each coil");
    double& phase = ghost.phases[std::size_t(c)];
    if (energies[std::size_t(c)] < minEnergy * maxEnergy)
      phase = ghost.all.phase;
    else
      phase =
          sharpestGhost(linesOf(slice, {c}), pixels_, rows_, {ghost.all.shift, phase}, true, progress).phase;
  }
}

double GhostFinder::entropyWith(const std::vector<SliceGhost>& ghosts) const {
  const std::size_t z = strongestSlice();
  return imageEntropy(turnedLines(int(z), ghosts[z]), pixels_, rows_, ghosts[z].all);
}

std::vector<EpiLine> GhostFinder::turnedLines(int slice, const SliceGhost& ghost) const {
  const std::vector<int> coils = strongestCoils(slice, coilsOfGhost);
  std::vector<EpiLine> lines = linesOf(slice, coils);
  for (EpiLine& line : lines)
    for (std::size_t c = 0; c < coils.size(); ++c) {
      const double differs = ghost.phaseOf(coils[c]) - ghost.all.phase;
      const cdouble back = std::polar(1.0, (line.backwards ? -differs : differs) / 2);
      for (std::int64_t i = 0; i < pixels_; ++i)
        line.profile[c * std::size_t(pixels_) + std::size_t(i)] *= back;
    }
  return lines;
}

double GhostFinder::disagreementAfter(const std::vector<SliceGhost>& ghosts, bool byCoil) const {
  double squares = 0;
  for (std::size_t z = 0; z < products_.size(); ++z) {
    if (!byCoil) {
      squares += std::pow(disagreement(sumOf(products_[z]), ghosts[z].all), 2);
      continue;
    }
    double weighted = 0, weights = 0;
    for (int c = 0; c < scan_.coils; ++c) {
      const Product& product = products_[z][std::size_t(c)];
      double weight = 0;
      for (const cdouble& v : product) weight += std::abs(v);
      const GhostPhase own{ghosts[z].all.shift, ghosts[z].phaseOf(c)};
      weighted += weight * std::pow(disagreement(product, own), 2);
      weights += weight;
    }
    squares += weights > 0 ? weighted / weights : 0;
  }
  return std::sqrt(squares / double(std::max<std::size_t>(1, products_.size())));
}

double GhostFinder::spreadOfCoils() const {
  double squares = 0, weights = 0;
  const std::vector<SliceGhost> ghosts = fitted(true);
  for (std::size_t z = 0; z < ghosts.size(); ++z)
    for (std::size_t c = 0; c < ghosts[z].phases.size(); ++c) {
      const double weight = std::abs(sumWithoutGhost(products_[z][c], ghosts[z].all));
      squares += weight * std::pow(ghosts[z].phases[c] - ghosts[z].all.phase, 2);
      weights += weight;
    }
  return weights > 0 ? std::sqrt(squares / weights) : 0;
}

// The slice with the strongest signal tells the shift of all slices.
std::size_t GhostFinder::strongestSlice() const {
  std::size_t strongest = 0;
  double most = -1;
  for (std::size_t z = 0; z < products_.size(); ++z) {
    double sum = 0;
    for (const cdouble& v : sumOf(products_[z])) sum += std::abs(v);
    if (sum > most) {
      most = sum;
      strongest = z;
    }
  }
  return strongest;
}

std::vector<int> GhostFinder::strongestCoils(int slice, int most) const {
  std::vector<std::pair<double, int>> energies;
  const std::int64_t samples = scan_.trajectory(0).samples();
  for (int c = 0; c < scan_.coils; ++c) {
    double energy = 0;
    const cfloat* const values = scan_.data(0, slice, c);
    for (std::int64_t j = 0; j < samples; ++j) energy += std::norm(values[j]);
    energies.emplace_back(-energy, c);
  }
  std::sort(energies.begin(), energies.end());
  std::vector<int> coils;
  for (const auto& [energy, c] : energies)
    if (int(coils.size()) < most) coils.push_back(c);
  return coils;
}

std::vector<EpiLine> GhostFinder::linesOf(int slice, const std::vector<int>& coils) const {
  const Trajectory& t = scan_.trajectory(0);
  std::vector<EpiLine> lines;
  for (const EpiShot& s : shots_) {
    EpiLine& line = lines.emplace_back(EpiLine{s.ky, s.falls, {}});
    const std::vector<double> kx = kxOf(t, s);
    for (const int c : coils) append(line, {scan_.data(0, slice, c) + s.first, std::size_t(s.count)}, kx);
  }
  return lines;
}

std::vector<GhostFinder::Product> GhostFinder::navigatorProducts(int slice) const {
  std::vector<Product> sums(std::size_t(scan_.coils), Product(static_cast<std::size_t>(pixels_)));
  std::vector<EpiLine> group;
  const auto take = [&] {
    const std::vector<Product> parts = oddEvenProducts(group, pixels_, true);
    for (std::size_t c = 0; c < parts.size(); ++c)
      for (std::size_t i = 0; i < parts[c].size(); ++i) sums[c][i] += parts[c][i];
    group.clear();
  };
  for (const NavigatorLine& n : navigators_.lines) {
    if (n.slice != slice) continue;
    const bool falls = n.backwards == navigators_.flaggedRunsDown;
    const std::size_t count = n.samples.size() / std::size_t(scan_.coils);
    const auto like = std::find_if(shots_.begin(), shots_.end(), [&](const EpiShot& s) {
      return s.falls == falls && std::size_t(s.count) == count;
    });
    if (like == shots_.end()) continue;
    constexpr std::size_t linesOfGroup = 3;
    if (group.size() == linesOfGroup || (!group.empty() && group.back().backwards == falls)) take();
    EpiLine& line = group.emplace_back(EpiLine{0, falls, {}});
    const std::vector<double> kx = kxOf(scan_.trajectory(0), *like);
    for (int c = 0; c < scan_.coils; ++c)
      append(line, {n.samples.data() + std::size_t(c) * count, count}, kx);
  }
  take();
  return sums;
}

void GhostFinder::append(EpiLine& line, std::span<const cfloat> samples,
                         const std::vector<double>& kx) const {
  const std::vector<cdouble> profile = epiProfile(samples, kx, pixels_);
  line.profile.insert(line.profile.end(), profile.begin(), profile.end());
}

}  // namespace spokelab
