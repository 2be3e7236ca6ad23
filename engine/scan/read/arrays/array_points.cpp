#include "engine/scan/read/arrays/array_points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/scan/read/steps/bad_readouts.h"

namespace spokelab {
namespace {

// One number for each point of the frames, slices and partitions that an array tells apart.
struct PointValues {
  std::int64_t frames = 1, slices = 1, partitions = 1, shots = 1, samples = 1;
  std::vector<double> values;  // [frame, slice, partition, shot, sample]

  std::int64_t block(std::int64_t frame, std::int64_t slice, std::int64_t partition) const {
    const auto along = [](std::int64_t n, std::int64_t size) { return size > 1 ? n : 0; };
    return ((along(frame, frames) * slices + along(slice, slices)) * partitions +
            along(partition, partitions)) *
           shots * samples;
  }
};

PointValues pointValues(const RoleArray& array, std::int64_t column, bool imaginary, const Progress& progress,
                        const std::string& problem) {
  PointValues v{array.size(Role::frame), array.size(Role::slice),  array.size(Role::partition),
                array.size(Role::shot),  array.size(Role::sample), {}};
  const double count =
      double(v.frames) * double(v.slices) * double(v.partitions) * double(v.shots) * double(v.samples);
  requireMemory(count * sizeof(double), problem, "its trajectory", "Use a machine with more memory");
  v.values.resize(std::size_t(count));
  array.forEach(progress, "Reading the trajectory", [&](const RoleIndex& i, const cdouble& value) {
    if (i[Role::column] != column) return;
    const std::int64_t place = v.block(i[Role::frame], i[Role::slice], i[Role::partition]) +
                               i[Role::shot] * v.samples + i[Role::sample];
    v.values[std::size_t(place)] = imaginary ? value.imag() : value.real();
  });
  return v;
}

// Appends a column to the acquisitions, block by block of a frame, slice and partition.
void appendColumn(const ArrayLayout& l, RawTrajectory& raw, const PointValues& v, double scale) {
  std::vector<double> wider;
  wider.reserve(raw.values.size() + std::size_t(raw.samples()));
  const std::int64_t samples = l.points / l.pointShots, own = v.shots * v.samples;
  const auto at = [&](std::int64_t point) {
    if (own == l.points) return point;
    if (v.shots == 1 && v.samples == 1) return std::int64_t(0);
    if (v.samples == 1) return point / samples;
    return point % v.samples;
  };
  for (std::int64_t j = 0; j < raw.samples(); ++j) {
    const auto begin = raw.values.begin() + j * raw.columns;
    wider.insert(wider.end(), begin, begin + raw.columns);
    // Acquisitions follow each other by frame, slice and partition.
    const std::int64_t block = j / l.points, slices = std::int64_t(l.sliceNumbers.size());
    const auto frame = std::size_t(l.frameNumbers[std::size_t(block / l.partitions / slices)]);
    const int slice = l.sliceNumbers[std::size_t(block / l.partitions % slices)];
    const std::int64_t first = v.block(l.trajectoryFrames[frame], slice, block % l.partitions);
    wider.push_back(v.values[std::size_t(first + at(j % l.points))] * scale);
  }
  for (std::size_t p = 0; p + 1 < raw.offsets.size(); ++p)
    for (std::int64_t j = raw.offsets[p]; j < raw.offsets[p + 1]; ++j) {
      double& value = wider[std::size_t(j * (raw.columns + 1) + raw.columns)];
      if (std::isfinite(value)) continue;
      raw.bad.resize(raw.offsets.size() - 1);
      raw.bad[p] = 1;
      raw.badText = "some of its density weights or times are not finite";
      value = 0;
    }
  raw.values = std::move(wider);
  ++raw.columns;
}

}  // namespace

std::vector<ColumnSource> columnOrder(const std::vector<ColumnSource>& columns, const Decisions& d) {
  if (columns.front().name.empty()) return columns;
  std::vector<ColumnSource> order;
  for (const char* name : {"kx", "ky", "kz"}) {
    const auto isNamed = [&](const ColumnSource& c) { return c.name == name; };
    const auto n = std::count_if(columns.begin(), columns.end(), isNamed);
    if (n > 1 || (n == 0 && std::string(name) != "kz"))
      throw Error(d.problem(), "the trajectory's columns must name kx and ky once",
                  "Correct the description");
    if (n) order.push_back(*std::find_if(columns.begin(), columns.end(), isNamed));
  }
  return order;
}

RawTrajectory arrayTrajectory(const ArrayLayout& l, const std::vector<ColumnSource>& order, Decisions& d,
                              const Progress& progress) {
  std::vector<PointValues> columns;
  for (const ColumnSource& c : order)
    columns.push_back(pointValues(l.trajectory[c.array], c.column, c.imaginary,
                                  progress.part(double(columns.size()) / double(order.size()),
                                                double(columns.size() + 1) / double(order.size())),
                                  d.problem()));
  RawTrajectory raw;
  raw.columns = int(order.size());
  const double acquired =
      double(l.frameNumbers.size()) * double(l.sliceNumbers.size()) * double(l.partitions) * double(l.points);
  requireMemory(acquired * double(order.size()) * sizeof(double), d.problem(), "its trajectory",
                "Use a machine with more memory");
  raw.values.reserve(std::size_t(acquired) * order.size());
  for (const int f : l.frameNumbers)
    for (const int z : l.sliceNumbers)
      for (std::int64_t partition = 0; partition < l.partitions; ++partition) {
        for (std::int64_t p = 0; p < l.points; ++p)
          for (const PointValues& column : columns)
            raw.values.push_back(
                column
                    .values[std::size_t(column.block(l.trajectoryFrames[std::size_t(f)], z, partition) + p)]);
        for (const std::int64_t n : l.shots) raw.offsets.push_back(raw.offsets.back() + n);
      }
  raw.bad.assign(raw.offsets.size() - 1, 0);
  for (std::size_t p = 0; p + 1 < raw.offsets.size(); ++p)
    for (std::int64_t i = raw.offsets[p] * raw.columns; i < raw.offsets[p + 1] * raw.columns; ++i)
      if (!std::isfinite(raw.values[std::size_t(i)])) raw.bad[p] = 1;
  const auto broken =
      std::count_if(raw.values.begin(), raw.values.end(), [](double v) { return !std::isfinite(v); });
  raw.badText = std::to_string(broken) + " of its coordinates are not finite";
  replaceBadLines(raw, d);
  return raw;
}

void addNamedColumns(const ArrayLayout& l, Interpretation& in, Decisions& d, const Progress& progress) {
  const ScanDescription& s = l.description;
  const auto add = [&](const RoleArray& array, std::int64_t column, int& member, double scale) {
    const PointValues values = pointValues(array, column, false, progress, d.problem());
    member = in.raw.columns;
    appendColumn(l, in.raw, values, scale);
  };
  for (const ColumnSource& c : l.columns) {
    const RoleArray& array = l.trajectory[c.array];
    if (c.name == "weight" && !l.weights) add(array, c.column, in.columns.weight, 1);
    if (c.name == "time" && !l.times) add(array, c.column, in.columns.time, s.timeUnit);
  }
  if (l.weights) add(*l.weights, 0, in.columns.weight, 1);
  if (l.times) add(*l.times, 0, in.columns.time, s.timeUnit);
}

}  // namespace spokelab
