// One process that reads acquisitions of an HDF5 file (acquisition_worker.h), and the parent's side
// of asking it for values. Several may read parts of one file at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/child/child_process.h"
#include "engine/core/progress.h"
#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/formats/acquisitions/acquisition_worker.h"

namespace spokelab {

class AcquisitionReader {
 public:
  // The arguments of ChildProcess; `work` is one of acquisition_worker.h.
  AcquisitionReader(std::string summary, std::string remedy, const ChildLimits& limits,
                    ChildProcess::Work work, const ChildArguments& arguments);

  ChildProcess& child() { return child_; }

  struct Request {
    AcquisitionMember member = AcquisitionMember::data;
    std::span<const std::int64_t> wanted;
    const std::vector<AcquisitionHead>& heads;  // of all acquisitions
    std::string what;                           // the progress text
    bool byAll = false;                         // use() may be called by all threads at once
  };
  // use(position in `wanted`, values). Throws Error, Cancelled.
  void read(const Request& request, const Progress& progress, const AcquisitionSource::Use& use);

 private:
  void receiveShared(const ChildFrame& frame, const Request& request, std::size_t& expected,
                     const Progress& progress, const AcquisitionSource::Use& use);

  SharedSlots slots_;  // before the process, which has them
  ChildProcess child_;
};

}  // namespace spokelab
