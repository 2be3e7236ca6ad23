#include "engine/scan/read/correct/correct_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <optional>
#include <sstream>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/place/vectors.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

const char* const topicOfMotion = "shot-motion";

struct RigidMotion {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  // of R
  Vec3 shift{0, 0, 0};                                                    // mm
};

// Turns `motion` further by an angle in degrees, in the plane from axis a to axis b.
void turnAbout(RigidMotion& motion, std::size_t a, std::size_t b, double degrees) {
  const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  const Vec3 first = motion.rows[a], second = motion.rows[b];
  for (std::size_t i = 0; i < 3; ++i) {
    motion.rows[a][i] = c * first[i] - s * second[i];
    motion.rows[b][i] = s * first[i] + c * second[i];
  }
}

const char* exampleRow(int dims) {
  return dims == 2 ? "\"0-99 5 1.5 -2\": shots, degrees, mm along x and y"
                   : "\"0-99 1 0 5 1.5 -2 0\": shots, degrees about x, y and z, mm along x, y and z";
}

// [shot of all trajectories]; empty: it rests.
std::vector<std::optional<RigidMotion>> motionsOf(const std::string& file, int dims, std::int64_t shots,
                                                  const Decisions& d) {
  std::ifstream in(file);
  const std::string remedy = std::string("Write a row for each group of shots, as in ") + exampleRow(dims);
  if (!in) throw Error(d.problem(), "the file " + file + " of shot-motion cannot be opened", remedy);
  std::vector<std::optional<RigidMotion>> motions(static_cast<std::size_t>(shots));
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string group;
    if (!(words >> group) || group.front() == '#') continue;
    const std::string where = "row " + std::to_string(number) + " of " + file;
    std::vector<double> values;
    for (double value = 0; words >> value;) values.push_back(value);
    const std::size_t wanted = dims == 2 ? 3 : 6;
    bool finite = words.eof() && values.size() == wanted;
    for (const double value : values) finite = finite && std::isfinite(value);
    if (!finite)
      throw Error(d.problem(), where + " does not have shots and " + std::to_string(wanted) + " numbers",
                  remedy);
    RigidMotion motion;
    if (dims == 2) {
      turnAbout(motion, 0, 1, values[0]);
    } else {
      turnAbout(motion, 1, 2, values[0]);
      turnAbout(motion, 2, 0, values[1]);
      turnAbout(motion, 0, 1, values[2]);
    }
    const std::size_t first = wanted - std::size_t(dims);
    std::copy(values.begin() + std::ptrdiff_t(first), values.end(), motion.shift.begin());
    for (const int shot : numberList(group, int(shots), d.problem(), "the scan (" + where + ")")) {
      if (motions[std::size_t(shot)])
        throw Error(d.problem(), where + " moves shot " + std::to_string(shot) + " a second time",
                    "Name each shot once");
      motions[std::size_t(shot)] = motion;
    }
  }
  return motions;
}

// Moves the points of a shot to where an object at rest is seen, and gives the turns of phase.
void moveShot(const RigidMotion& motion, const Vec3& fov, Trajectory& t, std::int64_t shot,
              std::vector<double>& turns) {
  const auto dims = std::size_t(t.dims);
  for (std::int64_t j = t.shotOffsets[std::size_t(shot)]; j < t.shotOffsets[std::size_t(shot) + 1]; ++j) {
    double* const point = t.points.data() + std::size_t(j) * dims;
    Vec3 k{0, 0, 0};  // cycles per mm
    for (std::size_t i = 0; i < dims; ++i) k[i] = point[i] / fov[i];
    const double cycles = dot(k, motion.shift);
    turns[std::size_t(j)] = cycles - std::floor(cycles);
    for (std::size_t i = 0; i < dims; ++i) {
      double turned = 0;  // R^T k
      for (std::size_t a = 0; a < dims; ++a) turned += motion.rows[a][i] * k[a];
      point[i] = turned * fov[i];
    }
  }
}

void turnPhases(Scan& scan, int frame, const std::vector<double>& turns) {
  parallelTasks(std::int64_t(scan.slices) * scan.coils, 0, [&](std::int64_t row) {
    scan.change(frame, int(row / scan.coils), int(row % scan.coils), [&](auto* samples) {
      for (std::size_t j = 0; j < turns.size(); ++j)
        if (turns[j] != 0)
          samples[j] *=
              std::remove_pointer_t<decltype(samples)>(std::polar(1.0, 2 * std::numbers::pi * turns[j]));
    });
  });
}

}  // namespace

void correctMotion(Scan& scan, Decisions& d) {
  const std::string file = d.override(topicOfMotion);
  if (file.empty()) return;
  if (file == "none") {
    d.decide(topicOfMotion, "none", "", {});
    return;
  }
  for (const char* const divided : {"sliding-window", "breathing", "heart"}) {
    const std::string choice = d.override(divided);
    if (!choice.empty() && choice != "none")
      throw Error(d.problem(), "shots that " + std::string(divided) + " put into frames have other numbers",
                  "Use shot-motion without " + std::string(divided));
  }
  std::int64_t shots = 0;
  for (const Trajectory& t : scan.trajectories) shots += t.shots();
  const auto motions = motionsOf(file, scan.dims(), shots, d);
  std::int64_t moved = 0, base = 0;
  double farthest = 0;
  for (std::size_t f = 0; f < scan.trajectories.size(); ++f) {
    Trajectory& t = scan.trajectories[f];
    const std::int64_t movedBefore = moved;
    std::vector<double> turns(std::size_t(t.samples()), 0.0);
    for (std::int64_t s = 0; s < t.shots(); ++s) {
      const auto& motion = motions[std::size_t(base + s)];
      if (!motion) continue;
      if (!t.secondOrder.empty())
        throw Error(d.problem(), "its concomitant phases belong to places of the scanner, not of the object",
                    "Use concomitant = none with shot-motion");
      moveShot(*motion, scan.geometry.ofFrame(int(f)).fov, t, s, turns);
      farthest = std::max(farthest, lengthOf(motion->shift));
      ++moved;
    }
    base += t.shots();
    if (moved == movedBefore) continue;
    if (scan.trajectories.size() > 1)
      turnPhases(scan, int(f), turns);
    else
      for (int frame = 0; frame < scan.frames; ++frame) turnPhases(scan, frame, turns);
  }
  d.decide(topicOfMotion, "none",
           std::to_string(moved) + " of " + countText(shots, "shot") + " move, by up to " +
               numberText(farthest, 3) +
               " mm; points turn with the object, and its shift is taken from the " + "samples' phase",
           {"none"});
  tellSamplesChange();
}

}  // namespace spokelab
