#include "engine/scan/formats/points/sparkling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr double rasterMs = 0.01;  // of the gradients; the files do not say
constexpr std::size_t maxHeadFloats = 32;
constexpr std::uint64_t maxCpuSeconds = 60;
const char* const writeSparklingAgain = "Copy the file again, or write it again with mri-nufft";

struct SparklingHead {
  double version = 0, gammaKHz = 0, maxGradient = 0;  // mT/m
  std::int64_t dims = 0, shots = 0, rasters = 0, oversampling = 1, skipFirst = 0, skipLast = 0;
  Index3 matrix{1, 1, 1};
  Vec3 fov{0, 0, 0};
  std::size_t floats = 0;  // of the head

  bool hasEnds() const { return version > 4.5; }
  double total() const {
    const double points = double(shots) * double(dims);
    return double(floats) + points * (hasEnds() ? 2 : 1) + points * double(rasters);
  }
};

// A whole number from 1 on that a float holds.
bool isCount(double v, double most) {
  return v >= 1 && v <= most && v == std::floor(v);
}

// Nothing if the numbers are not a head, or do not match the file's size.
std::optional<SparklingHead> headOf(const std::vector<float>& f, std::uintmax_t bytes) {
  constexpr double minVersion = 4.095, maxVersion = 6, maxFovMetres = 2, maxMatrix = 65535, maxCount = 1e7;
  constexpr std::size_t leftOver = 10;
  std::size_t at = 0;
  const auto next = [&] { return at < f.size() ? double(f[at++]) : std::nan(""); };
  SparklingHead h;
  h.version = std::round(next() * 100) / 100;
  if (!(h.version >= minVersion && h.version < maxVersion)) return std::nullopt;
  const double dims = next();
  if (dims != 2 && dims != 3) return std::nullopt;
  h.dims = std::int64_t(dims);
  for (std::size_t d = 0; d < std::size_t(h.dims); ++d) {
    const double metres = next();
    if (!(metres > 0 && metres <= maxFovMetres)) return std::nullopt;
    h.fov[d] = metres * 1e3;
  }
  for (std::size_t d = 0; d < std::size_t(h.dims); ++d) {
    const double n = next();
    if (!isCount(n, maxMatrix)) return std::nullopt;
    h.matrix[d] = std::int64_t(n);
  }
  const double oversampling = next(), gamma = next(), shots = next(), rasters = next();
  if (!isCount(shots, maxCount) || !isCount(rasters, maxCount) || !std::isfinite(gamma)) return std::nullopt;
  h.oversampling = isCount(oversampling, maxMatrix) ? std::int64_t(oversampling) : 1;
  h.gammaKHz = gamma / 1e3;
  h.shots = std::int64_t(shots);
  h.rasters = std::int64_t(rasters);
  next();  // the echo time
  h.maxGradient = next();
  next();  // a tag
  std::size_t left = leftOver;
  next();  // the time of writing
  --left;
  if (h.version > 5) {
    const double first = next(), last = next();
    if (!(first >= 0 && last >= 0 && first + last < rasters)) return std::nullopt;
    h.skipFirst = std::int64_t(first);
    h.skipLast = std::int64_t(last);
    left -= 2;
  }
  at += left;
  h.floats = at;
  if (h.total() * sizeof(float) != double(bytes) || !std::isfinite(h.maxGradient)) return std::nullopt;
  return h;
}

std::vector<float> floatsOf(const fs::path& file, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  std::vector<float> values(most);
  values.resize(in ? std::fread(values.data(), sizeof(float), most, in.get()) : 0);
  return values;
}

std::optional<SparklingHead> headOf(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(file, failed);
  if (failed || bytes % sizeof(float) != 0) return std::nullopt;
  return headOf(floatsOf(file, maxHeadFloats), bytes);
}

// Work of a ChildProcess: the head, and the floats behind it.
void sendSparkling(ChildArguments& arguments, int socket, int) {
  std::string file;
  arguments.take(file);
  const std::optional<SparklingHead> head = headOf(fs::path(file));
  if (!head) throw Error("Cannot read " + file, "it is not a trajectory of SPARKLING", writeSparklingAgain);
  const std::vector<float> all = floatsOf(file, std::size_t(head->total()));
  if (double(all.size()) != head->total())
    throw Error("Cannot read " + file, "the file became shorter while it was read", writeSparklingAgain);
  FrameSender sender(socket);
  sender.send(ChildMessage::heads, 0, &*head, sizeof *head);
  sender.send(ChildMessage::values, 0, all.data() + head->floats,
              (all.size() - head->floats) * sizeof(float));
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

}  // namespace

bool isSparkling(const fs::path& file) {
  return headOf(file).has_value();
}

SparklingTrajectory readSparkling(const fs::path& file, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string();
  ChildArguments arguments;
  arguments.put(file.string());
  ChildProcess child(problem, writeSparklingAgain,
                     ChildLimits::ofReader(maxCpuSeconds, file, ReadReach::file), sendSparkling, arguments);
  const char* const unknownMessage = "the reading process sent an unknown message";
  SparklingHead h;
  ChildFrame frame = child.next(progress);
  if (frame.kind != ChildMessage::heads || frame.bytes != sizeof h) child.fail(unknownMessage);
  child.receive(&h, sizeof h, progress);
  frame = child.next(progress);
  const double behind = h.total() - double(h.floats);
  if (frame.kind != ChildMessage::values || double(frame.bytes) != behind * sizeof(float))
    child.fail(unknownMessage);
  requireMemory(behind * (sizeof(float) + sizeof(double)), problem, "its trajectory",
                "Use a machine with more memory");
  std::vector<float> values(std::size_t(behind), 0.0f);
  child.receive(values.data(), values.size() * sizeof(float), progress);
  for (const float v : values)
    if (!std::isfinite(v))
      throw Error(problem, "some of its numbers are not finite", "Write it again with mri-nufft");

  SparklingTrajectory t;
  t.dims = int(h.dims);
  t.matrix = h.matrix;
  t.fov = h.fov;
  t.shots = h.shots;
  t.rasters = h.rasters - h.skipFirst - h.skipLast;
  t.oversampling = h.oversampling;
  const auto dims = std::size_t(h.dims), shots = std::size_t(h.shots);
  t.starts.assign(values.begin(), values.begin() + std::ptrdiff_t(shots * dims));
  const float* const gradients = values.data() + shots * dims * (h.hasEnds() ? 2 : 1);
  const double scale = h.maxGradient * 1e-3 * rasterMs * h.gammaKHz;
  t.steps.reserve(shots * std::size_t(t.rasters) * dims);
  for (std::size_t s = 0; s < shots; ++s)
    for (std::int64_t r = 0; r < h.rasters - h.skipLast; ++r)
      for (std::size_t d = 0; d < dims; ++d) {
        const double step = scale * gradients[(s * std::size_t(h.rasters) + std::size_t(r)) * dims + d];
        if (r < h.skipFirst)
          t.starts[s * dims + d] += step;
        else
          t.steps.push_back(step);
      }
  return t;
}

std::vector<double> SparklingTrajectory::points(std::int64_t samplesPerShot) const {
  std::int64_t perStep = 1;
  if (samplesPerShot != rasters + 1) {
    if (samplesPerShot < rasters || samplesPerShot % rasters != 0) return {};
    perStep = samplesPerShot / rasters;
  }
  const auto d = std::size_t(dims);
  std::vector<double> result;
  result.reserve(std::size_t(shots * samplesPerShot) * d);
  for (std::int64_t s = 0; s < shots; ++s) {
    std::vector<double> k(starts.begin() + std::ptrdiff_t(std::size_t(s) * d),
                          starts.begin() + std::ptrdiff_t(std::size_t(s + 1) * d));
    for (std::int64_t j = 0; j < samplesPerShot; ++j) {
      const std::int64_t raster = j / perStep;
      const double share = double(j % perStep) / double(perStep);
      if (raster >= rasters) {  // the end of the last step
        result.insert(result.end(), k.begin(), k.end());
        continue;
      }
      const double* const step = steps.data() + (std::size_t(s * rasters + raster)) * d;
      for (std::size_t i = 0; i < d; ++i) result.push_back(k[i] + share * step[i]);
      if (j % perStep == perStep - 1)
        for (std::size_t i = 0; i < d; ++i) k[i] += step[i];
    }
  }
  return result;
}

}  // namespace spokelab
