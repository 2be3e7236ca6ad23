#include "app/gui/features/scan/shown_message.h"

#include <QtEndian>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"

namespace spokelab {
namespace {

constexpr const char* magic = "SPOKESHW";
constexpr const char* format = "spokelab-show-1";
constexpr std::int64_t magicLength = 8, lengthBytes = 4, maxHeader = 1 << 20;
constexpr std::int64_t maxName = 200, maxPixels = 1 << 14, maxBytes = std::int64_t(1) << 38;
constexpr std::size_t maxAxes = 4;
constexpr double maxFov = 1e5;  // mm

constexpr const char* problem = "Cannot show what Python sent";
constexpr const char* remedy = "Send it by spokelab.show() of the same version";

[[noreturn]] void refuse(const std::string& why) {
  throw Error(problem, why, remedy);
}

void require(bool holds, const std::string& why) {
  if (!holds) refuse(why);
}

std::int64_t itemSize(const std::string& dtype) {
  if (dtype == "complex64") return sizeof(cfloat);
  if (dtype == "float64") return sizeof(double);
  refuse("the type " + dtype + " is unknown");
}

ShownHeader::Array arrayOf(const nlohmann::json& described) {
  ShownHeader::Array array;
  array.name = described.at("name").get<std::string>();
  array.dtype = described.at("dtype").get<std::string>();
  array.shape = described.at("shape").get<std::vector<std::int64_t>>();
  require(!array.shape.empty() && array.shape.size() <= maxAxes, "an array has no axes, or more than 4");
  array.bytes = itemSize(array.dtype);
  for (const std::int64_t size : array.shape) {
    require(size > 0 && size <= maxBytes / array.bytes, "a size is not positive, or too large");
    array.bytes *= size;
  }
  return array;
}

void checkFov(const ShownHeader& header, std::size_t dims) {
  require(header.fov.empty() || header.fov.size() == dims, "the field of view has other dimensions");
  for (const double side : header.fov)
    require(side > 0 && side < maxFov, "a field of view is not a length in mm");
}

void check(const ShownHeader& header) {
  require(std::int64_t(header.name.size()) <= maxName, "the name is longer than 200 bytes");
  const auto is = [&](std::size_t i, const char* name, const char* dtype) {
    return header.arrays[i].name == name && header.arrays[i].dtype == dtype;
  };
  if (header.arrays.size() == 1 && is(0, "image", "complex64")) {
    const auto& shape = header.arrays[0].shape;
    require(shape.size() >= 2, "an image has two axes at least");
    for (std::size_t i = shape.size() - std::min<std::size_t>(shape.size(), 3); i < shape.size(); ++i)
      require(shape[i] <= maxPixels, "a side of the image is longer than 16384");
    checkFov(header, std::min<std::size_t>(shape.size(), 3));
    return;
  }
  require(header.isScan() && is(0, "values", "complex64") && is(1, "points", "float64"),
          "the arrays are neither an image nor values and points");
  const auto &values = header.arrays[0].shape, &points = header.arrays[1].shape;
  require(values.size() == 2 && points.size() == 2, "values or points have not two axes");
  require(values[1] == points[0], "values and points differ in their number of samples");
  require(points[1] == 2 || points[1] == 3, "points are neither 2-D nor 3-D");
  require(header.matrix.size() == std::size_t(points[1]), "the matrix has not the points' dimensions");
  for (const std::int64_t side : header.matrix)
    require(side > 0 && side <= maxPixels, "a side of the matrix is not 1 to 16384");
  checkFov(header, header.matrix.size());
  std::int64_t samples = 0;
  for (const std::int64_t shot : header.shots) {
    require(shot > 0 && shot <= points[0] - samples, "the shots are not the points'");
    samples += shot;
  }
  require(samples == points[0], "the shots are not the points'");
}

}  // namespace

std::optional<ShownHeader> readShownHeader(const QByteArray& received) {
  const auto known = std::min<qsizetype>(received.size(), magicLength);
  require(std::memcmp(received.constData(), magic, std::size_t(known)) == 0,
          "it is not a message of spokelab.show()");
  if (received.size() < magicLength + lengthBytes) return {};
  const std::int64_t length = qFromLittleEndian<quint32>(received.constData() + magicLength);
  require(length > 0 && length <= maxHeader, "its header is empty, or longer than 1 MiB");
  if (received.size() < magicLength + lengthBytes + length) return {};
  ShownHeader header;
  header.begin = magicLength + lengthBytes + length;
  try {
    const char* text = received.constData() + magicLength + lengthBytes;
    const auto json = parseDocument(std::string_view(text, std::size_t(length)), problem, remedy);
    require(json.at("format").get<std::string>() == format, "its format is another one");
    header.name = json.at("name").get<std::string>();
    for (const auto& described : json.at("arrays")) {
      require(header.arrays.size() < 2, "it has more than two arrays");
      header.arrays.push_back(arrayOf(described));
    }
    if (json.contains("matrix")) header.matrix = json["matrix"].get<std::vector<std::int64_t>>();
    if (json.contains("shots")) header.shots = json["shots"].get<std::vector<std::int64_t>>();
    if (json.contains("fov")) header.fov = json["fov"].get<std::vector<double>>();
  } catch (const nlohmann::json::exception& error) {
    refuse(std::string("its header cannot be read: ") + error.what());
  }
  check(header);
  header.length = header.begin;
  for (const auto& array : header.arrays) header.length += array.bytes;
  requireMemory(double(header.length), problem, "the arrays", "Send a part of them");
  return header;
}

std::shared_ptr<const Image> shownImage(const ShownHeader& header, const QByteArray& message) {
  const std::vector<std::int64_t>& shape = header.arrays.front().shape;
  auto image = std::make_shared<Image>();
  image->name = header.name;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(shape.size(), 3); ++axis)
    image->size[axis] = shape[shape.size() - 1 - axis];
  image->frames = shape.size() == maxAxes ? int(shape.front()) : 1;
  image->geometry.matrix = image->size;
  image->geometry.nominal = header.fov.empty();
  for (std::size_t d = 0; d < 3; ++d)
    image->geometry.fov[d] = d < header.fov.size() ? header.fov[d] : double(image->size[d]);
  image->data = Buffer<cfloat>(std::size_t(header.arrays.front().bytes) / sizeof(cfloat));
  std::memcpy(static_cast<void*>(image->data.data()), message.constData() + header.begin,
              std::size_t(header.arrays.front().bytes));
  return image;
}

std::shared_ptr<const Scan> shownScan(const ShownHeader& header, const QByteArray& message) {
  const int dims = int(header.matrix.size());
  auto scan = std::make_shared<Scan>();
  scan->name = header.name;
  scan->geometry.nominal = header.fov.empty();
  for (std::size_t d = 0; d < 3; ++d) {
    scan->geometry.matrix[d] = d < header.matrix.size() ? header.matrix[d] : 1;
    scan->geometry.fov[d] = d < header.fov.size() ? header.fov[d] : double(scan->geometry.matrix[d]);
  }
  scan->coils = int(header.arrays[0].shape[0]);
  Trajectory t;
  t.dims = dims;
  t.shotOffsets.assign(1, 0);
  for (const std::int64_t shot : header.shots) t.shotOffsets.push_back(t.shotOffsets.back() + shot);
  t.points.resize(std::size_t(header.arrays[1].bytes) / sizeof(double));
  const char* values = message.constData() + header.begin;
  std::memcpy(t.points.data(), values + header.arrays[0].bytes, std::size_t(header.arrays[1].bytes));
  scan->trajectories.push_back(std::move(t));
  scan->makeRoom(0, header.arrays[0].bytes / std::int64_t(sizeof(cfloat)), false);
  std::memcpy(static_cast<void*>(scan->samples[0].data()), values, std::size_t(header.arrays[0].bytes));
  validate(*scan);
  return scan;
}

}  // namespace spokelab
