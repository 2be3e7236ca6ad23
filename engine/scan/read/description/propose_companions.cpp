#include "engine/scan/read/description/propose_companions.h"

#include <algorithm>

#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/read/description/array_words.h"

namespace spokelab {
namespace {

// Names of the axes of weights: the points' axes, or one of them if they repeat along the other.
std::vector<std::string> weightAxes(const ArrayHeader& header, const PointSizes& points) {
  const PointSizes own = pointSizes(header, -1);
  if (own.count == points.count) return trajectoryAxes(header, -1);
  std::vector<std::string> names(header.shape.size(), "one");
  if (own.sizes.size() != 1 || points.sizes.size() != 2) return {};
  if (points.sizes[0] == points.sizes[1]) return {};  // along shots or along samples: nobody knows
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    if (header.shape[axis] == 1) continue;
    if (header.shape[axis] == points.sizes[1])
      names[axis] = "sample";
    else if (header.shape[axis] == points.sizes[0])
      names[axis] = "shot";
    else
      return {};
  }
  return names;
}

// Weights and times of the trajectory's own shape have its axes, which may be frames.
std::vector<std::string> axesAsPoints(const ArrayHeader& header, const PossiblePoints& points,
                                      const ScanDescription& d) {
  const std::vector<std::string> ofPoints = withoutColumn(d.trajectory.front().axes);
  const bool alike =
      pointSizes(header, -1).sizes == points.sizes.sizes && ofPoints.size() == header.shape.size();
  const bool sameOrder = header.firstAxisInnermost == points.files.front()->header.firstAxisInnermost;
  if (alike && sameOrder) return ofPoints;
  std::vector<std::string> names = trajectoryAxes(header, -1);
  if (isTurned(pointSizes(header, -1), points.sizes))
    std::iter_swap(std::find(names.begin(), names.end(), "shot"),
                   std::find(names.begin(), names.end(), "sample"));
  return names;
}

// The unit of sample times, by the longest: readouts end within 0.2 s.
double timeUnitOf(const std::filesystem::path& folder, const ArrayCandidate& c) {
  constexpr double maxSeconds = 0.2, millisecond = 1e-3, microsecond = 1e-6;
  double longest = 0;
  ArrayFile(folder / c.file)
      .read(Progress(), "", [&](std::int64_t, const cdouble* values, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) longest = std::max(longest, std::abs(values[i].real()));
      });
  return longest < maxSeconds ? 1 : longest * millisecond < maxSeconds ? millisecond : microsecond;
}

// The numbers of a short list, as echo times.
std::vector<double> listedNumbers(const std::filesystem::path& folder, const ArrayCandidate& c) {
  constexpr std::int64_t maxListed = 1024;
  std::vector<double> numbers;
  if (!c.onlyReal || c.header.elements() > maxListed) return numbers;
  for (const cdouble& v : ArrayFile(folder / c.file).readAll<cdouble>(Progress(), ""))
    numbers.push_back(v.real());
  return numbers;
}

}  // namespace

void addCompanions(const std::filesystem::path& folder, const Candidates& all, const PossiblePoints& points,
                   ProposedDescription& p) {
  ScanDescription& d = p.description;
  for (const ArrayCandidate& c : all) {
    const std::string name = mapName(c.word);
    const bool fits = pointSizes(c.header, -1).count == points.sizes.count && c.onlyReal;
    if (points.uses(c)) continue;
    if (!d.times && fits && isTimes(c.word)) {
      d.times = ArrayPart{c.file, axesAsPoints(c.header, points, d), {}};
      d.timeUnit = timeUnitOf(folder, c);
      p.notes.push_back("times from " + c.file.string() + ", taken as " +
                        (d.timeUnit == 1     ? "seconds"
                         : d.timeUnit > 1e-5 ? "milliseconds"
                                             : "microseconds"));
    } else if (!d.weights && c.onlyReal && isWeights(c.word) && !weightAxes(c.header, points.sizes).empty()) {
      const bool whole = pointSizes(c.header, -1).count == points.sizes.count;
      d.weights = ArrayPart{
          c.file, whole ? axesAsPoints(c.header, points, d) : weightAxes(c.header, points.sizes), {}};
      p.notes.push_back("density weights from " + c.file.string());
    } else if (!name.empty()) {
      d.arrays[name] = {c.file, {}, {}};
      p.notes.push_back(name + " from " + c.file.string());
    }
  }
}

void addEchoTimes(const std::filesystem::path& folder, const Candidates& all, const ArrayCandidate& samples,
                  ProposedDescription& p) {
  constexpr double maxSeconds = 1, millisecond = 1e-3;
  ScanDescription& d = p.description;
  for (const ArrayCandidate& c : all) {
    if (!isEchoTimes(c.word)) continue;
    std::vector<double> times = listedNumbers(folder, c);
    const auto isEcho = [&](const std::vector<std::string>& names) {
      for (std::size_t axis = 0; axis < names.size(); ++axis)
        if (names[axis] == "echo" && samples.header.shape[axis] == std::int64_t(times.size())) return true;
      return false;
    };
    if (times.size() < 2 || !std::is_sorted(times.begin(), times.end()) || !(times.front() > 0)) continue;
    if (!isEcho(d.samples.axes)) {
      const auto other = std::find_if(d.otherAxes.begin(), d.otherAxes.end(), [&](const AxesReading& r) {
        return r.trajectory.empty() && isEcho(r.samples);
      });
      if (other == d.otherAxes.end()) continue;
      std::swap(d.samples.axes, other->samples);
    }
    const bool inSeconds = times.back() < maxSeconds;
    if (!inSeconds)
      for (double& t : times) t *= millisecond;
    d.echoTimes = times;
    p.notes.push_back("echo times from " + c.file.string() + ", taken as " + (inSeconds ? "s" : "ms"));
    return;
  }
}

}  // namespace spokelab
