#include "engine/scan/read/correct/concomitant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

constexpr double protonHzPerT = 42.577478518e6, metresPerMillimetre = 1e-3;
const char* const concomitantTopic = "concomitant";

Vec3 metres(const Vec3& mm) {
  return {mm[0] * metresPerMillimetre, mm[1] * metresPerMillimetre, mm[2] * metresPerMillimetre};
}

double inner(const Vec3& a, const Vec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double strengthOf(const Scan& scan, const Decisions& d, const std::string& choice) {
  const bool ofHeader = choice == "header";
  const double field = ofHeader ? namedFieldStrength(scan) : textNumber(choice);
  constexpr double maxField = 30;
  if (!(field > 0 && field < maxField))
    throw Error(d.problem(),
                ofHeader ? "its header does not hold the field strength"
                         : "concomitant=" + choice + " is no field strength in T",
                "Give the strength in T, as in concomitant=1.5, or concomitant=none");
  return field;
}

struct Told {
  double taken = 0, shift = 0, left = 0;  // rad, cycles/FOV, rad: the largest
};

// The largest turns that stay at the corners of the field of view.
double leftAtCorners(const SecondOrder& s, const Geometry& g, const Directions& along, int dims) {
  double most = 0;
  for (const double a : {-0.5, 0.5})
    for (const double b : {-0.5, 0.5})
      for (const double c : {-0.5, 0.5}) {
        Vec3 r{};
        for (std::size_t i = 0; i < 3; ++i)
          r[i] = (a * g.fov[0] * along.read[i] + b * g.fov[1] * along.phase[i] +
                  (dims == 3 ? c * g.fov[2] * along.slice[i] : 0)) *
                 metresPerMillimetre;
        most = std::max(most, std::abs(s.at(r)));
      }
  return most;
}

Vec3 middleOf(const Geometry& g, int slice) {
  return metres(g.slicePositions[std::min(std::size_t(slice), g.slicePositions.size() - 1)]);
}

// True if one matrix S serves all slices and frames.
bool directionsAreAlike(const Geometry& geometry) {
  const Directions first = geometry.directionsOf(0);
  const auto alike = [&](const Geometry& g) {
    for (std::size_t z = 0; z < std::max<std::size_t>(1, g.sliceDirections.size()); ++z)
      if (g.directionsOf(z) != first) return false;
    return true;
  };
  return alike(geometry) && std::all_of(geometry.frames.begin(), geometry.frames.end(), alike);
}

// True if all frames are where the first one is, so that one shift of k serves them.
bool framesAreAtOnePlace(const Geometry& geometry) {
  return std::all_of(geometry.frames.begin(), geometry.frames.end(), [&](const Geometry& g) {
    return g.fov == geometry.fov && g.slicePositions == geometry.slicePositions &&
           g.directionsOf(0) == geometry.directionsOf(0);
  });
}

void turnBackShot(Scan& scan, int frame, int slice, std::int64_t first, const std::vector<SecondOrder>& forms,
                  const Vec3& middle, Told& summary) {
  std::vector<cdouble> turns;
  for (const SecondOrder& s : forms) {
    const double phase = 2 * std::numbers::pi * s.at(middle);
    summary.taken = std::max(summary.taken, std::abs(phase));
    turns.push_back(std::polar(1.0, phase));
  }
  for (int c = 0; c < scan.coils; ++c)
    scan.change(frame, slice, c, [&](auto* samples) {
      using Complex = std::remove_reference_t<decltype(samples[0])>;
      for (std::size_t j = 0; j < turns.size(); ++j) samples[first + std::int64_t(j)] *= Complex(turns[j]);
    });
}

}  // namespace

double namedFieldStrength(const Scan& scan) {
  const std::string key = "systemFieldStrength_T>";
  const auto at = scan.header.find(key);
  if (at == std::string::npos) return std::numeric_limits<double>::quiet_NaN();
  const auto begin = at + key.size();
  return textNumber(scan.header.substr(begin, scan.header.find('<', begin) - begin));
}

std::vector<SecondOrder> concomitantForms(const double* points, const double* times, std::size_t samples,
                                          int dims, const Geometry& geometry, const Directions& directions,
                                          double field) {
  std::vector<SecondOrder> forms(samples);
  const Vec3* const along[] = {&directions.read, &directions.phase, &directions.slice};
  const double scale = 1 / (2 * protonHzPerT * field);
  SecondOrder sum;
  for (std::size_t j = 1; j < samples; ++j) {
    const double step = times[j] - times[j - 1];
    Vec3 g{};  // Hz/m
    for (std::size_t d = 0; d < std::size_t(dims) && step > 0; ++d) {
      const double change = points[j * std::size_t(dims) + d] - points[(j - 1) * std::size_t(dims) + d];
      const double gradient = change / step / (geometry.fov[d] * metresPerMillimetre);
      for (std::size_t i = 0; i < 3; ++i) g[i] += gradient * (*along[d])[i];
    }
    sum.xx += scale * step * g[2] * g[2] / 4;
    sum.zz += scale * step * (g[0] * g[0] + g[1] * g[1]);
    sum.xz -= scale * step * g[0] * g[2] / 2;
    sum.yz -= scale * step * g[1] * g[2] / 2;
    forms[j] = sum;
  }
  return forms;
}

void correctConcomitant(Scan& scan, Decisions& d, const Progress& progress) {
  const std::string choice = d.override(concomitantTopic);
  if (choice.empty()) return;
  if (choice == "none") {
    d.decide(concomitantTopic, "none", "", {});
    return;
  }
  const double field = strengthOf(scan, d, choice);
  if (scan.geometry.nominal)
    throw Error(d.problem(), "the file does not say where the slices lie, which concomitant terms depend on",
                "Use concomitant=none");
  Told told;
  const bool keepsRest = directionsAreAlike(scan.geometry);
  if (scan.trajectories.size() == 1 && scan.slices == 1 && !framesAreAtOnePlace(scan.geometry))
    scan.trajectories.resize(std::size_t(scan.frames), Trajectory(scan.trajectories.front()));
  const bool common = scan.trajectories.size() == 1;
  for (std::size_t f = 0; f < scan.trajectories.size(); ++f) {
    Trajectory& t = scan.trajectories[f];
    if (t.times.size() != std::size_t(t.samples()))
      throw Error(d.problem(), "the file does not say its dwell time, which concomitant terms need",
                  "Use concomitant=none, or give dwell_us in a description");
    const int firstFrame = int(f), endFrame = common ? scan.frames : firstFrame + 1;
    for (std::int64_t n = 0; n < t.shots(); ++n) {
      progress.report(double(n) / double(t.shots()), "Taking concomitant phases away");
      const std::int64_t first = t.shotOffsets[std::size_t(n)];
      const auto samples = std::size_t(t.shotOffsets[std::size_t(n + 1)] - first);
      double* const points = t.points.data() + first * t.dims;
      const std::vector<double> nominal(points, points + samples * std::size_t(t.dims));
      for (int frame = firstFrame; frame < endFrame; ++frame)
        for (int z = 0; z < scan.slices; ++z) {
          const Geometry& g = scan.geometry.ofFrame(frame);
          const Directions along = g.directionsOf(std::size_t(z));
          const Vec3 middle = middleOf(g, z);
          const auto forms =
              concomitantForms(nominal.data(), t.times.data() + first, samples, t.dims, g, along, field);
          turnBackShot(scan, frame, z, first, forms, middle, told);
          if (keepsRest && z == 0 && frame == firstFrame)
            t.secondOrder.insert(t.secondOrder.end(), forms.begin(), forms.end());
          for (std::size_t j = 0; j < samples; ++j)
            told.left = std::max(told.left, leftAtCorners(forms[j], g, along, t.dims));
          const Vec3* const axes[] = {&along.read, &along.phase, &along.slice};
          for (std::size_t j = 0; j < samples; ++j)
            for (std::size_t a = 0; a < std::size_t(t.dims); ++a) {
              const double shift =
                  2 * inner(forms[j].times(middle), *axes[a]) * g.fov[a] * metresPerMillimetre;
              told.shift = std::max(told.shift, std::abs(shift));
              if (scan.slices == 1 && frame == firstFrame) points[j * std::size_t(t.dims) + a] += shift;
            }
        }
    }
  }
  constexpr double smallShift = 0.01;  // cycles/FOV
  const bool shifted = scan.slices == 1;
  const double left = 2 * std::numbers::pi * told.left;
  if (!shifted && told.shift > smallShift)
    d.warn("Concomitant terms shift k by up to " + numberText(told.shift, 3) +
           " cycles/FOV, by another one in each slice: read one slice at a time (read-slices)");
  d.decide(concomitantTopic, "none",
           "at " + numberText(field, 3) + " T, from each shot's first sample on: up to " +
               numberText(told.taken, 3) + " rad are taken from the samples, k is shifted by up to " +
               numberText(shifted ? told.shift : 0, 3) + " cycles/FOV; up to " + numberText(left, 3) +
               " rad stay at the corners" +
               (left == 0   ? ""
                : keepsRest ? "; methods that iterate take them into account"
                            : "; the directions of its slices differ, so that no method takes them away"),
           {"none"});
  tellSamplesChange();
}

}  // namespace spokelab
