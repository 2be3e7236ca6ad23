// Images as ISMRMRD HDF5: "/dataset/image_0" with header, attributes and data, one image for each frame and slice (or
// volume), LPS mm. Layout: https://ismrmrd.readthedocs.io; written by a child process (see child_process.h).
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/meta.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>

#include "engine/scan/child_process.h"
#include "engine/scan/hdf5_handle.h"
#include "engine/scan/image_writers.h"

namespace spokelab {
namespace {

using Head = ISMRMRD::ISMRMRD_ImageHeader;
constexpr std::int64_t largest16 = std::numeric_limits<std::uint16_t>::max();
const char* const freeSpace = "Free some space or choose another folder";

void copyVector(const Vec3& from, void* to) {
  const std::array<float, 3> v{float(from[0]), float(from[1]), float(from[2])};
  std::memcpy(to, v.data(), sizeof v);
}

Hdf5Handle headType() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Head)), H5Tclose);
  const hid_t id = type.get(), u16 = H5T_NATIVE_UINT16, u32 = H5T_NATIVE_UINT32, u64 = H5T_NATIVE_UINT64;
  const auto array = [&](const char* name, std::size_t offset, hid_t base, hsize_t count) {
    const Hdf5Handle member(H5Tarray_create2(base, 1, &count), H5Tclose);
    H5Tinsert(id, name, offset, member.get());
  };
  H5Tinsert(id, "version", offsetof(Head, version), u16);
  H5Tinsert(id, "data_type", offsetof(Head, data_type), u16);
  H5Tinsert(id, "flags", offsetof(Head, flags), u64);
  H5Tinsert(id, "measurement_uid", offsetof(Head, measurement_uid), u32);
  array("matrix_size", offsetof(Head, matrix_size), u16, 3);
  array("field_of_view", offsetof(Head, field_of_view), H5T_NATIVE_FLOAT, 3);
  H5Tinsert(id, "channels", offsetof(Head, channels), u16);
  array("position", offsetof(Head, position), H5T_NATIVE_FLOAT, ISMRMRD::ISMRMRD_POSITION_LENGTH);
  array("read_dir", offsetof(Head, read_dir), H5T_NATIVE_FLOAT, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  array("phase_dir", offsetof(Head, phase_dir), H5T_NATIVE_FLOAT, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  array("slice_dir", offsetof(Head, slice_dir), H5T_NATIVE_FLOAT, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  array("patient_table_position", offsetof(Head, patient_table_position), H5T_NATIVE_FLOAT,
        ISMRMRD::ISMRMRD_POSITION_LENGTH);
  H5Tinsert(id, "average", offsetof(Head, average), u16);
  H5Tinsert(id, "slice", offsetof(Head, slice), u16);
  H5Tinsert(id, "contrast", offsetof(Head, contrast), u16);
  H5Tinsert(id, "phase", offsetof(Head, phase), u16);
  H5Tinsert(id, "repetition", offsetof(Head, repetition), u16);
  H5Tinsert(id, "set", offsetof(Head, set), u16);
  H5Tinsert(id, "acquisition_time_stamp", offsetof(Head, acquisition_time_stamp), u32);
  array("physiology_time_stamp", offsetof(Head, physiology_time_stamp), u32, ISMRMRD::ISMRMRD_PHYS_STAMPS);
  H5Tinsert(id, "image_type", offsetof(Head, image_type), u16);
  H5Tinsert(id, "image_index", offsetof(Head, image_index), u16);
  H5Tinsert(id, "image_series_index", offsetof(Head, image_series_index), u16);
  array("user_int", offsetof(Head, user_int), H5T_NATIVE_INT32, ISMRMRD::ISMRMRD_USER_INTS);
  array("user_float", offsetof(Head, user_float), H5T_NATIVE_FLOAT, ISMRMRD::ISMRMRD_USER_FLOATS);
  H5Tinsert(id, "attribute_string_len", offsetof(Head, attribute_string_len), u32);
  return type;
}

std::uint16_t imageType(ComplexPart part) {
  switch (part) {
    case ComplexPart::magnitude:
      return ISMRMRD::ISMRMRD_IMTYPE_MAGNITUDE;
    case ComplexPart::phase:
      return ISMRMRD::ISMRMRD_IMTYPE_PHASE;
    case ComplexPart::real:
      return ISMRMRD::ISMRMRD_IMTYPE_REAL;
    case ComplexPart::imaginary:
      return ISMRMRD::ISMRMRD_IMTYPE_IMAG;
    default:
      return ISMRMRD::ISMRMRD_IMTYPE_COMPLEX;
  }
}

class Writer {
 public:
  Writer(const Image& image, ComplexPart part, std::string problem, int socket)
      : image_(image), part_(part), problem_(std::move(problem)), sender_(socket) {
    planar_ = image.geometry.matrix[2] == 1;
    depth_ = planar_ ? 1 : image.size[2];
    perFrame_ = planar_ ? image.size[2] : 1;
  }

  void write(const std::filesystem::path& file) {
    const Hdf5Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Hdf5Handle dataset(H5Gcreate2(h5.get(), "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Gclose);
    const Hdf5Handle group(H5Gcreate2(dataset.get(), "image_0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Gclose);
    if (!h5.valid() || !dataset.valid() || !group.valid()) fail();
    const std::string attributes = attributeText();
    writeTexts(dataset.get(), "xml", {xmlText()});
    writeTexts(group.get(), "attributes", std::vector<std::string>(std::size_t(count()), attributes));
    writeHeads(group.get(), attributes.size());
    writeData(group.get());
    if (H5Fflush(h5.get(), H5F_SCOPE_GLOBAL) < 0) fail();
  }

 private:
  std::int64_t count() const { return image_.frames * perFrame_; }
  [[noreturn]] void fail() const {
    const std::string reason = hdf5Reason();
    throw Error(problem_, reason.empty() ? "the HDF5 library cannot write" : reason, freeSpace);
  }

  std::string attributeText() const {
    ISMRMRD::MetaContainer meta;
    for (const std::string& line : image_.provenance) meta.append("SpokelabProvenance", line.c_str());
    meta.set("DataRole", "Image");
    std::stringstream text;
    ISMRMRD::serialize(meta, text);
    return text.str();
  }

  std::string xmlText() const {
    ISMRMRD::IsmrmrdHeader h;
    h.experimentalConditions.H1resonanceFrequency_Hz = 0;
    ISMRMRD::Encoding e;
    const Geometry& g = image_.geometry;
    e.encodedSpace.matrixSize = ISMRMRD::MatrixSize(std::uint16_t(image_.size[0]),
                                                    std::uint16_t(image_.size[1]), std::uint16_t(depth_));
    e.encodedSpace.fieldOfView_mm = {float(g.fov[0]), float(g.fov[1]), float(g.fov[2])};
    e.reconSpace = e.encodedSpace;
    e.trajectory = ISMRMRD::TrajectoryType::OTHER;
    h.encoding.push_back(e);
    std::ostringstream text;
    ISMRMRD::serialize(h, text);
    return text.str();
  }

  void writeTexts(hid_t group, const char* name, const std::vector<std::string>& texts) const {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    const hsize_t n = texts.size();
    const Hdf5Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Hdf5Handle set(
        H5Dcreate2(group, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!set.valid() || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
      fail();
  }

  void writeHeads(hid_t group, std::size_t attributeBytes) const {
    std::vector<Head> heads;
    const Geometry& g = image_.geometry;
    for (std::int64_t i = 0; i < count(); ++i) {
      Head head{};
      head.version = 1;
      head.data_type = part_ == ComplexPart::complex ? ISMRMRD::ISMRMRD_CXFLOAT : ISMRMRD::ISMRMRD_FLOAT;
      head.matrix_size[0] = std::uint16_t(image_.size[0]);
      head.matrix_size[1] = std::uint16_t(image_.size[1]);
      head.matrix_size[2] = std::uint16_t(depth_);
      copyVector(g.fov, head.field_of_view);
      head.channels = 1;
      const auto slice = std::size_t(i % perFrame_);
      if (!g.slicePositions.empty())
        copyVector(g.slicePositions[std::min(slice, g.slicePositions.size() - 1)], head.position);
      copyVector(g.readDirection, head.read_dir);
      copyVector(g.phaseDirection, head.phase_dir);
      copyVector(g.sliceDirection, head.slice_dir);
      head.slice = std::uint16_t(slice);
      head.repetition = std::uint16_t(i / perFrame_);
      head.image_type = imageType(part_);
      head.image_index = std::uint16_t(i + 1);
      head.attribute_string_len = std::uint32_t(attributeBytes);
      heads.push_back(head);
    }
    const Hdf5Handle type = headType();
    const hsize_t n = heads.size();
    const Hdf5Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Hdf5Handle set(
        H5Dcreate2(group, "header", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (!set.valid() || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, heads.data()) < 0)
      fail();
  }

  // [image, channel, z, y, x], one image at a time.
  void writeData(hid_t group) {
    const bool complex = part_ == ComplexPart::complex;
    Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, sizeof(cfloat)), H5Tclose);
    H5Tinsert(pair.get(), "real", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(pair.get(), "imag", sizeof(float), H5T_NATIVE_FLOAT);
    const hid_t type = complex ? pair.get() : H5T_NATIVE_FLOAT;
    std::array<hsize_t, 5> sizes{hsize_t(count()), 1, hsize_t(depth_), hsize_t(image_.size[1]),
                                 hsize_t(image_.size[0])};
    const Hdf5Handle space(H5Screate_simple(int(sizes.size()), sizes.data(), nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(group, "data", type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    if (!set.valid()) fail();
    const std::int64_t pixels = image_.size[0] * image_.size[1] * depth_;
    std::array<hsize_t, 5> one = sizes;
    one[0] = 1;
    const Hdf5Handle memory(H5Screate_simple(int(one.size()), one.data(), nullptr), H5Sclose);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count(); ++i) {
      const std::array<hsize_t, 5> start{hsize_t(i), 0, 0, 0, 0};
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr);
      const cfloat* from = image_.data.data() + i * pixels;
      const void* data = from;
      if (!complex) {
        values.resize(std::size_t(pixels));
        std::transform(from, from + pixels, values.begin(),
                       [&](const cfloat& v) { return partOf(v, part_); });
        data = values.data();
      }
      if (H5Dwrite(set.get(), type, memory.get(), space.get(), H5P_DEFAULT, data) < 0) fail();
      sender_.send(ChildMessage::progress, std::uint64_t(1000 * (i + 1) / count()), nullptr, 0);
      sender_.flush();
    }
  }

  const Image& image_;
  ComplexPart part_;
  std::string problem_;
  FrameSender sender_;
  bool planar_ = false;
  std::int64_t depth_ = 1, perFrame_ = 1;
};

}  // namespace

void writeMrdImage(const Image& image, const ImageFile& file, const WriteOptions& options,
                   const Progress& progress) {
  const std::string problem = "Cannot write " + file.target.string();
  const bool planar = image.geometry.matrix[2] == 1;
  if (*std::max_element(image.size.begin(), image.size.end()) > largest16 ||
      image.frames * (planar ? image.size[2] : 1) > largest16)
    throw Error(problem, "ISMRMRD holds at most 65535 pixels along an axis, and as many images", "Use .npy");
  constexpr std::uint64_t cpuSeconds = 24 * 3600;  // writing does not loop
  ChildProcess child(problem, freeSpace, cpuSeconds, [&](int socket) {
    Writer(image, options.part, problem, socket).write(file.temporary);
    FrameSender sender(socket);
    sender.send(ChildMessage::done, 0, nullptr, 0);
    sender.flush();
  });
  for (;;) {
    const ChildFrame frame = child.next(progress);
    if (frame.kind == ChildMessage::done) break;
    progress.report(double(frame.position) / 1000, "Writing");
  }
}

}  // namespace spokelab
