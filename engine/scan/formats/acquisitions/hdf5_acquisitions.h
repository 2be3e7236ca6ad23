// The acquisitions of an ISMRMRD HDF5 file, read in ranges. HDF5 only: nothing is interpreted here.
// Lengths are those of the file's own acquisition headers; a file whose arrays are longer is
// refused before they are loaded. Runs in the process that acquisition_file.h starts, since HDF5
// itself does not survive every damaged file. Format: https://ismrmrd.readthedocs.io:
// "/<group>/xml" (text), "/<group>/data" (compound head, traj, data).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/heap_values.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"

namespace spokelab {

// Of a file, open for reading. Throws Error where it is no HDF5 file, or a damaged one.
Hdf5Handle openToRead(const std::filesystem::path& file);
// Whether "group/data" is a list of acquisitions.
bool holdsAcquisitions(hid_t location, const std::string& group);

class Hdf5Acquisitions {
 public:
  // Values are read from the file's heaps where they lie there as in memory (heap_values.h), or
  // always by HDF5.
  enum class Reading { fromHeaps, byHdf5 };
  // Opens `group` of `file`, or the only group that holds acquisitions. Throws Error.
  Hdf5Acquisitions(std::filesystem::path file, const std::string& group, LinkReach reach = LinkReach::folder,
                   Reading reading = Reading::fromHeaps);

  const std::string& xml() const { return xml_; }
  std::int64_t count() const { return count_; }
  // Acquisition headers [begin, begin + out.size()).
  void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const;

  // Numeric arrays beside the acquisitions (NDArrays), and other contents of the group in words.
  const std::vector<std::string>& arrayNames() const { return arrayNames_; }
  const std::vector<std::string>& ignored() const { return ignored_; }
  // Names whose contents lie in other files (hdf5/hdf5_links.h).
  const std::vector<std::string>& links() const { return links_; }
  // An ArrayFrame and the values, as complex64.
  void readArray(const std::string& name, std::vector<char>& out) const;

  // Throws Error where the headers promise more numbers than the file has bytes for.
  void checkLengths(const std::vector<AcquisitionHead>& heads) const;

  // Trajectories or data of the acquisitions from `begin` on, whose headers are given. use(i,
  // values) gets the i-th one: [sample, dimension], or [channel, sample] pairs (real, imaginary).
  // The values lie in `place` (aligned as malloc's) where roomFor() fits into it, else in memory
  // that ends with the call.
  using Use = std::function<void(std::size_t i, const float* values)>;
  void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
            std::span<char> place, const Use& use) const;
  static std::size_t roomFor(AcquisitionMember member, const std::vector<AcquisitionHead>& heads);
  // Acquisitions whose values were taken from heaps so far.
  std::int64_t takenFromHeaps() const { return taken_; }

 private:
  bool readHeaps(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
                 std::span<char> place, const Use& use) const;
  [[noreturn]] void fail(const std::string& reason) const;
  void openGroup(const std::string& group);
  void checkStorage();
  void checkTypes();
  void readXml(const std::string& group);
  void listArrays(const std::string& group);

  std::filesystem::path file_;
  std::int64_t fileBytes_ = 0, count_ = 0;
  Hdf5Handle handle_, data_;
  std::string xml_, group_;
  std::vector<std::string> arrayNames_, ignored_, links_;
  bool pairs_ = false;  // "data" holds {real, imaginary} compounds, not plain floats
  std::string real_, imaginary_;
  std::unique_ptr<HeapValues> heaps_;  // null: HDF5 reads
  mutable std::int64_t taken_ = 0;
};

}  // namespace spokelab
