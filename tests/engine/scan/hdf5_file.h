// HDF5 files of any layout for tests: data sets, texts, one record of numbers, attributes.
#pragma once

#include <complex>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab::test {

class Hdf5File {
 public:
  explicit Hdf5File(const std::filesystem::path& file);

  // Shapes slowest axis first. Complex numbers are { r, i } as h5py writes them.
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<std::complex<float>>& values, bool packed = false);
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<float>& values);
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<double>& values);
  void writeText(const std::string& name, const std::string& text);
  // One record whose members are arrays of floats.
  void writeRecord(const std::string& name,
                   const std::vector<std::pair<std::string, std::vector<float>>>& members);
  void setAttribute(const std::string& dataset, const std::string& name, const std::vector<double>& values);
  void makeGroup(const std::string& name);

 private:
  void write(const std::string& name, const std::vector<std::int64_t>& shape, hid_t type, const void* values,
             bool packed);

  Hdf5Lock lock_;
  Hdf5Handle file_;
};

}  // namespace spokelab::test
