#include "tests/engine/scan/variant_file.h"

#include <cstddef>
#include <sstream>
#include <stdexcept>

#include "engine/scan/formats/acquisitions/acquisition_types.h"

namespace spokelab::test {

TestAcquisition acquisition(int samples, int channels, int columns) {
  TestAcquisition a;
  a.head.version = 1;
  a.head.number_of_samples = std::uint16_t(samples);
  a.head.available_channels = a.head.active_channels = std::uint16_t(channels);
  a.head.trajectory_dimensions = std::uint16_t(columns);
  a.head.read_dir[0] = a.head.phase_dir[1] = a.head.slice_dir[2] = 1;
  a.trajectory.assign(std::size_t(samples) * std::size_t(columns), 0.0f);
  a.samples.assign(std::size_t(samples) * std::size_t(channels), 0.0f);
  return a;
}

std::vector<TestAcquisition> acquisitionsOf(const Scan& scan) {
  std::vector<TestAcquisition> all;
  for (int f = 0; f < scan.frames; ++f)
    for (int z = 0; z < scan.slices; ++z)
      for (std::size_t s = 0; s < std::size_t(scan.trajectory(f).shots()); ++s) {
        const Trajectory& t = scan.trajectory(f);
        const std::int64_t first = t.shotOffsets[s], count = t.shotOffsets[s + 1] - first;
        TestAcquisition a = acquisition(int(count), scan.coils, t.dims);
        a.head.idx.repetition = std::uint16_t(f);
        a.head.idx.slice = std::uint16_t(z);
        a.head.idx.kspace_encode_step_1 = std::uint16_t(s);
        for (std::size_t i = 0; i < a.trajectory.size(); ++i)
          a.trajectory[i] = float(t.points[std::size_t(first * t.dims) + i]);
        for (int c = 0; c < scan.coils; ++c)
          for (std::int64_t i = 0; i < count; ++i)
            a.samples[std::size_t(c * count + i)] = scan.data(f, z, c)[first + i];
        all.push_back(std::move(a));
      }
  return all;
}

std::string headerText(const TestSpace& encoded, const TestSpace& recon, const std::string& limits,
                       int encodings) {
  std::ostringstream xml;
  const auto space = [&](const char* name, const TestSpace& s) {
    xml << "<" << name << "><matrixSize><x>" << s.x << "</x><y>" << s.y << "</y><z>" << s.z
        << "</z></matrixSize><fieldOfView_mm><x>" << s.fovX << "</x><y>" << s.fovY << "</y><z>" << s.fovZ
        << "</z></fieldOfView_mm></" << name << ">";
  };
  xml.precision(12);
  xml << "<?xml version=\"1.0\"?><ismrmrdHeader "
         "xmlns=\"http://www.ismrm.org/ISMRMRD\"><experimentalConditions>"
         "<H1resonanceFrequency_Hz>0</H1resonanceFrequency_Hz></experimentalConditions>";
  for (int e = 0; e < encodings; ++e) {
    xml << "<encoding>";
    space("encodedSpace", encoded);
    space("reconSpace", recon);
    xml << "<encodingLimits>" << limits << "</encodingLimits><trajectory>other</trajectory></encoding>";
  }
  xml << "</ismrmrdHeader>";
  return xml.str();
}

TestSpace spaceOf(const Scan& scan) {
  const Geometry& g = scan.geometry;
  return {double(g.matrix[0]), double(g.matrix[1]), double(g.matrix[2]), g.fov[0], g.fov[1], g.fov[2]};
}

void writeVariant(const std::filesystem::path& file, const std::string& xml,
                  const std::vector<TestAcquisition>& acquisitions, const std::string& group) {
  struct Record {
    ISMRMRD::ISMRMRD_AcquisitionHeader head;
    hvl_t trajectory, samples;
  };
  const Hdf5Lock lock;
  const Hdf5Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const Hdf5Handle folder(H5Gcreate2(h5.get(), group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          H5Gclose);

  const hsize_t one = 1;
  const char* text = xml.c_str();
  const Hdf5Handle textType(H5Tcopy(H5T_C_S1), H5Tclose),
      textSpace(H5Screate_simple(1, &one, nullptr), H5Sclose);
  H5Tset_size(textType.get(), H5T_VARIABLE);
  const Hdf5Handle textSet(
      H5Dcreate2(folder.get(), "xml", textType.get(), textSpace.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  H5Dwrite(textSet.get(), textType.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text);

  const Hdf5Handle floats(H5Tvlen_create(H5T_NATIVE_FLOAT), H5Tclose), head = acquisitionHeaderType();
  const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Record)), H5Tclose);
  H5Tinsert(type.get(), "head", offsetof(Record, head), head.get());
  H5Tinsert(type.get(), "traj", offsetof(Record, trajectory), floats.get());
  H5Tinsert(type.get(), "data", offsetof(Record, samples), floats.get());
  const hsize_t count = acquisitions.size(), most = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &count, &most), H5Sclose),
      creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.get(), 1, &one);
  const Hdf5Handle data(
      H5Dcreate2(folder.get(), "data", type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  std::vector<Record> records;
  for (const TestAcquisition& a : acquisitions)
    records.push_back({a.head,
                       {a.trajectory.size(), const_cast<float*>(a.trajectory.data())},
                       {2 * a.samples.size(), const_cast<std::complex<float>*>(a.samples.data())}});
  if (count > 0 && H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, records.data()) < 0)
    throw std::runtime_error("cannot write the test file " + file.string());
}

}  // namespace spokelab::test
