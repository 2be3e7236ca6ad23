// Reads the acquisitions of an ISMRMRD HDF5 file in ranges, without interpreting them. Lengths come
// from the acquisition headers; a file with longer arrays is refused before they are loaded. Runs
// in the process that acquisition_file.h starts, because HDF5 can crash on a damaged file. Format:
// https://ismrmrd.readthedocs.io: "/<group>/xml" (text), "/<group>/data" (compound head, traj,
// data).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/heap_values.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"
#include "engine/scan/formats/acquisitions/waveforms/waveform_traces.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"
#include "engine/scan/formats/hdf5/open_file.h"

namespace spokelab {

// True if "group/data" is a list of acquisitions.
bool holdsAcquisitions(hid_t location, const std::string& group);

class Hdf5Acquisitions final : public StoredAcquisitions {
 public:
  // From the file's heaps where values are stored as in memory (heap_values.h), or always by HDF5.
  enum class Reading { fromHeaps, byHdf5 };
  // Opens `group` of `file`, or the only group that holds acquisitions. Throws Error.
  Hdf5Acquisitions(std::filesystem::path file, const std::string& group, LinkReach reach = LinkReach::folder,
                   Reading reading = Reading::fromHeaps);

  const std::string& xml() const override { return xml_; }
  std::int64_t count() const override { return count_; }
  void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const override;
  const std::vector<std::string>& arrayNames() const override { return arrayNames_; }
  const std::vector<std::string>& ignored() const override { return ignored_; }
  const std::vector<std::string>& links() const override { return linked_.links; }
  std::uint64_t linkedBytes() const override { return linked_.bytes; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  void readArray(const std::string& name, std::vector<char>& out) const override;
  void checkLengths(const std::vector<AcquisitionHead>& heads) const override;
  std::optional<PlainNumbers> plainNumbers(AcquisitionMember member,
                                           const std::vector<AcquisitionHead>& heads) const override;
  void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
            std::span<char> place, const Use& use) const override;
  std::int64_t takenFromHeaps() const { return heapReads_; }

 private:
  bool readHeaps(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
                 std::span<char> place, const Use& use) const;
  [[noreturn]] void fail(const std::string& reason) const;
  void openGroup(const std::string& group);
  void checkStorage();
  void checkTypes();
  void readXml(const std::string& group);
  void listArrays(const std::string& group);
  void takeWaveforms();

  std::filesystem::path file_;
  std::int64_t fileBytes_ = 0;  // with the files that it links to
  std::int64_t count_ = 0;
  LinkedFiles linked_;
  Hdf5Handle handle_, data_;
  std::string xml_, group_;
  std::vector<std::string> arrayNames_, ignored_, remarks_;
  WaveformTraces waveforms_;
  bool pairs_ = false;  // "data" holds {real, imaginary} compounds, not plain floats
  std::string real_, imaginary_;
  std::unique_ptr<HeapValues> heaps_;  // null: HDF5 reads
  mutable std::int64_t heapReads_ = 0;
};

}  // namespace spokelab
