// Acquisitions in a file, read in ranges by the process that acquisition_file.h starts: an HDF5
// file (hdf5_acquisitions.h), a stream of messages (stream_acquisitions.h), or raw data of a
// Siemens scanner (twix/twix_acquisitions.h) or a Bruker scanner (bruker/bruker_acquisitions.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/array.h"
#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"

namespace spokelab {

// Places of numbers that the file holds in the needed form: samples, complex64 [channel, sample],
// or coordinates, float32 [sample, dimension]. The first channel's samples begin at the
// acquisition's offset; `between` bytes separate the end of a channel from the next. Coordinates
// follow each other without gaps.
struct PlainNumbers {
  std::uint64_t between = 0;
  std::vector<std::uint64_t> offsets;  // [acquisition]
};

class StoredAcquisitions {
 public:
  static constexpr std::size_t maxXmlBytes = std::size_t{64} << 20;  // of the header's text

  virtual ~StoredAcquisitions() = default;

  virtual const std::string& xml() const = 0;
  virtual std::int64_t count() const = 0;
  // Acquisition headers [begin, begin + out.size()).
  virtual void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const = 0;

  // Numeric arrays beside the acquisitions (NDArrays), and other contents in words.
  virtual const std::vector<std::string>& arrayNames() const = 0;
  virtual const std::vector<std::string>& ignored() const = 0;
  // Names whose contents lie in other files (hdf5/hdf5_links.h).
  virtual const std::vector<std::string>& links() const {
    static const std::vector<std::string> none;
    return none;
  }
  virtual std::uint64_t linkedBytes() const { return 0; }  // of those files
  virtual const std::vector<std::string>& remarks() const = 0;
  // An ArrayFrame and the values, as complex64.
  virtual void readArray(const std::string& name, std::vector<char>& out) const = 0;

  // Throws Error where the headers promise more numbers than the file has bytes for.
  virtual void checkLengths(const std::vector<AcquisitionHead>& heads) const = 0;

  // The parent reads plain numbers itself, without library or parsing. `heads`: of all
  // acquisitions.
  virtual std::optional<PlainNumbers> plainNumbers(AcquisitionMember,
                                                   const std::vector<AcquisitionHead>&) const {
    return std::nullopt;
  }

  // Trajectories or data of the acquisitions from `begin` on, whose headers are given. use(i,
  // values) gets the i-th one: [sample, dimension], or [channel, sample] pairs (real, imaginary).
  // The values lie in `place` (aligned as malloc's) where roomFor() fits into it, else in memory
  // that ends with the call.
  using Use = std::function<void(std::size_t i, const float* values)>;
  virtual void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
                    std::span<char> place, const Use& use) const = 0;
  static std::size_t roomFor(AcquisitionMember member, const std::vector<AcquisitionHead>& heads);

 protected:
  // Room for the numbers of these acquisitions, one after the other: `place` where they fit into
  // it, else `own`, which is resized.
  static float* roomIn(std::span<char> place, AcquisitionMember member,
                       const std::vector<AcquisitionHead>& heads, Buffer<float>& own);
};

// Opens the file by what it holds. `group`: of an HDF5 file, or the number of a twix file's
// measurement; `reach`: of an HDF5 file. Throws Error.
std::unique_ptr<StoredAcquisitions> openAcquisitions(const std::filesystem::path& file,
                                                     const std::string& group, LinkReach reach);

}  // namespace spokelab
