#include "engine/scan/read/correct/correct_ghost.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/correct/ghost_fit.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

constexpr int coilsOfGhost = 4;

// A shot of EPI: ky is constant, kx rises or falls.
struct EpiShot {
  std::int64_t first = 0, count = 0;
  double ky = 0;
  bool falls = false;
};

std::optional<EpiShot> epiShot(const Trajectory& t, std::int64_t shot) {
  constexpr double tolerance = 1e-2;  // cycles/FOV
  EpiShot s{t.shotOffsets[std::size_t(shot)], 0, 0, false};
  s.count = t.shotOffsets[std::size_t(shot + 1)] - s.first;
  if (s.count < 2) return std::nullopt;
  const double* const k = t.points.data() + s.first * 2;
  s.ky = k[1];
  s.falls = k[2 * (s.count - 1)] < k[0];
  for (std::int64_t j = 0; j < s.count; ++j) {
    if (std::abs(k[2 * j + 1] - s.ky) > tolerance) return std::nullopt;
    const double step = j > 0 ? k[2 * j] - k[2 * (j - 1)] : 0;
    if ((s.falls ? -step : step) < 0) return std::nullopt;
  }
  return s;
}

// The shots of a trajectory by ky; empty where these are not lines that run back and forth.
std::vector<EpiShot> epiShots(const Trajectory& t) {
  std::vector<EpiShot> shots;
  if (t.dims != 2) return shots;
  std::int64_t falling = 0;
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    const auto shot = epiShot(t, n);
    if (!shot) return {};
    shots.push_back(*shot);
    falling += shot->falls;
  }
  constexpr std::int64_t minLines = 4, minShare = 4;  // a quarter of the lines
  if (t.shots() < minLines || std::min(falling, t.shots() - falling) * minShare < t.shots()) return {};
  std::stable_sort(shots.begin(), shots.end(),
                   [](const EpiShot& a, const EpiShot& b) { return a.ky < b.ky; });
  return shots;
}

std::vector<int> strongestCoilsOf(const Scan& scan, int slice) {
  std::vector<std::pair<double, int>> energies;
  const std::int64_t samples = scan.trajectory(0).samples();
  for (int c = 0; c < scan.coils; ++c) {
    double energy = 0;
    const cfloat* const values = scan.data(0, slice, c);
    for (std::int64_t j = 0; j < samples; ++j) energy += std::norm(values[j]);
    energies.emplace_back(-energy, c);
  }
  std::sort(energies.begin(), energies.end());
  std::vector<int> coils;
  for (const auto& [energy, c] : energies)
    if (int(coils.size()) < coilsOfGhost) coils.push_back(c);
  return coils;
}

class GhostFinder {
 public:
  GhostFinder(const Scan& scan, const EpiNavigators& navigators, std::vector<EpiShot> shots)
      : scan_(scan),
        navigators_(navigators),
        shots_(std::move(shots)),
        pixels_(scan.geometry.matrix[0]),
        rows_(scan.geometry.matrix[1]) {}

  // A pair for each slice.
  std::vector<GhostPhase> byNavigators() {
    makeProducts(true);
    return fitProducts(products_);
  }
  std::vector<GhostPhase> byData(const Progress& progress) {
    makeProducts(false);
    std::vector<GhostPhase> found = fitProducts(products_);
    const std::size_t strongest = strongestSlice();
    const GhostPhase first = sharpestGhost(linesOf(int(strongest)), pixels_, rows_, found[strongest], false,
                                           progress.part(0, 0.5));
    for (std::size_t z = 0; z < found.size(); ++z) {
      const Progress part = progress.part(0.5 + 0.5 * double(z) / double(found.size()), 1);
      part.report(0, "Looking for the phase of odd and even lines");
      found[z].shift = first.shift;
      found[z] =
          z == strongest ? first : sharpestGhost(linesOf(int(z)), pixels_, rows_, found[z], true, part);
    }
    return found;
  }
  // The entropy of the slice with the strongest signal.
  double entropyWith(const std::vector<GhostPhase>& ghosts) const {
    const std::size_t z = strongestSlice();
    return imageEntropy(linesOf(int(z)), pixels_, rows_, ghosts[z]);
  }
  // rms over slices, rad.
  double disagreementAfter(const std::vector<GhostPhase>& ghosts) const {
    double squares = 0;
    for (std::size_t z = 0; z < products_.size(); ++z)
      squares += std::pow(disagreement(products_[z], ghosts[z]), 2);
    return std::sqrt(squares / double(std::max<std::size_t>(1, products_.size())));
  }
  void makeProducts(bool navigators) {
    products_.clear();
    for (int z = 0; z < scan_.slices; ++z)
      products_.push_back(navigators ? navigatorProduct(z) : oddEvenProduct(linesOf(z), pixels_, false));
  }

 private:
  // The slice with the strongest signal tells the shift of all slices.
  std::size_t strongestSlice() const {
    std::size_t strongest = 0;
    const auto strength = [&](std::size_t z) {
      double sum = 0;
      for (const cdouble& v : products_[z]) sum += std::abs(v);
      return sum;
    };
    for (std::size_t z = 1; z < products_.size(); ++z)
      if (strength(z) > strength(strongest)) strongest = z;
    return strongest;
  }

  std::vector<EpiLine> linesOf(int slice) const {
    const Trajectory& t = scan_.trajectory(0);
    const std::vector<int> coils = strongestCoilsOf(scan_, slice);
    std::vector<EpiLine> lines;
    for (const EpiShot& s : shots_) {
      EpiLine& line = lines.emplace_back(EpiLine{s.ky, s.falls, {}});
      for (const int c : coils)
        append(line, {scan_.data(0, slice, c) + s.first, std::size_t(s.count)}, kxOf(t, s));
    }
    return lines;
  }

  std::vector<cdouble> navigatorProduct(int slice) const {
    std::vector<cdouble> sum(static_cast<std::size_t>(pixels_));
    std::vector<EpiLine> group;
    const auto take = [&] {
      const std::vector<cdouble> part = oddEvenProduct(group, pixels_, true);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
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
    return sum;
  }

  static std::vector<double> kxOf(const Trajectory& t, const EpiShot& s) {
    std::vector<double> kx;
    for (std::int64_t j = 0; j < s.count; ++j) kx.push_back(t.points[std::size_t(2 * (s.first + j))]);
    return kx;
  }
  void append(EpiLine& line, std::span<const cfloat> samples, const std::vector<double>& kx) const {
    const std::vector<cdouble> profile = epiProfile(samples, kx, pixels_);
    line.profile.insert(line.profile.end(), profile.begin(), profile.end());
  }

  const Scan& scan_;
  const EpiNavigators& navigators_;
  std::vector<EpiShot> shots_;
  std::int64_t pixels_, rows_;
  std::vector<std::vector<cdouble>> products_;  // [slice]
};

void takeGhostAway(Scan& scan, const std::vector<GhostPhase>& ghosts) {
  std::vector<std::vector<EpiShot>> shots;
  for (const Trajectory& t : scan.trajectories) shots.push_back(epiShots(t));
  for (int f = 0; f < scan.frames; ++f)
    for (int z = 0; z < scan.slices; ++z)
      for (int c = 0; c < scan.coils; ++c)
        scan.change(f, z, c, [&](auto* samples) {
          using Complex = std::remove_reference_t<decltype(samples[0])>;
          const double half = ghosts[std::size_t(z)].phase / 2;
          for (const EpiShot& s : shots[shots.size() == 1 ? 0 : std::size_t(f)]) {
            const Complex back(std::polar(1.0, s.falls ? -half : half));
            for (std::int64_t j = s.first; j < s.first + s.count; ++j) samples[j] *= back;
          }
        });
  const double half = ghosts.front().shift / 2;
  for (std::size_t i = 0; i < shots.size(); ++i)
    for (const EpiShot& s : shots[i])
      for (std::int64_t j = s.first; j < s.first + s.count; ++j)
        scan.trajectories[i].points[std::size_t(2 * j)] += s.falls ? -half : half;
  tellSamplesChange();
}

std::string phasesText(const std::vector<GhostPhase>& ghosts) {
  double low = ghosts.front().phase, high = low;
  for (const GhostPhase& g : ghosts) {
    low = std::min(low, g.phase);
    high = std::max(high, g.phase);
  }
  return numberText(ghosts.front().shift, 3) + " cycles/FOV and " + numberText(low, 3) +
         (high > low ? " ... " + numberText(high, 3) : "") + " rad";
}

// "0.4,-0.8"
std::optional<GhostPhase> givenGhost(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const GhostPhase g{textNumber(text.substr(0, comma)), textNumber(text.substr(comma + 1))};
  if (!std::isfinite(g.shift) || !std::isfinite(g.phase)) return std::nullopt;
  return g;
}

}  // namespace

void correctGhost(Scan& scan, const EpiNavigators& navigators, Decisions& d, const Progress& progress) {
  const std::string asked = d.override(ghostTopic);
  const std::vector<EpiShot> shots = epiShots(scan.trajectory(0));
  const bool isEpi = !shots.empty() && std::all_of(scan.trajectories.begin(), scan.trajectories.end(),
                                                   [](const Trajectory& t) { return !epiShots(t).empty(); });
  if (!isEpi) {
    if (asked.empty() || asked == "none") return;
    throw Error(d.problem(),
                "its lines do not run back and forth in a plane, so that there is no ghost of EPI",
                "Leave the decision ghost out");
  }
  const std::vector<std::string> methods = navigators.empty()
                                               ? std::vector<std::string>{"none", "data"}
                                               : std::vector<std::string>{"none", "navigators", "data"};
  const std::vector<GhostPhase> nothing(std::size_t(scan.slices));
  GhostFinder finder(scan, navigators, shots);
  if (asked.empty() || asked == "none") {
    if (navigators.empty()) {
      d.decide(ghostTopic, "none", "lines run back and forth, without lines for phase correction", methods);
      return;
    }
    finder.makeProducts(true);
    constexpr double clear = 0.1;  // rad: a ghost of 5 %
    const double differ = finder.disagreementAfter(nothing);
    d.decide(ghostTopic, "none",
             "lines that run back and forth differ by " + numberText(differ, 3) + " rad (rms, by navigators)",
             methods, differ > clear);
    return;
  }
  std::vector<GhostPhase> ghosts = nothing;
  if (const auto given = givenGhost(asked)) {
    std::fill(ghosts.begin(), ghosts.end(), *given);
    finder.makeProducts(!navigators.empty());
  } else if (asked == "navigators") {
    if (navigators.empty())
      throw Error(d.problem(), "it holds no lines for phase correction",
                  "Use ghost=data, which asks for the sharpest image");
    ghosts = finder.byNavigators();
  } else if (asked == "data") {
    ghosts = finder.byData(progress);
  } else {
    throw Error(d.problem(), "\"" + asked + "\" is no choice for ghost",
                "Use none, navigators, data, or shift and phase in cycles/FOV and rad as in 0.4,-0.8");
  }
  const bool told = !navigators.empty() && asked != "data";
  const double before = told ? finder.disagreementAfter(nothing) : finder.entropyWith(nothing),
               after = told ? finder.disagreementAfter(ghosts) : finder.entropyWith(ghosts);
  takeGhostAway(scan, ghosts);
  const std::string numbers =
      numberText(before, 4) + (told ? " rad" : "") + " before and " + numberText(after, 4) + " after";
  d.decide(ghostTopic, "none",
           phasesText(ghosts) + " between lines that run back and forth; " +
               (told ? "they differ by " + numbers + " (rms, by navigators)"
                     : "the entropy of the image is " + numbers),
           methods);
}

}  // namespace spokelab
