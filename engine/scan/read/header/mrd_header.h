// The header text of an ISMRMRD file, as far as the reader needs it.
#pragma once

#include <optional>
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
  // Number of leading axes whose sizes a description states. A 1 among them is a size; elsewhere,
  // as in an ISMRMRD header, it may mean that the size is unknown.
  std::size_t statedAxes = 0;
};

// A readout that is sampled while its gradient rises, is flat and falls (EPI); microseconds.
struct ReadoutRamps {
  double rise = 0, flat = 0, fall = 0;
  double delay = 0;  // from the begin of the rise to the first sample
  double dwell = 0;  // from sample to sample
  int samples = 0;
};

struct EncodingSpace {
  EncodedSpace encoded, recon;
  std::int64_t lineCentre = -1, partitionCentre = -1;  // kspace_encoding_step_1 and 2, -1: not given
  std::optional<ReadoutRamps> ramps;
  std::string trajectory;
};

struct MrdHeader {
  std::vector<EncodingSpace> encodings;
  // Whole axes of frames where somebody wrote them down, slowest first; else the counters tell.
  std::vector<FrameAxis> statedFrames;
  std::vector<double> echoTimes;  // s, by the number of the contrast; empty: not given
  std::string vendor;             // of the scanner, or ""
  std::string unitRemark;         // words of a user parameter about the unit of k, or ""
};
MrdHeader parseMrdHeader(const std::string& xml, const std::string& problem);

}  // namespace spokelab
