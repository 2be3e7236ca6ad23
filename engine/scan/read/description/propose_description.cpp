#include "engine/scan/read/description/propose_description.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/match_axes.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

using Candidates = std::vector<ArrayCandidate>;

const char* const byHand = "or write the description by hand (see the guide, Scans)";

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; });
}
bool soundsLikeTrajectory(const std::string& word) {
  return word.find("tra") != std::string::npos || word.find("coord") != std::string::npos ||
         isOneOf(word, {"k", "kxy", "kxyz", "om", "omega", "loc", "locs", "points", "kloc"});
}
bool soundsLikeSamples(const std::string& word) {
  return !soundsLikeTrajectory(word) &&
         (word.find("ksp") != std::string::npos || word.find("data") != std::string::npos ||
          word.find("raw") != std::string::npos || word.find("samp") != std::string::npos ||
          isOneOf(word, {"d", "s", "y", "sig", "signal", "signals"}));
}
bool isTimes(const std::string& word) {
  return isOneOf(word, {"t", "time", "times", "tvec"});
}
bool isWeights(const std::string& word) {
  return isOneOf(word, {"w", "weights", "dcf", "dens", "density"});
}
// The name under which a map is read; empty: it is none.
std::string mapName(const std::string& word) {
  if (isOneOf(word, {"fm", "fieldmap", "b0", "b0map"})) return "FieldMap";
  if (isOneOf(word, {"pmap", "phasemaps"})) return "PhaseMaps";
  if (isOneOf(word, {"sen", "sens", "sensemap", "smap", "smaps", "maps", "csm"})) return "SENSEMap";
  return "";
}
bool isCompanion(const std::string& word) {
  return isTimes(word) || isWeights(word) || !mapName(word).empty();
}

// A way to take candidates as a trajectory.
struct Points {
  std::vector<const ArrayCandidate*> files;  // one, or one a column
  std::vector<std::string> columns;          // where they are known
  int column = -1;                           // the axis
  PointSizes sizes;
  int rank = 0;  // better ones are larger

  bool uses(const ArrayCandidate& c) const {
    return std::find(files.begin(), files.end(), &c) != files.end();
  }
};

// kx, ky and perhaps kz beside each other, of the same shape.
std::optional<Points> separateColumns(const Candidates& all) {
  Points p;
  for (const char* column : {"kx", "ky", "kz"})
    for (const ArrayCandidate& c : all) {
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
// numbers on a path, more points rather than fewer; coordinates kx + i ky after those with an axis of
// columns.
std::vector<Points> possiblePoints(const Candidates& all, const ArrayCandidate* asked) {
  constexpr int onPath = 1, real = 2, named = 4, isAsked = 8;
  std::vector<Points> ways;
  if (auto separate = separateColumns(all)) {
    separate->rank = named + real + 1;
    ways.push_back(std::move(*separate));
  }
  for (const ArrayCandidate& c : all) {
    const bool sounds = soundsLikeTrajectory(c.word);
    if (isCompanion(c.word) && &c != asked) continue;
    Points p;
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
  for (Points& p : ways)
    if (asked && asked->onlyReal && p.uses(*asked)) p.rank += isAsked;
  std::stable_sort(ways.begin(), ways.end(), [](const Points& a, const Points& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.sizes.count > b.sizes.count;
  });
  return ways;
}

// With the shape that the points give to samples without one.
ArrayHeader settledHeader(const ArrayCandidate& c, const PointSizes& points) {
  ArrayHeader header = c.header;
  if (c.bare) header.shape = bareShape(c.header.elements(), points);
  return header;
}

// The samples that fit the points: what was asked for, else the largest that sounds like samples.
const ArrayCandidate* samplesFor(const Candidates& all, const Points& points, const ArrayCandidate* asked) {
  const auto fits = [&](const ArrayCandidate& c) {
    return !c.onlyReal && !points.uses(c) &&
           !sampleAxes(settledHeader(c, points.sizes), points.sizes).names.empty();
  };
  if (asked && !points.uses(*asked)) return fits(*asked) ? asked : nullptr;
  const ArrayCandidate* best = nullptr;
  const auto better = [](const ArrayCandidate& a, const ArrayCandidate& b) {
    const bool sounds = soundsLikeSamples(a.word), other = soundsLikeSamples(b.word);
    return sounds != other ? sounds : a.header.elements() > b.header.elements();
  };
  for (const ArrayCandidate& c : all)
    if (fits(c) && !isCompanion(c.word) && (!best || better(c, *best))) best = &c;
  return best;
}

// Coordinates kx + i ky look like one coil's samples: a name, the size or the numbers tell them apart.
bool toldApart(const Points& points, const ArrayCandidate& samples) {
  const ArrayCandidate& k = *points.files.front();
  return k.onlyReal || soundsLikeTrajectory(k.word) || soundsLikeSamples(samples.word) ||
         samples.header.elements() > k.header.elements() || (k.onPath && !samples.onPath);
}

std::string fileNames(const Points& points) {
  std::string text;
  for (const ArrayCandidate* c : points.files) text += (text.empty() ? "" : ", ") + c->file.string();
  return text;
}

void addTrajectory(const Points& points, ProposedDescription& p) {
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

void addSamples(const Points& points, const ArrayCandidate& samples, ProposedDescription& p) {
  const ArrayHeader header = settledHeader(samples, points.sizes);
  const SampleAxes axes = sampleAxes(header, points.sizes);
  p.description.samples = {samples.file, axes.names, {}};
  if (samples.bare) p.description.samples.shape = header.shape;
  p.notes.push_back("the samples are " + samples.file.string() + ": " + shapeText(header.shape) + ", " +
                    joined(axes.names, " x ") +
                    (samples.bare ? "; it has no .hdr, the trajectory settles its shape" : ""));
  for (const auto& other : axes.others)
    p.notes.push_back("axes of the samples have the same size: they may be " + joined(other, " x ") +
                      " as well");
  const auto& names = axes.names;
  if (points.sizes.sizes.size() < 2 && std::find(names.begin(), names.end(), "shot") == names.end())
    p.notes.emplace_back("shots are not told apart: add \"samples_per_shot\" if you know it");
}

void addCompanions(const Candidates& all, const Points& points, ProposedDescription& p) {
  ScanDescription& d = p.description;
  for (const ArrayCandidate& c : all) {
    const std::string name = mapName(c.word);
    const bool fits = pointSizes(c.header, -1).count == points.sizes.count && c.onlyReal;
    if (!d.times && fits && isTimes(c.word)) {
      d.times = ArrayPart{c.file, trajectoryAxes(c.header, -1), {}};
      p.notes.push_back("times from " + c.file.string() + ", taken as seconds");
    } else if (!d.weights && fits && isWeights(c.word)) {
      d.weights = ArrayPart{c.file, trajectoryAxes(c.header, -1), {}};
      p.notes.push_back("density weights from " + c.file.string());
    } else if (!name.empty()) {
      d.arrays[name] = {c.file, {}, {}};
      p.notes.push_back(name + " from " + c.file.string());
    }
  }
}

std::string whyNothingFits(const std::vector<Points>& ways, const ArrayCandidate* asked) {
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
  return asked ? "it is real, but no axis at either end has 2 to 4 columns, as a trajectory's has"
               : "none of its arrays has 2 to 4 columns at either end, as a trajectory's has";
}

// What was asked for: one array, or a whole file of which one array has to be part.
struct Asked {
  const ArrayCandidate* array = nullptr;
  std::string within;  // begins the names of the file's arrays

  bool covers(const Points& points, const ArrayCandidate& samples) const {
    const auto inside = [&](const ArrayCandidate* c) { return c->file.string().starts_with(within); };
    return inside(&samples) || std::any_of(points.files.begin(), points.files.end(), inside);
  }
};

ProposedDescription propose(const Candidates& all, const Asked& asked, const std::string& problem) {
  const std::vector<Points> ways = possiblePoints(all, asked.array);
  for (const Points& points : ways) {
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
    addCompanions(all, points, p);
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
  const fs::path file = name.file.filename();
  if (holdsSeveralArrays(file) && name.variable.empty())
    return propose(all, {nullptr, arrayName(file, "").string()}, problem);
  const fs::path wanted = name.variable.empty() ? file : arrayName(file, name.variable);
  const auto it = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.file == wanted; });
  if (it == all.end())
    throw Error(problem, "its folder holds too many arrays",
                "Move scan and trajectory to a folder of their own");
  return propose(all, {&*it, ""}, problem);
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
