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
  // userBlock: bytes before HDF5's own, for a header of another format.
  explicit Hdf5File(const std::filesystem::path& file, int userBlock = 0);

  // Shapes slowest axis first. Complex numbers are { r, i } as h5py writes them; of doubles { real, imag }
  // as MATLAB does.
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<std::complex<float>>& values, bool packed = false);
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<float>& values);
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<double>& values);
  void write(const std::string& name, const std::vector<std::int64_t>& shape,
             const std::vector<std::complex<double>>& values);
  void writeText(const std::string& name, const std::string& text);
  // One record whose members are arrays of floats.
  void writeRecord(const std::string& name,
                   const std::vector<std::pair<std::string, std::vector<float>>>& members);
  void setAttribute(const std::string& dataset, const std::string& name, const std::vector<double>& values);
  // Padded with zeros, as Python's programs write it; MATLAB pads with nothing.
  void setTextAttribute(const std::string& dataset, const std::string& name, const std::string& text);
  void makeGroup(const std::string& name);

 private:
  void write(const std::string& name, const std::vector<std::int64_t>& shape, hid_t type, const void* values,
             bool packed);

  Hdf5Lock lock_;
  Hdf5Handle file_;
};

// A .mat file of version 7.3 as h5py and hdf5storage write it. Shapes slowest axis first, which are
// MATLAB's reversed.
void writeMatByPython(const std::filesystem::path& file, const std::vector<std::int64_t>& sampleShape,
                      const std::vector<std::complex<double>>& samples,
                      const std::vector<std::int64_t>& pointShape, const std::vector<double>& points);

}  // namespace spokelab::test
