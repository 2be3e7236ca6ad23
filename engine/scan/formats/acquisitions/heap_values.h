// Values of acquisitions taken from an HDF5 file's heaps themselves: variable-length arrays of
// floats that lie in the file as they do in memory. HDF5 finds the records, which hold a reference
// each; its own way from there (a heap loaded, a value converted and copied at a time) reads 0.5
// GB/s on a core, this one 3.1. Format: HDF5 file format specification 2.0, III.E (global heap) and
// "Variable-length" of the data type message.
//
// Everything is checked against the file's length before it is looked at; whatever is not as
// expected is left to HDF5, which reads it or says why it cannot.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"

namespace spokelab {

class HeapValues {
 public:
  // Opens the dataset `data` of `file`; null if it has filters or values that need a conversion.
  static std::unique_ptr<HeapValues> of(const std::filesystem::path& file, hid_t handle, hid_t data);
  ~HeapValues();
  HeapValues(const HeapValues&) = delete;
  HeapValues& operator=(const HeapValues&) = delete;

  // The bytes of one acquisition's array, in the mapped file; nothing where HDF5 has to read it.
  std::optional<std::span<const char>> bytes(AcquisitionMember member, std::int64_t acquisition);
  // Where these arrays begin in the file; nothing where HDF5 has to read one of them, or where one
  // differs in length from its header.
  std::optional<std::vector<std::uint64_t>> places(AcquisitionMember member,
                                                   const std::vector<AcquisitionHead>& heads);

 private:
  HeapValues() = default;
  const char* at(std::uint64_t address, std::uint64_t length) const;
  const char* record(std::int64_t acquisition);

  const char* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t base_ = 0;  // of addresses: the length of a user block
  hid_t data_ = -1;
  std::size_t recordBytes_ = 0;
  struct Member {
    std::size_t offset = 0, elementBytes = 0;
  };
  Member members_[2];
  std::int64_t count_ = 0;
  hsize_t chunk_ = 0;  // records of a chunk; 0: all lie one after the other at `first_`
  std::uint64_t first_ = 0;
  hsize_t loaded_ = ~hsize_t{0};  // number of the chunk in chunkBytes_
  std::vector<char> chunkBytes_;
};

}  // namespace spokelab
