#include "engine/scan/read/correct/correct_ghost.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/correct/ghost_finder.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

constexpr double clearPhase = 0.1;  // rad: a ghost of 5 %

void takeGhostAway(Scan& scan, const std::vector<SliceGhost>& ghosts) {
  std::vector<std::vector<EpiShot>> shots;
  for (const Trajectory& t : scan.trajectories) shots.push_back(epiShots(t));
  for (int f = 0; f < scan.frames; ++f)
    for (int z = 0; z < scan.slices; ++z)
      for (int c = 0; c < scan.coils; ++c)
        scan.change(f, z, c, [&](auto* samples) {
          using Complex = std::remove_reference_t<decltype(samples[0])>;
          const double half = ghosts[std::size_t(z)].phaseOf(c) / 2;
          for (const EpiShot& s : shots[shots.size() == 1 ? 0 : std::size_t(f)]) {
            const Complex back(std::polar(1.0, s.falls ? -half : half));
            for (std::int64_t j = s.first; j < s.first + s.count; ++j) samples[j] *= back;
          }
        });
  const double half = ghosts.front().all.shift / 2;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    Trajectory& t = scan.trajectories[i];
    for (const EpiShot& s : shots[i])
      for (std::int64_t j = s.first; j < s.first + s.count; ++j)
        t.points[std::size_t(t.dims * j)] += s.falls ? -half : half;
  }
  tellSamplesChange();
}

std::string phasesText(const std::vector<SliceGhost>& ghosts) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const SliceGhost& g : ghosts)
    for (std::size_t c = 0; c < std::max<std::size_t>(1, g.phases.size()); ++c) {
      low = std::min(low, g.phaseOf(int(c)));
      high = std::max(high, g.phaseOf(int(c)));
    }
  return numberText(ghosts.front().all.shift, 3) + " cycles/FOV and " + numberText(low, 3) +
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

class GhostDecision {
 public:
  GhostDecision(Scan& scan, const EpiNavigators& navigators, const std::vector<EpiShot>& shots, Decisions& d)
      : scan_(scan),
        navigators_(navigators),
        d_(d),
        central_(centralShots(shots)),
        finder_(scan, navigators, central_.empty() ? shots : central_),
        nothing_(std::size_t(scan.slices)) {
    methods_ = {"none", "data"};
    if (!navigators.empty()) methods_.insert(methods_.begin() + 1, "navigators");
  }

  void look() {
    if (navigators_.empty()) {
      d_.decide(ghostTopic, "none", "lines run back and forth, without lines for phase correction", methods_);
      return;
    }
    finder_.makeProducts(true);
    const double differ = finder_.disagreementAfter(nothing_, false);
    d_.decide(
        ghostTopic, "none",
        "lines that run back and forth differ by " + numberText(differ, 3) + " rad (rms, by navigators)",
        methods_, differ > clearPhase);
  }

  void correct(const std::string& choice, const Progress& progress) {
    const bool usesNavigators = !navigators_.empty() && choice != "data";
    const auto chosenGhost = givenGhost(choice);
    if (!chosenGhost) refuse(choice);
    finder_.makeProducts(usesNavigators);
    const bool byCoil = decidePhases(chosenGhost.has_value());
    std::vector<SliceGhost> ghosts(std::size_t(scan_.slices));
    if (chosenGhost)
      std::fill(ghosts.begin(), ghosts.end(), SliceGhost{*chosenGhost, {}});
    else
      ghosts = usesNavigators ? finder_.fitted(byCoil) : finder_.sharpest(byCoil, progress);
    const double before = usesNavigators ? finder_.disagreementAfter(nothing_, byCoil)
                                         : finder_.entropyWith(nothing_),
                 after =
                     usesNavigators ? finder_.disagreementAfter(ghosts, byCoil) : finder_.entropyWith(ghosts);
    takeGhostAway(scan_, ghosts);
    const std::string numbers = numberText(before, 4) + (usesNavigators ? " rad" : "") + " before and " +
                                numberText(after, 4) + " after";
    d_.decide(ghostTopic, "none",
              phasesText(ghosts) + " between lines that run back and forth; " +
                  (usesNavigators ? "they differ by " + numbers + " (rms, by navigators)"
                                  : "the entropy of the image is " + numbers),
              methods_);
  }

 private:
  void refuse(const std::string& choice) const {
    if (choice != "navigators" && choice != "data")
      throw Error(d_.problem(), "\"" + choice + "\" is no choice for ghost",
                  "Use none, navigators, data, or shift and phase in cycles/FOV and rad as in 0.4,-0.8");
    if (choice == "navigators" && navigators_.empty())
      throw Error(d_.problem(), "it holds no lines for phase correction",
                  "Use ghost=data, which asks for the sharpest image");
    if (choice == "data" && central_.empty())
      throw Error(d_.problem(), "the lines of its central partition do not run back and forth",
                  "Use ghost=navigators, or shift and phase as in 0.4,-0.8");
  }

  // True: each coil has a phase.
  bool decidePhases(bool given) {
    if (scan_.coils < 2) return false;
    if (given) {
      if (d_.override(ghostPhasesTopic) == "coils")
        throw Error(d_.problem(), "one phase is given, which all coils share",
                    "Use ghost=navigators or ghost=data for the phases of coils");
      return false;
    }
    const double spread = finder_.spreadOfCoils();
    return d_.decide(ghostPhasesTopic, "slices",
                     "phases of single coils differ from those of their slices by " + numberText(spread, 3) +
                         " rad (rms)",
                     {"slices", "coils"}, spread > clearPhase) == "coils";
  }

  Scan& scan_;
  const EpiNavigators& navigators_;
  Decisions& d_;
  std::vector<EpiShot> central_;
  GhostFinder finder_;
  std::vector<SliceGhost> nothing_;
  std::vector<std::string> methods_;
};

}  // namespace

void correctGhost(Scan& scan, const EpiNavigators& navigators, Decisions& d, const Progress& progress) {
  const std::string asked = d.override(ghostTopic);
  const std::vector<EpiShot> shots = epiShots(scan.trajectory(0));
  const bool isEpi = !shots.empty() && std::all_of(scan.trajectories.begin(), scan.trajectories.end(),
                                                   [](const Trajectory& t) { return !epiShots(t).empty(); });
  if (!isEpi) {
    if (asked.empty() || asked == "none") return;
    throw Error(
        d.problem(),
        "its lines do not run back and forth in a plane or a volume, so that there is no ghost of EPI",
        "Leave the decision ghost out");
  }
  GhostDecision decision(scan, navigators, shots, d);
  if (asked.empty() || asked == "none")
    decision.look();
  else
    decision.correct(asked, progress);
}

}  // namespace spokelab
