// The message by which a Python process shows something (spokelab.show): an image, a series, or the
// samples of a scan with their trajectory.
//   "SPOKESHW", length of the header (uint32, little endian), header (JSON), arrays one by one
// Header: format "spokelab-show-1", name, arrays [{name, dtype, shape}], and fov (mm, x first;
// missing: pixels of 1 mm), and of a scan matrix [x, y(, z)] and shots (samples of each).
//   image    complex64 [frame, z, y, x], or fewer axes without the first ones
//   values   complex64 [coil, sample], with
//   points   float64 [sample, dim], cycles per field of view, x first
// Memory is allocated only for bytes that have arrived. Any deviation from this format is an Error.
#pragma once

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

struct ShownHeader {
  struct Array {
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
  };
  std::string name;
  std::vector<Array> arrays;
  std::vector<std::int64_t> matrix, shots;
  std::vector<double> fov;
  std::int64_t begin = 0;   // of the arrays' bytes
  std::int64_t length = 0;  // of the whole message
  bool isScan() const { return arrays.size() == 2; }
};

// The message's header; no value if more bytes are needed. Throws Error.
std::optional<ShownHeader> readShownHeader(const QByteArray& received);

// The message is complete. Throws Error.
std::shared_ptr<const Image> shownImage(const ShownHeader& header, const QByteArray& message);
std::shared_ptr<const Scan> shownScan(const ShownHeader& header, const QByteArray& message);

}  // namespace spokelab
