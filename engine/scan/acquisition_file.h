// An ISMRMRD file, read by a child process: libhdf5 crashes or loops on some damaged files (seen with
// 1.10.8), and that must cost an Error, never the program. The child ends with this object. A cancel is seen
// within 50 ms.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/child_process.h"
#include "engine/scan/hdf5_acquisitions.h"

namespace spokelab {

class AcquisitionFile {
 public:
  // Opens the file and reads header text and acquisition headers. Throws Error, Cancelled.
  AcquisitionFile(const std::filesystem::path& file, const std::string& group, const Progress& progress);

  const std::string& xml() const { return xml_; }
  const std::vector<AcquisitionHead>& heads() const { return heads_; }

  // Calls use(position in `wanted`, values) for each acquisition listed (ascending): [sample, dimension]
  // floats, or [channel, sample] pairs of floats (real, imaginary). `what` is the progress text.
  using Use = std::function<void(std::size_t position, const float* values)>;
  void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string& what,
            const Progress& progress, const Use& use);

 private:
  ChildProcess child_;
  std::string xml_;
  std::vector<AcquisitionHead> heads_;
};

}  // namespace spokelab
