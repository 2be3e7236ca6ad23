// The header text of an ISMRMRD file, as far as the reader needs it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/frame_axes.h"

namespace spokelab {

inline constexpr double maxMatrix = 65535;  // pixels: the file's image headers count in 16 bits
inline constexpr double sameSize = 0.05;    // relative difference at which two sizes count as equal

struct EncodedSpace {
  Index3 matrix{0, 0, 0};
  Vec3 fov{0, 0, 0};  // mm; 0: not given
  // Leading axes whose sizes somebody wrote down for this image: a 1 there is a size.
  std::size_t statedAxes = 0;
};

struct EncodingSpace {
  EncodedSpace encoded, recon;
  std::int64_t partitionCentre = -1;  // kspace_encoding_step_2, -1: not given
  std::string trajectory;
};

struct MrdHeader {
  std::vector<EncodingSpace> encodings;
  // Whole axes of frames where somebody wrote them down, slowest first; else the counters tell.
  std::vector<FrameAxis> statedFrames;
  std::vector<double> echoTimes;  // s, by the number of the contrast; empty: not given
  std::string unitRemark;         // words of a user parameter about the unit of k, or ""
};
MrdHeader parseMrdHeader(const std::string& xml, const std::string& problem);

}  // namespace spokelab
