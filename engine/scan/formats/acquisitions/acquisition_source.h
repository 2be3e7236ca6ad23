// A source of acquisitions, a file or memory. The reader's steps see nothing else of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/acquisitions/acquisition.h"

namespace spokelab {

class AcquisitionSource {
 public:
  virtual ~AcquisitionSource() = default;
  virtual const std::string& xml() const = 0;
  virtual const std::vector<AcquisitionHead>& heads() const = 0;

  // Calls use(position in `wanted`, values) for each acquisition listed (ascending): [sample,
  // dimension] floats, or [channel, sample] pairs of floats (real, imaginary). `what` is the
  // progress text. Values may come to several threads at once, so that memory is filled by all of
  // them.
  using Use = std::function<void(std::size_t position, const float* values)>;
  virtual void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                    const std::string& what, const Progress& progress, const Use& use) = 0;
};

}  // namespace spokelab
