#include "engine/scan/read/correct/ghost_fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double centreShare = 0.25;  // of the largest |ky|: lines that D is made of without navigators

double placeOf(std::int64_t pixel, std::int64_t pixels) {
  return double(pixel - pixels / 2) / double(pixels);
}

void addPair(const EpiLine& line, const EpiLine& before, const EpiLine* behind, std::int64_t pixels,
             std::vector<std::vector<cdouble>>& products) {
  for (std::size_t i = 0; i < line.profile.size(); ++i) {
    const cdouble other = behind ? (before.profile[i] + behind->profile[i]) / 2.0 : before.profile[i];
    const cdouble d =
        line.backwards ? std::conj(other) * line.profile[i] : std::conj(line.profile[i]) * other;
    products[i / std::size_t(pixels)][i % std::size_t(pixels)] += d;
  }
}

// The place of the least value in [low, high], of a function with one valley there.
double lowest(double low, double high, double precision, const std::function<double(double)>& value) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double atA = value(a), atB = value(b);
  while (high - low > precision) {
    if (atA < atB) {
      high = b;
      b = a;
      atB = atA;
      a = high - golden * (high - low);
      atA = value(a);
    } else {
      low = a;
      a = b;
      atA = atB;
      b = low + golden * (high - low);
      atB = value(b);
    }
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<cdouble> epiProfile(std::span<const cfloat> samples, std::span<const double> kx,
                                std::int64_t pixels) {
  std::vector<cdouble> profile(static_cast<std::size_t>(pixels));
  const std::size_t count = samples.size();
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t before = j > 0 ? j - 1 : j, behind = j + 1 < count ? j + 1 : j;
    const double width = behind > before ? std::abs(kx[behind] - kx[before]) / double(behind - before) : 1;
    const cdouble value = cdouble(samples[j]) * width;
    const cdouble step = std::polar(1.0, turn * kx[j] / double(pixels));
    cdouble wave = std::polar(1.0, turn * kx[j] * placeOf(0, pixels));
    for (cdouble& p : profile) {
      p += value * wave;
      wave *= step;
    }
  }
  return profile;
}

std::vector<std::vector<cdouble>> oddEvenProducts(const std::vector<EpiLine>& lines, std::int64_t pixels,
                                                  bool navigators) {
  if (lines.empty()) return {};
  std::vector<std::vector<cdouble>> products(lines.front().profile.size() / std::size_t(pixels),
                                             std::vector<cdouble>(static_cast<std::size_t>(pixels)));
  double reach = 0;
  for (const EpiLine& line : lines) reach = std::max(reach, std::abs(line.ky));
  const auto isUsed = [&](const EpiLine& line) {
    return navigators || std::abs(line.ky) <= centreShare * reach;
  };
  for (std::size_t l = 1; l < lines.size(); ++l) {
    const EpiLine& line = lines[l];
    if (!isUsed(line) || lines[l - 1].backwards == line.backwards) continue;
    if (l + 1 < lines.size() && lines[l + 1].backwards != line.backwards)
      addPair(line, lines[l - 1], &lines[l + 1], pixels, products);
    else if (navigators && (l + 1 == lines.size() || lines[l + 1].backwards == line.backwards) && l == 1)
      addPair(line, lines[0], nullptr, pixels, products);
  }
  return products;
}

cdouble sumWithoutGhost(const std::vector<cdouble>& product, const GhostPhase& ghost) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    const double x = placeOf(std::int64_t(i), std::int64_t(product.size()));
    sum += product[i] * std::polar(1.0, -ghost.phase - turn * ghost.shift * x);
  }
  return sum;
}

std::vector<GhostPhase> fitProducts(const std::vector<std::vector<cdouble>>& products) {
  cdouble slope = 0;
  std::int64_t pixels = 1;
  for (const auto& product : products) {
    pixels = std::int64_t(product.size());
    for (std::size_t i = 1; i < product.size(); ++i) slope += product[i] * std::conj(product[i - 1]);
  }
  const double shift = std::arg(slope) / turn * double(pixels);
  std::vector<GhostPhase> fits;
  for (const auto& product : products)
    fits.push_back({shift, std::arg(sumWithoutGhost(product, {shift, 0}))});
  return fits;
}

double disagreement(const std::vector<cdouble>& product, const GhostPhase& ghost) {
  double squares = 0, weights = 0;
  for (std::size_t i = 0; i < product.size(); ++i) {
    const double x = placeOf(std::int64_t(i), std::int64_t(product.size()));
    const double angle = std::arg(product[i] * std::polar(1.0, -ghost.phase - turn * ghost.shift * x));
    squares += std::abs(product[i]) * angle * angle;
    weights += std::abs(product[i]);
  }
  return weights > 0 ? std::sqrt(squares / weights) : 0;
}

double imageEntropy(const std::vector<EpiLine>& lines, std::int64_t pixels, std::int64_t rows,
                    const GhostPhase& ghost) {
  const std::size_t coils = lines.front().profile.size() / std::size_t(pixels);
  std::vector<double> energy(std::size_t(pixels * rows));
  parallelTasks(pixels, 0, [&](std::int64_t x) {
    const cdouble half = std::polar(1.0, (ghost.phase + turn * ghost.shift * placeOf(x, pixels)) / 2);
    std::vector<cdouble> column(static_cast<std::size_t>(rows));
    for (std::size_t c = 0; c < coils; ++c) {
      std::fill(column.begin(), column.end(), 0);
      for (const EpiLine& line : lines) {
        const cdouble value = line.profile[c * std::size_t(pixels) + std::size_t(x)] *
                              (line.backwards ? std::conj(half) : half);
        const cdouble step = std::polar(1.0, turn * line.ky / double(rows));
        cdouble wave = value * std::polar(1.0, turn * line.ky * placeOf(0, rows));
        for (cdouble& v : column) {
          v += wave;
          wave *= step;
        }
      }
      for (std::size_t y = 0; y < column.size(); ++y)
        energy[std::size_t(x * rows) + y] += std::norm(column[y]);
    }
  });
  double total = 0;
  for (const double e : energy) total += e;
  double entropy = 0;
  for (const double e : energy)
    if (const double part = std::sqrt(e / std::max(total, 1e-300)); part > 0)
      entropy -= part * std::log(part);
  return entropy;
}

GhostPhase sharpestGhost(const std::vector<EpiLine>& lines, std::int64_t pixels, std::int64_t rows,
                         const GhostPhase& start, bool phaseOnly, const Progress& progress) {
  // The valley of the phase is pi wide: half a turn more swaps image and ghost.
  constexpr double shiftReach = 0.6, phaseReach = 1.2, shiftPrecision = 0.004, phasePrecision = 0.004;
  constexpr int rounds = 3;
  GhostPhase best = start;
  double reach = 1;
  for (int round = 0; round < (phaseOnly ? 1 : rounds); ++round, reach /= 2) {
    const auto entropyOf = [&](const GhostPhase& g) {
      progress.checkpoint();
      return imageEntropy(lines, pixels, rows, g);
    };
    best.phase = lowest(best.phase - reach * phaseReach, best.phase + reach * phaseReach, phasePrecision,
                        [&](double phase) {
                          return entropyOf({best.shift, phase});
                        });
    if (phaseOnly) break;
    best.shift = lowest(best.shift - reach * shiftReach, best.shift + reach * shiftReach, shiftPrecision,
                        [&](double shift) {
                          return entropyOf({shift, best.phase});
                        });
  }
  return best;
}

}  // namespace spokelab
