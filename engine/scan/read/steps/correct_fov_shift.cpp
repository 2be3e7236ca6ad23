#include "engine/scan/read/steps/correct_fov_shift.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/place/vectors.h"
#include "engine/scan/read/sample_follower.h"

namespace spokelab {
namespace {

// The position along the image's axes, mm.
Vec3 offsetOf(const Geometry& g, std::size_t slice, int dims) {
  const Vec3& p = g.slicePositions[std::min(slice, g.slicePositions.size() - 1)];
  const Directions directions = g.directionsOf(slice);
  return {dot(p, directions.read), dot(p, directions.phase), dims == 3 ? dot(p, directions.slice) : 0};
}

std::string millimetres(const Vec3& v, int dims) {
  return numberText(v[0]) + "," + numberText(v[1]) + (dims == 3 ? "," + numberText(v[2]) : "");
}

Vec3 parseMillimetres(const std::string& text, int dims, const Decisions& d) {
  Vec3 v{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < dims; ++i) {
    const auto read = std::from_chars(at, end, v[std::size_t(i)]);
    const bool last = i + 1 == dims;
    if (read.ec != std::errc() || !std::isfinite(v[std::size_t(i)]) ||
        (last ? read.ptr != end : read.ptr == end || *read.ptr != ','))
      throw Error(d.problem(), "\"" + text + "\" is not an offset",
                  dims == 2 ? "Use none, position, position-reversed or mm, as in 10,-5"
                            : "Use none, position, position-reversed or mm, as in 10,-5,0");
    at = read.ptr + 1;
  }
  return v;
}

// Takes an offset of `shift` mm out of one slice of one frame.
void moveBack(Scan& scan, int frame, int slice, const Vec3& shift) {
  const Trajectory& t = scan.trajectory(frame);
  constexpr std::int64_t grain = 1 << 14;
  parallelFor(t.samples(), 0, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
      double cycles = 0;
      for (int c = 0; c < t.dims; ++c)
        cycles +=
            t.points[std::size_t(j * t.dims + c)] * shift[std::size_t(c)] / scan.geometry.fov[std::size_t(c)];
      const cdouble factor = std::polar(1.0, 2 * std::numbers::pi * (cycles - std::floor(cycles)));
      for (int coil = 0; coil < scan.coils; ++coil)
        scan.change(frame, slice, coil,
                    [&](auto* samples) { samples[j] *= std::remove_pointer_t<decltype(samples)>(factor); });
    }
  });
}

}  // namespace

void correctFovShift(Scan& scan, Decisions& d) {
  constexpr double noOffset = 1e-3;  // of the field of view
  const int dims = scan.dims();
  const Vec3 offset = offsetOf(scan.geometry, 0, dims);
  double largest = 0;
  for (int f = 0; f < (scan.geometry.frames.empty() ? 1 : scan.frames); ++f)
    for (std::size_t z = 0; z < scan.geometry.slicePositions.size(); ++z) {
      const Vec3 o = offsetOf(scan.geometry.ofFrame(f), z, dims);
      for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, std::abs(o[i]) / scan.geometry.fov[i]);
    }
  const bool anyOffset = largest > noOffset;
  if (!anyOffset && d.override("fov-shift").empty()) return;
  const std::string choice = d.decide(
      "fov-shift", "none",
      "the centre of the image is " + millimetres(offset, dims) +
          " mm from the isocentre along its axes. Scanners usually demodulate this offset while they "
          "measure, so the samples are taken as measured around that centre. If the picture is beside "
          "its place, the scanner did not demodulate",
      anyOffset ? std::vector<std::string>{"none", "position", "position-reversed"}
                : std::vector<std::string>{"none"},
      anyOffset);
  if (choice == "none") return;
  tellSamplesChange();
  const bool position = choice == "position" || choice == "position-reversed";
  const Vec3 given = position ? Vec3{} : parseMillimetres(choice, dims, d);
  for (int f = 0; f < scan.frames; ++f)
    for (int z = 0; z < scan.slices; ++z) {
      Vec3 shift = position ? offsetOf(scan.geometry.ofFrame(f), std::size_t(z), dims) : given;
      if (choice == "position-reversed")
        for (double& s : shift) s = -s;
      moveBack(scan, f, z, shift);
    }
}

}  // namespace spokelab
