#include "engine/scan/look/raw_picture.h"

#include <algorithm>
#include <limits>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t samplesPerTask = 1 << 16;

// Samples of one frame and slice by shot, sample and coil.
struct RawSamples {
  const cfloat* data;  // [coil, sample]
  const std::vector<std::int64_t>& offsets;
  std::int64_t samples;

  // Null where the shot has no such sample.
  const cfloat* at(std::int64_t shot, std::int64_t sample, std::int64_t coil) const {
    const std::int64_t begin = offsets[std::size_t(shot)];
    if (begin + sample >= offsets[std::size_t(shot) + 1]) return nullptr;
    return data + coil * samples + begin + sample;
  }
};

RawSamples samplesOf(const Scan& scan, const RawPlace& place) {
  const Trajectory& t = scan.trajectory(place.frame);
  return {scan.data(place.frame, place.slice, 0), t.shotOffsets, t.samples()};
}

}  // namespace

std::int64_t& RawPlace::along(RawAxis axis) {
  return axis == RawAxis::sample ? sample : axis == RawAxis::shot ? shot : coil;
}

std::int64_t RawPlace::along(RawAxis axis) const {
  return axis == RawAxis::sample ? sample : axis == RawAxis::shot ? shot : coil;
}

std::int64_t axisLength(const Scan& scan, int frame, RawAxis axis) {
  const Trajectory& t = scan.trajectory(frame);
  if (axis == RawAxis::coil) return scan.coils;
  if (axis == RawAxis::shot) return t.shots();
  std::int64_t longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
    longest = std::max(longest, t.shotOffsets[s + 1] - t.shotOffsets[s]);
  return longest;
}

RawPlace insideScan(const Scan& scan, RawPlace place) {
  place.frame = std::clamp(place.frame, 0, scan.frames - 1);
  place.slice = std::clamp(place.slice, 0, scan.slices - 1);
  for (const RawAxis axis : {RawAxis::sample, RawAxis::shot, RawAxis::coil})
    place.along(axis) = std::clamp<std::int64_t>(
        place.along(axis), 0, std::max<std::int64_t>(0, axisLength(scan, place.frame, axis) - 1));
  return place;
}

RawPicture rawPicture(const Scan& scan, RawAxis x, RawAxis y, const RawPlace& asked, int maxWidth,
                      int maxHeight, const Progress& progress) {
  const RawPlace place = insideScan(scan, asked);
  const RawSamples samples = samplesOf(scan, place);
  RawPicture picture;
  picture.columns = axisLength(scan, place.frame, x);
  picture.rows = axisLength(scan, place.frame, y);
  if (picture.columns == 0 || picture.rows == 0) return picture;
  picture.width = int(std::min<std::int64_t>(picture.columns, std::max(1, maxWidth)));
  picture.height = int(std::min<std::int64_t>(picture.rows, std::max(1, maxHeight)));
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  picture.values.assign(std::size_t(picture.width) * std::size_t(picture.height), cfloat(none, none));
  parallelTasks(picture.height, 0, [&](std::int64_t line) {
    progress.checkpoint();
    RawPlace at = place;
    std::vector<float> largest(std::size_t(picture.width), -1.0F);
    cfloat* const cells = picture.values.data() + line * picture.width;
    const std::int64_t end = (line + 1) * picture.rows / picture.height;
    for (std::int64_t row = line * picture.rows / picture.height; row < end; ++row) {
      at.along(y) = row;
      for (int cell = 0; cell < picture.width; ++cell) {
        const std::int64_t last = (cell + 1) * picture.columns / picture.width;
        for (std::int64_t column = cell * picture.columns / picture.width; column < last; ++column) {
          at.along(x) = column;
          const cfloat* const value = samples.at(at.shot, at.sample, at.coil);
          if (!value || !(std::norm(*value) > largest[std::size_t(cell)])) continue;
          largest[std::size_t(cell)] = std::norm(*value);
          cells[cell] = *value;
        }
      }
    }
  });
  return picture;
}

std::vector<cfloat> readoutAt(const Scan& scan, const RawPlace& asked) {
  const RawPlace place = insideScan(scan, asked);
  const Trajectory& t = scan.trajectory(place.frame);
  if (t.shots() == 0) return {};
  const cfloat* const coil = scan.data(place.frame, place.slice, int(place.coil));
  const auto shot = std::size_t(place.shot);
  return {coil + t.shotOffsets[shot], coil + t.shotOffsets[shot + 1]};
}

std::vector<float> coilMagnitude(const Scan& scan, int frame, int slice, const Progress& progress) {
  const std::int64_t samples = scan.trajectory(frame).samples();
  std::vector<float> magnitude(static_cast<std::size_t>(samples));
  parallelFor(samples, 0, samplesPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (int c = 0; c < scan.coils; ++c) {
      const cfloat* const values = scan.data(frame, slice, c);
      for (std::int64_t i = begin; i < end; ++i) magnitude[std::size_t(i)] += std::norm(values[i]);
    }
    for (std::int64_t i = begin; i < end; ++i)
      magnitude[std::size_t(i)] = std::sqrt(magnitude[std::size_t(i)]);
  });
  return magnitude;
}

}  // namespace spokelab
