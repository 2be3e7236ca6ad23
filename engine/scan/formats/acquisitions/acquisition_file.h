// An ISMRMRD file (HDF5 or a stream of messages), read by a child process: libhdf5 crashes or loops
// on some damaged files (seen with 1.10.8), and that must cost an Error, never the program. The
// child ends with this object. A cancel is seen within 50 ms. Several such processes share the
// reading of a large scan. Numbers that the file holds in the needed form (PlainNumbers) take no
// parsing: the child sends their offsets, and all threads of this process read them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/acquisitions/acquisition_reader.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"
#include "engine/scan/scan.h"

namespace spokelab {

class AcquisitionFile final : public AcquisitionSource {
 public:
  // Reads header text, acquisition headers and the arrays beside them. Throws Error, Cancelled.
  AcquisitionFile(const std::filesystem::path& file, const std::string& group, const Progress& progress,
                  LinkReach reach = LinkReach::folder);

  const std::string& xml() const override { return xml_; }
  const std::vector<AcquisitionHead>& heads() const override { return heads_; }
  // NDArrays of the group: SENSEMap, FieldMap, PhaseMaps as PowerGrid writes them.
  std::vector<NamedArray>& arrays() { return arrays_; }
  // Other contents of the group, in words: "waveforms (12)".
  const std::vector<std::string>& ignored() const { return ignored_; }
  // External links: "dataset/data in other.h5".
  const std::vector<std::string>& links() const { return links_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string& what,
            const Progress& progress, const Use& use) override;

 private:
  void receiveText(const ChildFrame& frame, const Progress& progress);
  void receiveArray(const ChildFrame& frame, const Progress& progress);
  void receivePlaces(const ChildFrame& frame, const Progress& progress);
  const PlainNumbers& plain(AcquisitionMember member) const {
    return member == AcquisitionMember::data ? plainSamples_ : plainCoordinates_;
  }
  void readPlain(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string& what,
                 const Progress& progress, const Use& use) const;

  std::filesystem::path path_;
  std::string group_;
  LinkReach reach_;
  std::uint64_t linkedBytes_ = 0;
  AcquisitionReader reader_;
  std::string xml_;
  std::vector<AcquisitionHead> heads_;
  PlainNumbers plainSamples_, plainCoordinates_;  // no offsets: a child reads them
  std::vector<NamedArray> arrays_;
  std::vector<std::string> ignored_, links_, remarks_;
};

}  // namespace spokelab
