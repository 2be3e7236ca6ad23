#include "engine/scan/read/description/propose_description.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/array_words.h"
#include "engine/scan/read/description/propose_companions.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

const char* const byHand = "or write the description by hand (see the guide, Scans)";

// Times are one number a point; t [2, n] is a trajectory, as Monalisa calls it.
bool mayBePoints(const ArrayCandidate& c) {
  if (!isCompanion(c.word)) return true;
  const int column = columnAxis(c.header);
  return c.word == "t" && c.onlyReal && column >= 0 &&
         pointSizes(c.header, column).count > c.header.shape[std::size_t(column)];
}

// kx, ky and perhaps kz beside each other, of the same shape.
std::optional<PossiblePoints> separateColumns(const Candidates& candidates) {
  PossiblePoints p;
  for (const char* column : {"kx", "ky", "kz"})
    for (const ArrayCandidate& c : candidates) {
      if (c.word != column || !c.onlyReal) continue;
      if (!p.files.empty() && p.files.front()->header.shape != c.header.shape) continue;
      p.files.push_back(&c);
      p.columns.emplace_back(column);
      break;
    }
  if (p.files.size() < 2 || p.columns[1] != "ky") return std::nullopt;
  p.sizes = pointSizes(p.files.front()->header, -1);
  return p;
}

// All ways, the best first: files named after the columns, files that sound like a trajectory,
// numbers on a path, more points rather than fewer; coordinates kx + i ky after those with an axis
// of columns.
std::vector<PossiblePoints> possiblePoints(const Candidates& candidates,
                                           const ArrayCandidate* requestedArray) {
  constexpr int onPath = 1, real = 2, named = 4, isAsked = 8;
  std::vector<PossiblePoints> ways;
  if (auto separate = separateColumns(candidates)) {
    separate->rank = named + real + 1;
    ways.push_back(std::move(*separate));
  }
  for (const ArrayCandidate& c : candidates) {
    const bool sounds = soundsLikeTrajectory(c.word);
    if (!mayBePoints(c) && &c != requestedArray) continue;
    PossiblePoints p;
    p.files = {&c};
    p.rank = (sounds ? named : 0) + (c.onlyReal ? real : 0) + (c.onPath ? onPath : 0);
    if (c.onlyReal) {
      p.column = columnAxis(c.header);
      if (p.column < 0) continue;
    } else {
      if (soundsLikeSamples(c.word) || (c.bare && !c.onPath)) continue;
      p.columns = {complexColumn};
    }
    p.sizes = pointSizes(c.header, p.column);
    ways.push_back(std::move(p));
  }
  for (PossiblePoints& p : ways)
    if (requestedArray && requestedArray->onlyReal && !soundsLikeSamples(requestedArray->word) &&
        p.uses(*requestedArray))
      p.rank += isAsked;
  std::stable_sort(ways.begin(), ways.end(), [](const PossiblePoints& a, const PossiblePoints& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.sizes.count > b.sizes.count;
  });
  return ways;
}

// The header, with the shape that the points give to samples without one.
ArrayHeader settledHeader(const ArrayCandidate& c, const PointSizes& points) {
  ArrayHeader header = c.header;
  if (c.bare) header.shape = bareShape(c.header.elements(), points);
  return header;
}

// The axis of real and imaginary parts of samples that are stored as real numbers.
int partsOf(const ArrayCandidate& c) {
  return c.onlyReal && !soundsLikeTrajectory(c.word) ? partAxis(c.header) : -1;
}

bool holdSamplesOf(const ArrayCandidate& c, const PossiblePoints& points) {
  const int part = partsOf(c);
  return (!c.onlyReal || part >= 0) && !points.uses(c) &&
         !sampleAxes(settledHeader(c, points.sizes), points.sizes, part).names.empty();
}

// The samples that fit the points: what was asked for, else the largest that sounds like samples.
const ArrayCandidate* samplesFor(const Candidates& all, const PossiblePoints& points,
                                 const ArrayCandidate* asked) {
  const auto fits = [&](const ArrayCandidate& c) { return holdSamplesOf(c, points); };
  if (asked && !points.uses(*asked)) return fits(*asked) ? asked : nullptr;
  const ArrayCandidate* best = nullptr;
  const auto better = [](const ArrayCandidate& a, const ArrayCandidate& b) {
    if (a.onlyReal != b.onlyReal) return b.onlyReal;
    const bool sounds = soundsLikeSamples(a.word), other = soundsLikeSamples(b.word);
    return sounds != other ? sounds : a.header.elements() > b.header.elements();
  };
  for (const ArrayCandidate& c : all)
    if (fits(c) && !isCompanion(c.word) && (!best || better(c, *best))) best = &c;
  return best;
}

// Coordinates kx + i ky look like a coil's samples: a name, the size or the numbers tell.
bool toldApart(const PossiblePoints& points, const ArrayCandidate& samples) {
  const ArrayCandidate& k = *points.files.front();
  return k.onlyReal || soundsLikeTrajectory(k.word) || soundsLikeSamples(samples.word) ||
         samples.header.elements() > k.header.elements() || (k.onPath && !samples.onPath);
}

std::string fileNames(const PossiblePoints& points) {
  std::string text;
  for (const ArrayCandidate* c : points.files) text += (text.empty() ? "" : ", ") + c->file.string();
  return text;
}

void addTrajectory(const PossiblePoints& points, ProposedDescription& p) {
  p.description.columns = points.columns;
  for (const ArrayCandidate* c : points.files)
    p.description.trajectory.push_back({c->file, trajectoryAxes(c->header, points.column),
                                        c->bare ? c->header.shape : std::vector<std::int64_t>()});
  const ArrayCandidate& first = *points.files.front();
  if (points.files.size() > 1)
    p.notes.emplace_back("the trajectory is one array a column: " + fileNames(points));
  else
    p.notes.push_back("the trajectory is " + first.file.string() + ": " + shapeText(first.header.shape) +
                      (first.onlyReal ? ", real" : ", complex: kx + i ky"));
}

// One of two axes that were called shots may be a frame, slice or partition, in both arrays.
std::vector<AxesReading> readingsOfOuterShots(const AxesReading& asShots, const ArrayHeader& samples,
                                              const ArrayHeader& trajectory) {
  std::vector<AxesReading> readings;
  const auto shots = [](const std::vector<std::string>& names) {
    return std::count(names.begin(), names.end(), "shot");
  };
  if (shots(asShots.samples) < 2 || shots(asShots.trajectory) != shots(asShots.samples)) return readings;
  const auto renamed = [](std::vector<std::string> names, bool innermostFirst, const char* name) {
    const auto outer =
        innermostFirst ? names.end() - 1 - (std::find(names.rbegin(), names.rend(), "shot") - names.rbegin())
                       : std::find(names.begin(), names.end(), "shot");
    *outer = name;
    return names;
  };
  for (const char* name : {"time", "echo", "slice", "partition"})
    readings.push_back({renamed(asShots.samples, samples.firstAxisInnermost, name),
                        renamed(asShots.trajectory, trajectory.firstAxisInnermost, name)});
  return readings;
}

// BART says what its axes are, where samples and trajectory have its order.
bool addBartSamples(const PossiblePoints& points, const ArrayCandidate& samples, ProposedDescription& p) {
  const ArrayCandidate& k = *points.files.front();
  if (points.files.size() != 1 || k.file.extension() != ".cfl" || samples.file.extension() != ".cfl" ||
      samples.bare || k.bare)
    return false;
  const auto names = bartAxes(samples.header, false), ofPoints = bartAxes(k.header, true);
  if (names.empty() || ofPoints.empty()) return false;
  for (std::size_t axis = 1; axis < k.header.shape.size(); ++axis) {
    const std::int64_t there = axis < samples.header.shape.size() ? samples.header.shape[axis] : 1;
    if (k.header.shape[axis] != there && (axis < 3 || k.header.shape[axis] > 1)) return false;
  }
  p.description.samples = {samples.file, names, {}};
  p.description.trajectory.front().axes = ofPoints;
  p.notes.push_back("the samples are " + samples.file.string() + ": " + shapeText(samples.header.shape) +
                    ", by BART's order of dimensions " + joined(names, " x "));
  return true;
}

void addSamples(const PossiblePoints& points, const ArrayCandidate& samples, ProposedDescription& p) {
  if (addBartSamples(points, samples, p)) return;
  const ArrayHeader header = settledHeader(samples, points.sizes);
  const int part = partsOf(samples);
  const SampleAxes axes = sampleAxes(header, points.sizes, part);
  ScanDescription& d = p.description;
  d.samples = {samples.file, axes.names, {}};
  if (samples.bare) d.samples.shape = header.shape;
  p.notes.push_back("the samples are " + samples.file.string() + ": " + shapeText(header.shape) + ", " +
                    joined(axes.names, " x ") +
                    (samples.bare ? "; it has no .hdr, the trajectory settles its shape" : "") +
                    (part >= 0 ? "; its numbers are real: pairs of real and imaginary parts" : ""));
  const ArrayCandidate& k = *points.files.front();
  AxesReading asShots{axes.names, {}};
  std::vector<AxesReading> otherReadings;
  if (d.trajectory.size() == 1) {
    asShots.trajectory = d.trajectory.front().axes;
    otherReadings = readingsOfOuterShots(asShots, header, k.header);
  }
  const bool outerShots = !otherReadings.empty();
  // Two columns are the points of an image: a further axis are images. Three may be a volume's.
  if (outerShots && (points.column < 0 || k.header.shape[std::size_t(points.column)] == 2)) {
    d.samples.axes = otherReadings.front().samples;
    d.trajectory.front().axes = otherReadings.front().trajectory;
    otherReadings.front() = asShots;
  }
  for (const auto& other : axes.others)
    otherReadings.push_back({other, outerShots ? asShots.trajectory : std::vector<std::string>()});
  d.otherAxes = otherReadings;
  for (const AxesReading& other : otherReadings)
    p.notes.push_back("the sizes of the axes do not tell what they are: they may be " +
                      joined(other.samples, " x ") + " as well");
  const auto& names = axes.names;
  if (points.sizes.sizes.size() < 2 && std::find(names.begin(), names.end(), "shot") == names.end())
    p.notes.emplace_back("shots are not told apart: add \"samples_per_shot\" if you know it");
}

std::string whyNothingFits(const std::vector<PossiblePoints>& ways, const ArrayCandidate* asked) {
  if (asked && asked->bare)
    return "it has no .hdr, and no array beside it settles the shape of its " +
           std::to_string(asked->header.elements()) + " numbers";
  if (asked && !asked->onlyReal)
    return "no array beside it can be its trajectory: none has 2 to 4 columns, or numbers kx + i ky, and as "
           "many points as it has samples";
  const bool usable = !ways.empty() && (!asked || ways.front().uses(*asked));
  if (usable)
    return "no complex array beside it holds " + std::to_string(ways.front().sizes.count) +
           " samples a coil, as " + fileNames(ways.front()) + " has points";
  if (asked && soundsLikeSamples(asked->word))
    return "its numbers are real, and no axis at either end has a size of 2 for their real and imaginary parts";
  return asked ? "it is real, but no axis at either end has 2 to 4 columns, as a trajectory's has"
               : "none of its arrays has 2 to 4 columns at either end, as a trajectory's has";
}

// The request: one array, or a whole file of which one array must be part.
struct Asked {
  const ArrayCandidate* array = nullptr;
  std::string within;  // begins the names of the file's arrays

  bool covers(const PossiblePoints& points, const ArrayCandidate& samples) const {
    const auto inside = [&](const ArrayCandidate* c) { return c->file.string().starts_with(within); };
    return inside(&samples) || std::any_of(points.files.begin(), points.files.end(), inside);
  }
};

ProposedDescription propose(const fs::path& folder, const Candidates& all, const Asked& asked,
                            const std::string& problem) {
  const std::vector<PossiblePoints> ways = possiblePoints(all, asked.array);
  for (const PossiblePoints& points : ways) {
    const ArrayCandidate* samples = samplesFor(all, points, asked.array);
    if (!samples || !asked.covers(points, *samples)) continue;
    if (!toldApart(points, *samples))
      throw Error(problem,
                  points.files.front()->file.string() + " and " + samples->file.string() +
                      " are complex and of the same size: either may be the coordinates kx + i ky",
                  std::string("Call the coordinates k or traj, ") + byHand);
    ProposedDescription p;
    addTrajectory(points, p);
    addSamples(points, *samples, p);
    addCompanions(folder, all, points, p);
    addEchoTimes(folder, all, *samples, p);
    p.notes.emplace_back(
        "matrix, field of view and unit of k are left to the reader: add \"matrix\", \"fov_mm\", and "
        "\"unit\" to the trajectory if you know them");
    return p;
  }
  if (asked.array && asked.array->bare)
    throw Error(
        problem, whyNothingFits(ways, asked.array),
        "Write a .hdr beside it: the line \"# Dimensions\" and under it the sizes, fastest first, such as "
        "\"1 samples shots coils\"");
  throw Error(problem, whyNothingFits(ways, asked.array),
              std::string("Put trajectory and samples into the same folder, ") + byHand);
}

ProposedDescription proposeFrom(const Candidates& all, const ArrayName& name, const std::string& problem) {
  const fs::path file = name.file.filename(), folder = name.file.parent_path();
  if (holdsSeveralArrays(file) && name.variable.empty())
    return propose(folder, all, {nullptr, arrayName(file, "").string()}, problem);
  const fs::path wanted = name.variable.empty() ? file : arrayName(file, name.variable);
  const auto it = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.file == wanted; });
  if (it == all.end())
    throw Error(problem, "its folder holds too many arrays", "Move scan and trajectory to a separate folder");
  return propose(folder, all, {&*it, ""}, problem);
}

// Throws Error where no variable of the file can be read, with the reasons.
void requireReadable(const fs::path& file, const std::string& problem) {
  constexpr std::size_t maxShown = 3;
  std::vector<std::string> reasons;
  for (const ArrayVariable& v : arrayVariables(file)) {
    if (v.unreadable.empty()) return;
    if (reasons.size() < maxShown) reasons.push_back(v.name + ": " + v.unreadable);
  }
  throw Error(problem,
              reasons.empty() ? "it holds no arrays"
                              : "none of its arrays can be read (" + joined(reasons, "; ") + ")",
              "Save samples and trajectory as plain arrays of numbers");
}

}  // namespace

std::optional<ScanDescription> describePair(const ArrayCandidate& samples, const ArrayCandidate& trajectory) {
  PossiblePoints points;
  points.files = {&trajectory};
  if (trajectory.onlyReal)
    points.column = columnAxis(trajectory.header);
  else
    points.columns = {complexColumn};
  points.sizes = pointSizes(trajectory.header, points.column);
  if ((trajectory.onlyReal && points.column < 0) || !holdSamplesOf(samples, points)) return std::nullopt;
  ProposedDescription p;
  addTrajectory(points, p);
  addSamples(points, samples, p);
  return p.description;
}

ProposedDescription proposeScanDescription(const fs::path& name) {
  const std::string problem = "Cannot propose a description for " + name.string();
  ArrayName asked = parseArrayName(name);
  const bool several = holdsSeveralArrays(asked.file) || !asked.variable.empty();
  if (several && asked.variable.empty()) requireReadable(asked.file, problem);
  // Throws where this one is wrong; what a .cfl without header holds, its neighbours tell.
  if (!lacksHeader(asked.file) && (!several || !asked.variable.empty())) asked = ArrayFile(name).name();
  std::optional<ProposedDescription> p;
  try {
    p = proposeFrom(several ? candidatesInside(asked.file) : candidatesBeside(asked.file, false), asked,
                    problem);
  } catch (const Error&) {
    try {  // what is missing may lie in another file
      p = proposeFrom(candidatesBeside(asked.file, true), asked, problem);
    } catch (const Error&) {
      p.reset();
    }
    if (!p) throw;
  }
  p->description.folder = asked.file.parent_path();
  return *p;
}

}  // namespace spokelab
