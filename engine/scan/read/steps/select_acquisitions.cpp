#include "engine/scan/read/steps/select_acquisitions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/steps/bad_readouts.h"

namespace spokelab {
namespace {

using namespace ISMRMRD;

struct NamedFlag {
  int bit;
  const char* name;
};

// Acquisitions with one of these flags are not part of the image.
constexpr std::array<NamedFlag, 10> notImaging = {{
    {ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, "noise"},
    {ISMRMRD_ACQ_IS_NAVIGATION_DATA, "navigation"},
    {ISMRMRD_ACQ_IS_PHASECORR_DATA, "phase correction"},
    {ISMRMRD_ACQ_IS_HPFEEDBACK_DATA, "feedback"},
    {ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, "dummy"},
    {ISMRMRD_ACQ_IS_RTFEEDBACK_DATA, "real-time feedback"},
    {ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA, "surface coil correction"},
    {ISMRMRD_ACQ_IS_PHASE_STABILIZATION_REFERENCE, "phase stabilisation reference"},
    {ISMRMRD_ACQ_IS_PHASE_STABILIZATION, "phase stabilisation"},
    {ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION, "calibration"},
}};
constexpr int lastKnownFlag = ISMRMRD_ACQ_IS_PHASE_STABILIZATION,
              firstCompressionFlag = ISMRMRD_ACQ_COMPRESSION1;
constexpr int minTrajectoryColumns = 2, maxTrajectoryColumns = 4;

bool has(const AcquisitionHead& head, int bit) {
  return (head.flags >> (bit - 1)) & 1;
}

std::string listText(const std::map<std::string, std::int64_t>& counts) {
  std::string text;
  for (const auto& [name, n] : counts) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + name;
  return text;
}

template <class Key>
Key mostFrequent(const std::map<Key, std::int64_t>& counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

void warnUnknownFlags(const std::vector<AcquisitionHead>& heads, Decisions& d) {
  std::map<int, std::int64_t> unknown;
  for (const AcquisitionHead& head : heads)
    for (int bit = lastKnownFlag + 1; bit < firstCompressionFlag; ++bit)
      if (has(head, bit)) ++unknown[bit];
  for (const auto& [bit, n] : unknown)
    d.warn(countText(n, "acquisition has", "acquisitions have") + " flag " + std::to_string(bit) +
           ", which is not known; it was ignored");
}

std::size_t decideEncoding(const std::vector<AcquisitionHead>& heads, const MrdHeader& header, Decisions& d) {
  const bool anyTrajectory = std::any_of(heads.begin(), heads.end(),
                                         [](const auto& head) { return head.trajectory_dimensions > 0; });
  std::map<std::size_t, std::int64_t> samples, acquisitions;
  for (const AcquisitionHead& head : heads) {
    ++acquisitions[head.encoding_space_ref];
    if (head.trajectory_dimensions > 0 || !anyTrajectory)
      samples[head.encoding_space_ref] += head.number_of_samples;
  }
  std::size_t automatic = samples.empty() ? 0 : mostFrequent(samples);
  std::string evidence;
  if (samples.size() > 1)
    evidence = "it has the most samples";
  else if (acquisitions.size() > 1)
    evidence = "only its acquisitions have a trajectory";
  if (acquisitions.size() > 1) {
    std::string counts;
    for (const auto& [space, count] : acquisitions)
      counts +=
          (counts.empty() ? "" : ", ") + std::to_string(space) + " has " + countText(count, "acquisition");
    evidence += (evidence.empty() ? "" : ": ") + counts;
  }
  if (automatic >= header.encodings.size()) {
    d.warn("The acquisitions refer to encoding space " + std::to_string(automatic) +
           ", the header describes " + std::to_string(header.encodings.size()));
    evidence = "the acquisitions refer to number " + std::to_string(automatic) + ", which is not described";
    automatic = 0;
  }
  std::vector<std::string> others;
  for (std::size_t e = 0; e < header.encodings.size(); ++e) others.push_back(std::to_string(e));
  if (header.encodings.size() == 1 && d.override("encoding").empty()) return 0;
  const std::string choice = d.decide("encoding", std::to_string(automatic), evidence, others);
  if (std::find(others.begin(), others.end(), choice) == others.end())
    throw Error(d.problem(), "it has no encoding space " + choice,
                "Use 0 to " + std::to_string(others.size() - 1));
  std::size_t number = 0;
  std::from_chars(choice.data(), choice.data() + choice.size(), number);
  return number;
}

void decideDiscard(const std::vector<AcquisitionHead>& heads, Selection& s, Decisions& d) {
  std::int64_t lines = 0, samples = 0, whole = 0;
  for (const std::int64_t i : s.imaging) {
    const AcquisitionHead& head = heads[std::size_t(i)];
    const int marked = head.discard_pre + head.discard_post;
    if (marked == 0) continue;
    ++lines;
    samples += marked;
    whole += marked >= head.number_of_samples;
  }
  if (lines == 0) return;
  const bool nonsense = whole == std::int64_t(s.imaging.size());
  const std::string evidence = nonsense ? "the headers mark every sample of every acquisition"
                                        : countText(samples, "sample", "samples") + " marked in " +
                                              countText(lines, "acquisition", "acquisitions");
  s.discard = d.decide("discard", nonsense ? "ignore" : "apply", evidence, {"apply", "ignore"}) == "apply";
}

// The header may say that the shots are radial, or that the scan is Cartesian.
[[noreturn]] void refuseWithoutTrajectory(const MrdHeader& header, const Selection& s, const Decisions& d) {
  const std::string& said = header.encodings[s.encoding].trajectory;
  const bool gridded = said == "cartesian" || said == "epi";
  throw MissingTrajectory(
      d.problem(),
      "it has no trajectory, and its header says that its shots are " +
          (said == "other" ? std::string("neither Cartesian nor EPI") : said) +
          (gridded ? ", which its counters or its signal do not confirm" : ""),
      "Give its trajectory in a file: --trajectory FILE (.npy, .npz, .mat, .cfl, file.h5:dataset, Pulseq's .seq, "
      "SPARKLING's .bin or another ISMRMRD file); in the window, drop that file. Or name it: --trajectory "
      "radial, koosh, stack-of-stars or spiral. If its lines are Cartesian after all: "
      "--set missing-trajectory=counters",
      d.made);
}

void checkColumns(const std::vector<AcquisitionHead>& heads, const MrdHeader& header, Selection& s,
                  Decisions& d) {
  std::map<int, std::int64_t> counts;
  for (const std::int64_t i : s.imaging) ++counts[heads[std::size_t(i)].trajectory_dimensions];
  s.columns = mostFrequent(counts);
  if (counts.size() > 1) {
    std::string all;
    for (const auto& [columns, n] : counts)
      all += (all.empty() ? "" : ", ") + std::to_string(columns) + " in " + std::to_string(n);
    throw Error(d.problem(), "its acquisitions differ in trajectory dimensions (" + all + ")",
                "Flag the lines that are not part of the image");
  }
  if (s.columns == 0) refuseWithoutTrajectory(header, s, d);
  if (s.columns < minTrajectoryColumns || s.columns > maxTrajectoryColumns)
    throw Error(d.problem(), "its trajectory has " + countText(s.columns, "dimension", "dimensions"),
                "Two to four are possible: kx, ky, and kz, density weight or time");
}

}  // namespace

SampleRange keptSamples(const AcquisitionHead& head, bool discard) {
  if (!discard) return {0, head.number_of_samples};
  const int kept = std::max(0, head.number_of_samples - head.discard_pre - head.discard_post);
  return {kept ? head.discard_pre : 0, kept};
}

Selection selectAcquisitions(const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
                             Decisions& d) {
  Selection s;
  s.encoding = decideEncoding(heads, header, d);
  warnUnknownFlags(heads, d);

  std::int64_t calibration = 0;
  for (const AcquisitionHead& head : heads)
    calibration += has(head, ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION) &&
                   !has(head, ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
  bool useCalibration = false;
  if (calibration > 0)
    useCalibration = d.decide("calibration", "exclude",
                              countText(calibration, "line is", "lines are") + " flagged as calibration only",
                              {"exclude", "include"}) == "include";

  std::map<std::string, std::int64_t> leftOut;
  std::map<int, std::int64_t> coils;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const AcquisitionHead& head = heads[i];
    std::string reason;
    for (const NamedFlag& flag : notImaging) {
      if (!has(head, flag.bit)) continue;
      const bool both = has(head, ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING);
      if (flag.bit == ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION && (useCalibration || both)) continue;
      reason = flag.name;
      break;
    }
    if (reason == "noise") s.noise.push_back(std::int64_t(i));
    if (reason.empty() && header.encodings.size() > 1 && head.encoding_space_ref != s.encoding)
      reason = "of another encoding space";
    if (reason.empty() && head.number_of_samples == 0) reason = "without samples";
    if (reason.empty() && head.active_channels == 0) reason = "without channels";
    if (!reason.empty()) {
      ++leftOut[reason];
      continue;
    }
    s.imaging.push_back(std::int64_t(i));
    ++coils[head.active_channels];
  }
  const std::string total = countText(std::int64_t(heads.size()), "acquisition", "acquisitions");
  if (s.imaging.empty())
    throw Error(d.problem(), "none of its " + total + " is part of an image (" + listText(leftOut) + ")",
                "Check the flags of the acquisitions");

  s.coils = mostFrequent(coils);
  if (coils.size() > 1) {
    const auto before = s.imaging.size();
    std::erase_if(s.imaging,
                  [&](std::int64_t i) { return heads[std::size_t(i)].active_channels != s.coils; });
    leftOut["with another number of channels"] = std::int64_t(before - s.imaging.size());
    d.warn(countText(std::int64_t(before - s.imaging.size()), "acquisition has", "acquisitions have") +
           " another number of channels than " + std::to_string(s.coils) + " and will be left out");
  }
  decideDiscard(heads, s, d);
  const auto emptied = std::erase_if(
      s.imaging, [&](std::int64_t i) { return keptSamples(heads[std::size_t(i)], s.discard).count == 0; });
  if (emptied) leftOut["with all samples discarded"] = std::int64_t(emptied);
  std::erase_if(s.noise, [&](std::int64_t i) { return heads[std::size_t(i)].active_channels != s.coils; });
  if (s.imaging.empty())
    throw Error(d.problem(), "none of its " + total + " has samples to keep",
                "Discard fewer samples: check discard_pre and discard_post of the acquisitions");
  if (const std::int64_t lines = leaveOutWithoutTrajectory(heads, s, d))
    leftOut["without a trajectory"] = lines;
  checkColumns(heads, header, s, d);
  d.note("acquisitions", std::to_string(s.imaging.size()) + " of " + total,
         leftOut.empty() ? "all are part of the image" : "left out: " + listText(leftOut));
  return s;
}

Selection selectWithoutTrajectory(std::vector<AcquisitionHead> heads, const MrdHeader& header,
                                  const Decisions& d) {
  Decisions scratch = d;
  for (AcquisitionHead& head : heads) head.trajectory_dimensions = minTrajectoryColumns;
  return selectAcquisitions(heads, header, scratch);
}

}  // namespace spokelab
