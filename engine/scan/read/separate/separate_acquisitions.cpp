#include "engine/scan/read/separate/separate_acquisitions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/read/correct/correct_girf.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/separate/given_trajectory.h"
#include "engine/scan/read/separate/named_trajectory.h"
#include "engine/scan/read/separate/sequence_labels.h"
#include "engine/scan/read/separate/sequence_trajectory.h"
#include "engine/scan/read/steps/select_acquisitions.h"

namespace spokelab {
namespace {

const char* const wrongFile = "Choose the file that belongs to these samples";
constexpr const char* orderTopic = "trajectory-order";
constexpr const char* axesTopic = "trajectory-axes";

// The counters that distinguish repetitions of the shots.
auto groupOf(const AcquisitionHead& head) {
  const auto& i = head.idx;
  return std::tuple(i.repetition, i.phase, i.contrast, i.set, i.average, i.slice);
}

// The acquisitions in groups with equal counters.
auto groupsOf(const std::vector<AcquisitionHead>& heads, const std::vector<std::int64_t>& imaging) {
  std::map<decltype(groupOf(heads.front())), std::vector<std::int64_t>> groups;
  for (const std::int64_t a : imaging) groups[groupOf(heads[std::size_t(a)])].push_back(a);
  return groups;
}

// True if the counters of a group are 0 ... n - 1, each once, and not in order of acquisition.
bool countsShots(const std::vector<AcquisitionHead>& heads, const std::vector<std::int64_t>& group,
                 bool& inOrder) {
  std::vector<char> seen(group.size(), 0);
  inOrder = true;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::size_t step = heads[std::size_t(group[i])].idx.kspace_encode_step_1;
    if (step >= group.size() || seen[step]) return false;
    seen[step] = 1;
    inOrder = inOrder && step == i;
  }
  return true;
}

// Turns an array [sample, shot], which is returned as true. Throws Error where shots of the
// trajectory are neither shots nor pieces of shots of the acquisitions.
bool fitShots(GivenTrajectory& t, std::int64_t acquisitions, std::int64_t samples, const Decisions& d) {
  const auto shots = std::int64_t(t.shotLengths.size());
  if (!t.hasShots || t.acquired || shots == acquisitions) return false;
  const std::int64_t length = t.shotLengths.front();
  if (shots == samples && length == acquisitions && t.groups() == 1) {
    t.turn();
    return true;
  }
  // Readouts in several pieces; an array with outer axes has whole ones.
  if (t.groups() == 1 && (length % samples == 0 || samples % length == 0)) return false;
  throw Error(d.problem(),
              "the trajectory of " + t.name + " is " + t.sizeText() + ", and its acquisitions are " +
                  countText(acquisitions, "shot") + " x " + countText(samples, "sample"),
              wrongFile);
}

}  // namespace

SeparateAcquisitions::SeparateAcquisitions(AcquisitionSource& inner, const SeparateFiles& files, Decisions& d,
                                           const Progress& progress)
    : inner_(inner), heads_(inner.heads()) {
  if (!files.trajectory.empty()) addTrajectory(files.trajectory, d, progress);
  if (!files.weights.empty()) addWeights(files.weights, d, progress);
}

std::int64_t SeparateAcquisitions::keptOf(std::int64_t acquisition, bool skipsDiscarded) const {
  return keptSamples(heads_[std::size_t(acquisition)], skipsDiscarded).count;
}

// The acquisitions of the image, by their flags; the trajectory's columns are not looked at.
std::vector<std::int64_t> SeparateAcquisitions::imagingOf(const Decisions& d, bool& skipsDiscarded) const {
  const Selection s = selectWithoutTrajectory(heads_, parseMrdHeader(xml(), d.problem()), d);
  skipsDiscarded = s.discard;
  return s.imaging;
}

// The difference between the file's shots and the acquisitions, for messages.
std::string SeparateAcquisitions::differenceText(const GivenTrajectory& t,
                                                 const std::vector<std::int64_t>& imaging,
                                                 bool skipsDiscarded) const {
  if (!t.hasShots) return "";
  const std::size_t both = std::min(t.shotLengths.size(), imaging.size());
  for (std::size_t i = 0; i < both; ++i)
    if (const std::int64_t kept = keptOf(imaging[i], skipsDiscarded); kept != t.shotLengths[i])
      return " (they differ first in shot " + std::to_string(i) + ": " +
             countText(t.shotLengths[i], "sample") + ", and its acquisition has " + std::to_string(kept) +
             ")";
  return " (the first " + countText(std::int64_t(both), "shot") + " agree)";
}

// A file's shots belong to all acquisitions together, or to each group (slice, repetition ...).
SeparateAcquisitions::Match SeparateAcquisitions::matchTo(const std::vector<std::int64_t>& imaging,
                                                          std::int64_t samples, bool skipsDiscarded,
                                                          const std::string& sizes, const std::string& what,
                                                          Decisions& d) const {
  const auto total = [&](const std::vector<std::int64_t>& list) {
    return std::accumulate(list.begin(), list.end(), std::int64_t{0},
                           [&](std::int64_t sum, std::int64_t a) { return sum + keptOf(a, skipsDiscarded); });
  };
  const auto groups = groupsOf(heads_, imaging);
  std::vector<std::int64_t> byGroup;
  for (const auto& [key, list] : groups) byGroup.insert(byGroup.end(), list.begin(), list.end());
  if (total(imaging) == samples)
    return {imaging, 1, byGroup == imaging ? std::vector<std::int64_t>() : byGroup};
  const bool fits =
      std::all_of(groups.begin(), groups.end(), [&](const auto& g) { return total(g.second) == samples; });
  if (fits && groups.size() > 1) return {byGroup, std::int64_t(groups.size()), {}};
  const auto shots = std::int64_t(imaging.size());
  throw Error(d.problem(),
              "the " + what + " is " + sizes + ", and its acquisitions are " + countText(shots, "shot") +
                  " with " + countText(total(imaging), "sample") + " in all" +
                  (groups.size() > 1 ? ", in " + std::to_string(groups.size()) +
                                           " groups (repetition, slice and so on) of which the first has " +
                                           countText(std::int64_t(groups.begin()->second.size()), "shot")
                                     : ""),
              wrongFile);
}

void SeparateAcquisitions::sortByCounter(Match& match) const {
  const auto counted = [&](std::int64_t a, std::int64_t b) {
    return heads_[std::size_t(a)].idx.kspace_encode_step_1 < heads_[std::size_t(b)].idx.kspace_encode_step_1;
  };
  const auto perGroup = std::ptrdiff_t(match.perGroup());
  for (auto group = match.acquisitions.begin(); group != match.acquisitions.end(); group += perGroup)
    std::stable_sort(group, group + perGroup, counted);
}

void SeparateAcquisitions::orderShots(const GivenTrajectory& t, Match& match, Decisions& d) const {
  const std::vector<std::int64_t> firstGroup(match.acquisitions.begin(),
                                             match.acquisitions.begin() + std::ptrdiff_t(match.perGroup()));
  bool inOrder = true;
  const bool counted = countsShots(heads_, firstGroup, inOrder) && t.hasShots;
  const bool grouped = !match.byGroup.empty() && !t.acquired;
  if ((!counted || inOrder) && !grouped && d.override(orderTopic).empty()) return;
  const std::string byCounter = "kspace_encode_step_1", bySlice = "slices";
  std::vector<std::string> orders = {"acquisition"};
  if (counted) orders.push_back(byCounter);
  if (grouped) orders.push_back(bySlice);
  // Outer axes of the array say that it holds one slice or frame after the other.
  const std::string order = d.decide(
      orderTopic, grouped && t.groups() > 1 ? bySlice : "acquisition",
      grouped ? "slices or frames were acquired in turns: the shots may be in that order, or those of "
                "one slice or frame after the other"
              : "the acquisitions' counter kspace_encode_step_1 has another order than their place in "
                "the file",
      orders, true);
  if (std::find(orders.begin(), orders.end(), order) == orders.end())
    throw Error(d.problem(),
                order == bySlice ? "its slices and frames were acquired one after the other"
                                 : "kspace_encode_step_1 does not count the trajectory's shots",
                "Use trajectory-order = acquisition");
  if (order == byCounter) sortByCounter(match);
  if (order == bySlice) match.acquisitions = match.byGroup;
}

// The named shots have the most frequent length in `imaging`, which keeps no other lines. Each
// group (repetition, slice and so on) has these shots; if angles run on, all groups together have
// them.
GivenTrajectory SeparateAcquisitions::madeFromName(const std::string& name,
                                                   std::vector<std::int64_t>& imaging, bool skipsDiscarded,
                                                   Decisions& d, const Progress& progress) {
  constexpr double microseconds = 1e6;
  std::map<std::int64_t, std::int64_t> lengths;
  for (const std::int64_t a : imaging) ++lengths[keptOf(a, skipsDiscarded)];
  NamedShape shape;
  shape.samples = std::max_element(lengths.begin(), lengths.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                  })->first;
  std::erase_if(imaging, [&](std::int64_t a) { return keptOf(a, skipsDiscarded) != shape.samples; });
  const auto groups = groupsOf(heads_, imaging);
  const std::vector<std::int64_t>& first = groups.begin()->second;
  const bool running = parseTrajectoryName(name, d.problem()).get("running", 0) != 0 ||
                       std::any_of(groups.begin(), groups.end(),
                                   [&](const auto& g) { return g.second.size() != first.size(); });
  const std::vector<std::int64_t>& shots = running ? imaging : first;
  shape.shots = std::int64_t(shots.size());
  const AcquisitionHead& head = heads_[std::size_t(shots.front())];
  shape.dwell = double(head.sample_time_us) / microseconds;
  const MrdHeader header = parseMrdHeader(xml(), d.problem());
  const std::size_t space = std::min<std::size_t>(head.encoding_space_ref, header.encodings.size() - 1);
  const EncodedSpace &encoded = header.encodings[space].encoded, &recon = header.encodings[space].recon;
  shape.matrix = double(encoded.matrix[0]);
  shape.partitions = double(encoded.matrix[2]);
  bool wider = false;  // the encoded field of view is not the image's
  for (std::size_t i = 0; i < 3; ++i)
    wider = wider || (encoded.fov[i] > 0 && recon.fov[i] > 0 &&
                      std::abs(encoded.fov[i] / recon.fov[i] - 1) > sameSize);
  const auto samples = [&] {
    CentreSamples s{shape.shots, shape.samples, {}};
    std::vector<std::int64_t> ascending = shots;
    std::sort(ascending.begin(), ascending.end());
    s.coils.assign(std::size_t(head.active_channels),
                   std::vector<cfloat>(std::size_t(shape.shots * shape.samples)));
    inner_.read(AcquisitionMember::data, ascending, "Looking at samples", progress,
                [&](std::size_t position, const float* values) {
                  const AcquisitionHead& h = heads_[std::size_t(ascending[position])];
                  const auto* from =
                      reinterpret_cast<const cfloat*>(values) + keptSamples(h, skipsDiscarded).first;
                  for (std::size_t c = 0; c < s.coils.size(); ++c)
                    std::copy_n(from + std::ptrdiff_t(c) * h.number_of_samples, shape.samples,
                                s.coils[c].begin() + std::ptrdiff_t(position) * shape.samples);
                });
    return s;
  };
  return namedTrajectory(name, shape, wider ? "cycles/encoded-FOV" : "cycles/FOV", samples, d, progress);
}

// Decides trajectory-axes for an array of more axes than shots and samples, or whose numbers of
// shots and samples differ from the acquisitions'. Returns nothing if its sizes do not tell.
std::optional<TrajectoryAxes> SeparateAcquisitions::decideAxes(const GivenTrajectory& t,
                                                               const std::vector<std::int64_t>& imaging,
                                                               bool skipsDiscarded, Decisions& d) const {
  if (t.arrays.empty()) return std::nullopt;
  const std::int64_t kept = keptOf(imaging.front(), skipsDiscarded);
  const std::size_t plainAxes = 2;
  if (t.arrays.front().sizes.size() <= plainAxes && d.override(axesTopic).empty()) {
    const std::size_t shots = groupsOf(heads_, imaging).begin()->second.size();
    const auto points = [&](std::size_t count) { return std::int64_t(count) * kept == t.samples(); };
    if (points(imaging.size()) || points(shots)) return std::nullopt;
  }
  const std::vector<TrajectoryAxes> possible = possibleAxes(t, heads_, imaging, kept);
  if (possible.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const TrajectoryAxes& axes : possible) texts.push_back(axes.text(t));
  const std::string chosen =
      d.decide(axesTopic, texts.front(),
               possible.size() > 1 ? "several axes have the sizes of shots, samples and counters"
                                   : "by the axes' sizes",
               texts, possible.size() > 1);
  const auto found = std::find(texts.begin(), texts.end(), chosen);
  if (found == texts.end())
    throw Error(d.problem(), "\"" + chosen + "\" does not fit the sizes of " + t.name,
                "Use one of: " + joined(texts, "; "));
  return possible[std::size_t(found - texts.begin())];
}

void SeparateAcquisitions::addTrajectory(const std::filesystem::path& file, Decisions& d,
                                         const Progress& progress) {
  bool skipsDiscarded = true;
  std::vector<std::int64_t> imaging = imagingOf(d, skipsDiscarded);
  std::vector<std::int64_t> lengths = {keptOf(imaging.front(), skipsDiscarded),
                                       heads_[std::size_t(imaging.front())].number_of_samples};
  if (lengths[0] == lengths[1]) lengths.pop_back();
  GivenTrajectory t =
      isTrajectoryName(file)
          ? madeFromName(file.string(), imaging, skipsDiscarded, d, progress)
          : readGivenTrajectory(file, lengths, std::int64_t(imaging.size()), progress, {}, girfOf(d));
  // Shots that hold the discarded samples, too.
  const auto whole = std::accumulate(
      imaging.begin(), imaging.end(), std::int64_t{0},
      [&](std::int64_t sum, std::int64_t a) { return sum + heads_[std::size_t(a)].number_of_samples; });
  bool cut = skipsDiscarded;
  if (cut && t.samples() > 0 && whole % t.samples() == 0 && !t.shotLengths.empty() &&
      t.shotLengths.front() == heads_[std::size_t(imaging.front())].number_of_samples)
    cut = false;
  Match match;
  bool turned = false;
  if (const auto axes = decideAxes(t, imaging, cut, d)) {
    if (axes->array > 0) t = readGivenTrajectory(file, lengths, 0, progress, t.arrays[axes->array].column);
    match.acquisitions = sortShots(t, {0, axes->names}, heads_, imaging);
    match.groups = std::int64_t(imaging.size() / t.shotLengths.size());
  } else {
    match = matchTo(imaging, t.samples(), cut, t.sizeText() + differenceText(t, imaging, cut),
                    "trajectory of " + t.name, d);
    requireOneMeaning(t, heads_, imaging, d);
    turned = fitShots(t, std::int64_t(match.perGroup()), keptOf(imaging.front(), cut), d);
  }
  const std::size_t perGroup = match.perGroup();
  d.note("trajectory", t.name,
         t.sizeText() + (turned ? " (stored the other way round)" : "") + "; " +
             countText(std::int64_t(imaging.size()), "acquisition") +
             (match.groups > 1 ? ", " + std::to_string(match.groups) + " times its shots" : "") +
             (t.remark.empty() ? "" : "; " + t.remark));
  noteResponse(t, d);
  orderShots(t, match, d);
  columns_ = t.columns;
  for (std::size_t i = 0, at = 0; i < match.acquisitions.size(); ++i) {
    if (i % perGroup == 0) at = 0;
    const std::int64_t a = match.acquisitions[i];
    const AcquisitionHead& head = heads_[std::size_t(a)];
    const std::int64_t count = keptOf(a, cut);
    const std::size_t shot = i % perGroup;
    const bool sameShots = t.hasShots && t.shotLengths.size() == perGroup;
    if (sameShots && t.shotLengths[shot] != count)
      throw Error(d.problem(),
                  "shot " + std::to_string(shot) + " of " + t.name + " has " +
                      countText(t.shotLengths[shot], "sample") + ", and its acquisition " +
                      std::to_string(count),
                  wrongFile);
    std::vector<float>& own = trajectories_[a];
    own.assign(std::size_t(head.number_of_samples) * std::size_t(columns_), 0.0f);
    const std::int64_t first = cut ? keptSamples(head, true).first : 0;
    std::transform(t.values.begin() + std::ptrdiff_t(at * std::size_t(columns_)),
                   t.values.begin() + std::ptrdiff_t((at + std::size_t(count)) * std::size_t(columns_)),
                   own.begin() + first * columns_, [](double v) { return float(v); });
    at += std::size_t(count);
  }
  for (const std::int64_t a : match.acquisitions)
    heads_[std::size_t(a)].trajectory_dimensions = std::uint16_t(columns_);
  if (!t.unit.empty()) d.suggest("k-unit", t.unit, "from " + t.name);
  if (!t.labels.empty() && t.labels.size() == match.acquisitions.size())
    addLabels(t, match.acquisitions, heads_, d);
}

void SeparateAcquisitions::addWeights(const std::filesystem::path& file, Decisions& d,
                                      const Progress& progress) {
  bool skipsDiscarded = true;
  const std::vector<std::int64_t> imaging = imagingOf(d, skipsDiscarded);
  const std::vector<double> values =
      readGivenNumbers(file, keptOf(imaging.front(), skipsDiscarded), progress);
  const std::string name = file.filename().string();
  const Match match =
      matchTo(imaging, std::int64_t(values.size()), skipsDiscarded,
              countText(std::int64_t(values.size()), "number"), "list of weights in " + name, d);
  const std::size_t perGroup = match.perGroup();
  const int before = heads_[std::size_t(imaging.front())].trajectory_dimensions;
  if (before < 2 || before > 3)
    throw Error(d.problem(),
                "its trajectory has " + std::to_string(before) + " columns, so weights cannot be added to it",
                "Leave the weights of the other file out");
  for (std::size_t i = 0, at = 0; i < match.acquisitions.size(); ++i) {
    if (i % perGroup == 0) at = 0;
    const std::int64_t a = match.acquisitions[i];
    AcquisitionHead& head = heads_[std::size_t(a)];
    const SampleRange kept = keptSamples(head, skipsDiscarded);
    std::vector<float>& own = weights_[a];
    own.assign(head.number_of_samples, 0.0f);
    for (std::int64_t n = 0; n < kept.count; ++n) own[std::size_t(kept.first + n)] = float(values[at++]);
    head.trajectory_dimensions = std::uint16_t(before + 1);
  }
  d.note("density-weights", name,
         countText(std::int64_t(values.size()), "number") +
             (match.groups > 1 ? ", for each of " + std::to_string(match.groups) + " groups of shots" : ""));
  d.suggest(before == 2 ? "third-dimension" : "fourth-dimension", "density-weight", "from " + name);
}

void SeparateAcquisitions::read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                                const std::string& what, const Progress& progress, const Use& use) {
  if (member != AcquisitionMember::trajectory || (trajectories_.empty() && weights_.empty()))
    return inner_.read(member, wanted, what, progress, use);
  const auto hand = [&](std::size_t position, const float* points, int columns) {
    const std::int64_t a = wanted[position];
    const auto weights = weights_.find(a);
    if (weights == weights_.end()) return use(position, points);
    const std::size_t count = weights->second.size(), step = std::size_t(columns) + 1;
    std::vector<float> whole(count * step);
    for (std::size_t n = 0; n < count; ++n) {
      std::copy_n(points + n * std::size_t(columns), columns, whole.begin() + std::ptrdiff_t(n * step));
      whole[n * step + std::size_t(columns)] = weights->second[n];
    }
    use(position, whole.data());
  };
  if (columns_ == 0)
    return inner_.read(member, wanted, what, progress, [&](std::size_t position, const float* values) {
      hand(position, values, inner_.heads()[std::size_t(wanted[position])].trajectory_dimensions);
    });
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    progress.report(double(i) / double(wanted.size()), what);
    const auto own = trajectories_.find(wanted[i]);
    if (own == trajectories_.end())
      throw Error("Cannot read the scan",
                  "acquisition " + std::to_string(wanted[i]) + " has no shot in the trajectory's file",
                  wrongFile);
    hand(i, own->second.data(), columns_);
  }
}

}  // namespace spokelab
