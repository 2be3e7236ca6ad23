#include "tests/engine/scan/hdf5_file.h"

#include <fstream>
#include <stdexcept>

namespace spokelab::test {
namespace {

// Of bytes before the file's own.
Hdf5Handle newFile(const std::filesystem::path& file, int userBlock) {
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(creation.get(), hsize_t(userBlock));
  return Hdf5Handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT), H5Fclose);
}

void require(bool done, const std::string& name) {
  if (!done) throw std::runtime_error("cannot write " + name + " into the test file");
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& file, int userBlock) : file_(newFile(file, userBlock)) {
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& shape, hid_t type,
                     const void* values, bool packed) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  const Hdf5Handle space(H5Screate_simple(int(sizes.size()), sizes.data(), nullptr), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (packed) {
    H5Pset_chunk(creation.get(), int(sizes.size()), sizes.data());
    H5Pset_deflate(creation.get(), 4);
  }
  const Hdf5Handle data(
      H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  require(data.valid() && H5Dwrite(data.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& shape,
                     const std::vector<std::complex<float>>& values, bool packed) {
  const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(std::complex<float>)), H5Tclose);
  H5Tinsert(type.get(), "r", 0, H5T_NATIVE_FLOAT);
  H5Tinsert(type.get(), "i", sizeof(float), H5T_NATIVE_FLOAT);
  write(name, shape, type.get(), values.data(), packed);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& shape,
                     const std::vector<float>& values) {
  write(name, shape, H5T_NATIVE_FLOAT, values.data(), false);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& shape,
                     const std::vector<double>& values) {
  write(name, shape, H5T_NATIVE_DOUBLE, values.data(), false);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& shape,
                     const std::vector<std::complex<double>>& values) {
  const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(std::complex<double>)), H5Tclose);
  H5Tinsert(type.get(), "real", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type.get(), "imag", sizeof(double), H5T_NATIVE_DOUBLE);
  write(name, shape, type.get(), values.data(), false);
}

void Hdf5File::writeText(const std::string& name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  const Hdf5Handle data(
      H5Dcreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  const char* const bytes = text.c_str();
  require(data.valid() && H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &bytes) >= 0, name);
}

void Hdf5File::writeRecord(const std::string& name,
                           const std::vector<std::pair<std::string, std::vector<float>>>& members) {
  std::vector<float> record;
  for (const auto& [member, values] : members) record.insert(record.end(), values.begin(), values.end());
  const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, record.size() * sizeof(float)), H5Tclose);
  std::size_t at = 0;
  for (const auto& [member, values] : members) {
    const hsize_t count = values.size();
    const Hdf5Handle array(H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &count), H5Tclose);
    H5Tinsert(type.get(), member.c_str(), at * sizeof(float), array.get());
    at += values.size();
  }
  write(name, {1}, type.get(), record.data(), false);
}

void Hdf5File::setAttribute(const std::string& dataset, const std::string& name,
                            const std::vector<double>& values) {
  const hsize_t count = values.size();
  const Hdf5Handle data(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(data.get(), name.c_str(), H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  require(attribute.valid() && H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) >= 0, name);
}

void Hdf5File::setTextAttribute(const std::string& dataset, const std::string& name,
                                const std::string& text) {
  const Hdf5Handle data(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size());
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  const Hdf5Handle attribute(
      H5Acreate2(data.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(attribute.valid() && H5Awrite(attribute.get(), type.get(), text.data()) >= 0, name);
}

void Hdf5File::makeGroup(const std::string& name) {
  const Hdf5Handle group(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Gclose);
  require(group.valid(), name);
}

void writeMatByPython(const std::filesystem::path& file, const std::vector<std::int64_t>& sampleShape,
                      const std::vector<std::complex<double>>& samples,
                      const std::vector<std::int64_t>& pointShape, const std::vector<double>& points) {
  constexpr int userBlock = 512, textBytes = 124;
  {
    Hdf5File mat(file, userBlock);
    mat.write("kdata", sampleShape, samples);
    mat.write("traj", pointShape, points);
    for (const char* name : {"kdata", "traj"}) mat.setTextAttribute(name, "MATLAB_class", "double");
  }
  std::string head = "MATLAB 7.3 MAT-file, Platform: Python HDF5 schema 1.00 .";
  head.resize(textBytes, ' ');
  head += std::string("\x00\x02IM", 4);
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.write(head.data(), std::streamsize(head.size()));
}

}  // namespace spokelab::test
