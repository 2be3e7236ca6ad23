#include "engine/scan/scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/parallel_all.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"

namespace spokelab {
namespace {

constexpr double unitVectorTolerance = 1e-3;

constexpr const char* writeScanAgain = "Write the file again, or check the arrays that the scan was made of";

[[noreturn]] void fail(const Scan& scan, const std::string& reason,
                       const std::string& remedy = writeScanAgain) {
  throw Error("The scan " + (scan.name.empty() ? std::string("(unnamed)") : scan.name) + " is not consistent",
              reason, remedy);
}

std::string counts(std::int64_t is, std::int64_t expected) {
  return std::to_string(is) + ", expected " + std::to_string(expected);
}

std::int64_t shotOf(const Trajectory& t, std::int64_t sample) {
  const auto it = std::upper_bound(t.shotOffsets.begin(), t.shotOffsets.end(), sample);
  return it - t.shotOffsets.begin() - 1;
}

std::string placeOf(const Trajectory& t, std::int64_t sample) {
  const std::int64_t shot = shotOf(t, sample);
  return "shot " + std::to_string(shot) + ", sample " +
         std::to_string(sample - t.shotOffsets[std::size_t(shot)]);
}

struct BadValues {
  std::int64_t count = 0, first = 0;
  void add(std::int64_t i) {
    if (count++ == 0) first = i;
  }
};

bool finite(double v) {
  return std::isfinite(v);
}
template <class Real>
bool finite(const std::complex<Real>& v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

template <class Values>
BadValues badValues(const Values& values) {
  BadValues bad;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!finite(values[i])) bad.add(std::int64_t(i));
  return bad;
}

// On all cores: the first touch of fresh memory takes longer than writing it.
template <class Complex>
void zero(Buffer<Complex>& values) {
  constexpr std::int64_t grain = 1 << 17;
  parallelFor(std::int64_t(values.size()), 0, grain, [&](std::int64_t begin, std::int64_t end) {
    std::fill(values.begin() + begin, values.begin() + end, Complex(0));
  });
}

template <class Complex>
bool anyNotFinite(const Buffer<Complex>& samples, const Progress& progress) {
  return !holdsForAll(std::int64_t(samples.size()), [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    return allFinite(samples.data() + begin, end - begin);
  });
}

void validateTrajectory(const Scan& scan, const Trajectory& t, const std::string& name) {
  if (t.dims < 1 || t.dims > 3) fail(scan, name + " has " + std::to_string(t.dims) + " dimensions");
  if (t.shotOffsets.size() < 2) fail(scan, name + " has no shots");
  if (t.shotOffsets.front() != 0) fail(scan, name + ": the first shot does not start at sample 0");
  for (std::size_t s = 1; s < t.shotOffsets.size(); ++s)
    if (t.shotOffsets[s] < t.shotOffsets[s - 1])
      fail(scan, name + ": shot " + std::to_string(s - 1) + " has a negative length");
  const std::int64_t samples = t.samples();
  if (samples == 0) fail(scan, name + " has no samples");
  if (std::int64_t(t.points.size()) != samples * t.dims)
    fail(scan,
         name + ": number of coordinates is " + counts(std::int64_t(t.points.size()), samples * t.dims));
  const auto check = [&](const std::vector<double>& values, const char* what, std::int64_t perSample) {
    const auto sound = [&](std::int64_t begin, std::int64_t end) {
      return std::all_of(values.begin() + begin, values.begin() + end, [](double v) { return finite(v); });
    };
    if (holdsForAll(std::int64_t(values.size()), sound)) return;
    const BadValues bad = badValues(values);
    if (bad.count)
      fail(scan,
           std::to_string(bad.count) + " of " + std::to_string(values.size()) + " " + what + " of " + name +
               " are not finite (first: " + placeOf(t, bad.first / perSample) + ")",
           "Repair the trajectory in the program that wrote the file");
  };
  check(t.points, "coordinates", t.dims);
  for (const auto* extra : {&t.weights, &t.times})
    if (!extra->empty() && std::int64_t(extra->size()) != samples)
      fail(scan, name + ": number of " + (extra == &t.weights ? "weights" : "times") + " is " +
                     counts(std::int64_t(extra->size()), samples));
  check(t.weights, "density weights", 1);
  check(t.times, "times", 1);
}

void validatePlaces(const Scan& scan, const Geometry& g) {
  const auto isUnit = [](const Vec3& v) {
    return std::abs(std::hypot(v[0], v[1], v[2]) - 1) < unitVectorTolerance;
  };
  for (std::size_t z = 0; z < std::max<std::size_t>(1, g.sliceDirections.size()); ++z) {
    const Directions d = g.directionsOf(z);
    if (!isUnit(d.read) || !isUnit(d.phase) || !isUnit(d.slice))
      fail(scan, "a direction is not a unit vector");
  }
  const std::size_t positions = scan.dims() == 3 ? 1 : std::size_t(scan.slices);
  if (g.slicePositions.size() != positions)
    fail(scan, "number of slice positions is " +
                   counts(std::int64_t(g.slicePositions.size()), std::int64_t(positions)));
  if (!g.sliceDirections.empty() && g.sliceDirections.size() != positions)
    fail(scan, "number of slice directions is " +
                   counts(std::int64_t(g.sliceDirections.size()), std::int64_t(positions)));
  for (const Vec3& p : g.slicePositions)
    if (!finite(p[0]) || !finite(p[1]) || !finite(p[2])) fail(scan, "a slice position is not finite");
}

void validateGeometry(const Scan& scan) {
  const Geometry& g = scan.geometry;
  for (int d = 0; d < 3; ++d) {
    if (g.matrix[std::size_t(d)] < 1)
      fail(scan,
           "the matrix is " + std::to_string(g.matrix[std::size_t(d)]) + " along axis " + std::to_string(d));
    const double fov = g.fov[std::size_t(d)];
    if (!(fov > 0) || !std::isfinite(fov))
      fail(scan, "the field of view is " + numberText(fov) + " mm along axis " + std::to_string(d));
  }
  for (int d = scan.dims(); d < 3; ++d)
    if (g.matrix[std::size_t(d)] != 1)
      fail(scan, "the matrix has more dimensions than the trajectory (" + std::to_string(scan.dims()) + ")");
  validatePlaces(scan, g);
  if (!g.frames.empty() && g.frames.size() != std::size_t(scan.frames))
    fail(scan, "number of frames with a place is " + counts(std::int64_t(g.frames.size()), scan.frames));
  for (const Geometry& frame : g.frames) {
    validatePlaces(scan, frame);
    if (frame.matrix != g.matrix || frame.fov != g.fov || !frame.frames.empty())
      fail(scan, "the frames differ in matrix or field of view");
  }
}

void validateFrameAxes(const Scan& scan) {
  const FrameAxes& f = scan.frameAxes;
  if (f.empty()) return;
  if (f.frames() != scan.frames || f.places.size() % f.axes.size() != 0)
    fail(scan, "number of named frames is " + counts(f.frames(), scan.frames));
  for (std::size_t a = 0; a < f.axes.size(); ++a) {
    const FrameAxis& axis = f.axes[a];
    const std::string name = std::string("the frames' axis ") + frameMeaningName(axis.meaning);
    if (!axis.values.empty() &&
        (std::int64_t(axis.values.size()) != axis.size || badValues(axis.values).count))
      fail(scan,
           name + " has " + std::to_string(axis.values.size()) + " values, or some that are not finite");
    for (int frame = 0; frame < scan.frames; ++frame)
      if (f.place(frame, a) < 0 || f.place(frame, a) >= axis.size)
        fail(scan, name + " has no place " + std::to_string(f.place(frame, a)));
  }
}

template <class Complex>
void validateSamples(const Scan& scan, int frame, const Buffer<Complex>& samples, bool knownFinite,
                     const Progress& progress) {
  const Trajectory& t = scan.trajectory(frame);
  const std::int64_t expected = std::int64_t(scan.slices) * scan.coils * t.samples();
  const std::string name = "frame " + std::to_string(frame);
  if (std::int64_t(samples.size()) != expected)
    fail(scan, name + ": number of samples is " + counts(std::int64_t(samples.size()), expected));
  if (knownFinite || !anyNotFinite(samples, progress)) return;
  const BadValues bad = badValues(samples);
  const std::int64_t line = bad.first / t.samples();
  fail(scan,
       std::to_string(bad.count) + " of " + std::to_string(expected) + " samples of " + name +
           " are not finite (first: slice " + std::to_string(line / scan.coils) + ", coil " +
           std::to_string(line % scan.coils) + ", " + placeOf(t, bad.first % t.samples()) + ")",
       "Drop or repair these readouts in the program that wrote the file; no number may be beyond 3.4e38");
}

}  // namespace

void Image::makeRoom(bool inDouble, const std::string& problem, const std::string& remedy) {
  requireMemory(double(volume()) * frames * Scan::bytesPerSample(inDouble), problem, "the image", remedy);
  data.resize(std::size_t(volume() * frames));
  if (inDouble) doubleData.resize(data.size());
}

void Image::settle() {
  std::transform(doubleData.begin(), doubleData.end(), data.begin(),
                 [](const cdouble& v) { return cfloat(v); });
}

void Image::keepFrames(int count) {
  frames = count;
  if (frameAxes.frames() > count) frameAxes.places.resize(std::size_t(count) * frameAxes.axes.size());
  if (!geometry.frames.empty()) geometry.frames.resize(std::size_t(count));
  data.resize(std::size_t(volume() * count));
  if (isDouble()) doubleData.resize(data.size());
}

std::shared_ptr<Image> makeImage(const Scan& scan, int frames, const std::vector<int>& slices, bool inDouble,
                                 int place) {
  auto image = std::make_shared<Image>();
  image->name = scan.name;
  image->geometry = geometryOf(scan, {place}, slices);
  image->size = scan.geometry.matrix;
  image->provenance = provenanceOf(scan);
  image->frames = frames;
  if (frames == scan.frames) image->frameAxes = scan.frameAxes;
  if (scan.dims() < 3) image->size[2] = std::int64_t(slices.size());
  image->makeRoom(inDouble, "Cannot reconstruct " + scan.name, "Choose fewer frames, or a smaller matrix");
  zero(image->data);
  zero(image->doubleData);
  return image;
}

namespace {

// Drops the frames' geometries if all frames have the same place.
void settleFrames(Geometry& g, std::vector<Geometry> frames) {
  for (Geometry& frame : frames) frame.frames.clear();
  g = frames.front();
  const bool alike = std::all_of(frames.begin(), frames.end(),
                                 [&](const Geometry& frame) { return frame == frames.front(); });
  if (!alike) g.frames = std::move(frames);
}

Geometry ofSlices(const Geometry& all, const std::vector<int>& slices) {
  Geometry g = all;
  g.slicePositions.clear();
  g.sliceDirections.clear();
  bool alike = true;
  for (const int s : slices) {
    g.slicePositions.push_back(all.slicePositions[std::size_t(s)]);
    g.sliceDirections.push_back(all.directionsOf(std::size_t(s)));
    alike = alike && g.sliceDirections.back() == g.sliceDirections.front();
  }
  if (!slices.empty()) g.setDirections(g.sliceDirections.front());
  if (alike) g.sliceDirections.clear();
  return g;
}

}  // namespace

Geometry geometryOf(const Scan& scan, const std::vector<int>& frames, const std::vector<int>& slices) {
  const auto ofFrame = [&](int f) {
    const Geometry& g = scan.geometry.ofFrame(f);
    const bool placed = scan.dims() < 3 && g.slicePositions.size() == std::size_t(scan.slices);
    return placed ? ofSlices(g, slices) : g;
  };
  Geometry g = ofFrame(frames.empty() ? 0 : frames.front());
  g.frames.clear();
  if (scan.geometry.frames.empty() || frames.size() < 2) return g;
  std::vector<Geometry> each;
  for (const int f : frames) each.push_back(ofFrame(f));
  settleFrames(g, std::move(each));
  return g;
}

void appendFrames(Geometry& g, int frames, const Geometry& more, int count) {
  std::vector<Geometry> each;
  for (int f = 0; f < frames; ++f) each.push_back(g.ofFrame(f));
  for (int f = 0; f < count; ++f) each.push_back(more.ofFrame(f));
  if (!each.empty()) settleFrames(g, std::move(each));
}

Image nominalImage(const Index3& matrix, std::string name) {
  Image image;
  image.size = matrix;
  image.geometry.matrix = matrix;
  for (std::size_t d = 0; d < 3; ++d) image.geometry.fov[d] = double(matrix[d]);
  image.geometry.nominal = true;
  image.name = std::move(name);
  return image;
}

std::vector<std::string> provenanceOf(const Scan& scan) {
  std::vector<std::string> lines = {"Spokelab " + std::string(versionText()),
                                    "scan " + (scan.path.empty() ? scan.name : scan.path)};
  if (!scan.fingerprint.empty()) lines.push_back("fingerprint " + scan.fingerprint);
  for (const Decision& d : scan.decisions)
    lines.push_back(d.topic + " = " + d.choice + (d.overridden ? " (as told)" : "") +
                    (d.evidence.empty() ? "" : ": " + d.evidence));
  for (const std::string& warning : scan.warnings) lines.push_back("warning: " + warning);
  return lines;
}

std::shared_ptr<Scan> describedAs(const Scan& scan) {
  auto result = std::make_shared<Scan>();
  result->name = scan.name;
  result->path = scan.path;
  result->geometry = scan.geometry;
  result->coils = scan.coils;
  result->slices = scan.slices;
  result->frames = scan.frames;
  result->frameAxes = scan.frameAxes;
  result->header = scan.header;
  result->arrays = scan.arrays;
  result->decisions = scan.decisions;
  result->warnings = scan.warnings;
  result->fingerprint = scan.fingerprint;
  return result;
}

namespace {

// Infinity and NaN have an exponent of ones; without branches the loop is vectorised.
template <class Bits, class Real>
bool allFinite(const std::complex<Real>* values, std::int64_t count, Bits exponent) {
  constexpr std::int64_t lanes = 16;
  const auto* numbers = reinterpret_cast<const Real*>(values);
  const std::int64_t whole = 2 * count / lanes * lanes;
  std::array<Bits, lanes> found{};
  const auto look = [&](std::int64_t i) {
    return Bits((std::bit_cast<Bits>(numbers[i]) & exponent) == exponent);
  };
  for (std::int64_t i = 0; i < whole; i += lanes)
    for (std::int64_t k = 0; k < lanes; ++k) found[std::size_t(k)] |= look(i + k);
  for (std::int64_t i = whole; i < 2 * count; ++i) found[0] |= look(i);
  return std::all_of(found.begin(), found.end(), [](Bits bits) { return bits == 0; });
}

}  // namespace

bool allFinite(const cfloat* values, std::int64_t count) {
  return allFinite<std::uint32_t>(values, count, 0x7f800000);
}
bool allFinite(const cdouble* values, std::int64_t count) {
  return allFinite<std::uint64_t>(values, count, 0x7ff0000000000000);
}

void Scan::makeRoom(int frame, std::int64_t values, bool inDouble) {
  samples.resize(std::max(samples.size(), std::size_t(frame) + 1));
  samples[std::size_t(frame)].resize(std::size_t(values));
  if (!inDouble) return;
  doubleSamples.resize(samples.size());
  doubleSamples[std::size_t(frame)].resize(std::size_t(values));
}

void validate(const Scan& scan) {
  validate(scan, false, Progress());
}

void validate(const Scan& scan, bool samplesAreFinite, const Progress& progress) {
  if (scan.coils < 1) fail(scan, "it has no coils");
  if (scan.frames < 1) fail(scan, "it has no frames");
  if (scan.slices < 1) fail(scan, "it has no slices");
  if (scan.trajectories.size() != 1 && scan.trajectories.size() != std::size_t(scan.frames))
    fail(scan, "number of trajectories is " + std::to_string(scan.trajectories.size()) + ", expected 1 or " +
                   std::to_string(scan.frames));
  if (scan.samples.size() != std::size_t(scan.frames))
    fail(scan, "number of frames with samples is " + counts(std::int64_t(scan.samples.size()), scan.frames));
  const int dims = scan.trajectories.front().dims;
  if (dims == 3 && scan.slices != 1) fail(scan, "a 3-D scan cannot have several slices");
  for (std::size_t i = 0; i < scan.trajectories.size(); ++i) {
    const std::string name =
        scan.trajectories.size() == 1 ? "the trajectory" : "trajectory " + std::to_string(i);
    validateTrajectory(scan, scan.trajectories[i], name);
    if (scan.trajectories[i].dims != dims) fail(scan, name + " differs in dimensions from the first");
  }
  validateGeometry(scan);
  validateFrameAxes(scan);
  if (scan.isDouble() && scan.doubleSamples.size() != scan.samples.size())
    fail(scan, "number of frames with samples in double precision is " +
                   counts(std::int64_t(scan.doubleSamples.size()), scan.frames));
  for (int frame = 0; frame < scan.frames; ++frame) {
    const auto f = std::size_t(frame);
    validateSamples(scan, frame, scan.samples[f], samplesAreFinite, progress);
    if (scan.isDouble()) validateSamples(scan, frame, scan.doubleSamples[f], samplesAreFinite, progress);
  }
  bool timed = scan.shotTimes.empty() || scan.shotTimes.size() == std::size_t(scan.frames);
  for (std::size_t f = 0; timed && f < scan.shotTimes.size(); ++f)
    timed = std::int64_t(scan.shotTimes[f].size()) == scan.trajectory(int(f)).shots() &&
            badValues(scan.shotTimes[f]).count == 0;
  if (!timed) fail(scan, "the times of its shots are not one finite number for each");
  if (scan.noise.size() % std::size_t(scan.coils) != 0)
    fail(scan, "the noise readouts do not divide by the number of coils");
}

}  // namespace spokelab
