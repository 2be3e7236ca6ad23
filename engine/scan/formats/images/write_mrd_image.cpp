// Images as ISMRMRD HDF5: "/dataset/image_0" with header, attributes and data, one image for each
// frame and slice (or volume), LPS mm. Layout: https://ismrmrd.readthedocs.io; written by a child
// process (see child_process.h).
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/meta.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>

#include "engine/core/c_locale.h"
#include "engine/scan/formats/frames/frame_counters.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/writing_child.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {
namespace {

using Head = ISMRMRD::ISMRMRD_ImageHeader;
constexpr std::int64_t maxUint16 = std::numeric_limits<std::uint16_t>::max();

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

bool isPlanar(const Image& image) {
  return image.geometry.matrix[2] == 1;
}
std::int64_t imagesPerFrame(const Image& image) {
  return isPlanar(image) ? image.size[2] : 1;
}
// The parts and the number of pixels of an image in the file.
struct PixelForm {
  ComplexPart part{};
  bool inDouble = false;

  std::size_t bytes() const {
    return (inDouble ? sizeof(double) : sizeof(float)) * (part == ComplexPart::complex ? 2 : 1);
  }
  std::uint16_t mrdType() const {
    if (part == ComplexPart::complex) return inDouble ? ISMRMRD::ISMRMRD_CXDOUBLE : ISMRMRD::ISMRMRD_CXFLOAT;
    return inDouble ? ISMRMRD::ISMRMRD_DOUBLE : ISMRMRD::ISMRMRD_FLOAT;
  }
};
std::int64_t pixelsOf(const Image& image) {
  return image.volume() / imagesPerFrame(image);
}

// The child's side: has all of the file but the pixels, which come over the socket, by image.
class Writer {
 public:
  Writer(const Image& image, const Patient& patient, PixelForm form, std::string problem, int socket)
      : image_(image), patient_(patient), form_(form), problem_(std::move(problem)), socket_(socket) {
    depth_ = isPlanar(image) ? 1 : image.size[2];
    perFrame_ = imagesPerFrame(image);
  }

  void write(const std::filesystem::path& file) {
    const Hdf5Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!h5.valid()) fail();  // before another call says something else
    const Hdf5Handle dataset(H5Gcreate2(h5.get(), "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                             H5Gclose);
    if (!dataset.valid()) fail();
    const Hdf5Handle group(H5Gcreate2(dataset.get(), "image_0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Gclose);
    if (!group.valid()) fail();
    std::vector<std::string> attributes;
    for (std::int64_t i = 0; i < count(); ++i) attributes.push_back(attributeText(int(i / perFrame_)));
    writeTexts(dataset.get(), "xml", {xmlText()});
    writeTexts(group.get(), "attributes", attributes);
    writeHeads(group.get(), attributes);
    writeData(group.get());
    if (H5Fflush(h5.get(), H5F_SCOPE_GLOBAL) < 0) fail();
  }

 private:
  std::int64_t count() const { return image_.frames * perFrame_; }
  [[noreturn]] void fail() const { throw hdf5WriteError(problem_); }

  std::string attributeText(int frame) const {
    constexpr double millisecondsPerSecond = 1e3;
    ISMRMRD::MetaContainer meta;
    for (const std::string& line : image_.provenance) meta.append("SpokelabProvenance", line.c_str());
    meta.set("DataRole", "Image");
    if (frame < image_.frameAxes.frames()) {
      if (const std::string text = image_.frameAxes.text(frame); !text.empty())
        meta.set("ImageComment", text.c_str());
      if (const auto te = image_.frameAxes.value(frame, FrameMeaning::echo))
        meta.set("EchoTime", *te * millisecondsPerSecond);
    }
    std::stringstream text;
    const CLocale decimalPoints;
    ISMRMRD::serialize(meta, text);
    return text.str();
  }

  ISMRMRD::SubjectInformation subject() const {
    ISMRMRD::SubjectInformation s;
    const auto keep = [](const std::string& from, ISMRMRD::Optional<std::string>& to) {
      if (!from.empty()) to = from;
    };
    keep(patient_.name, s.patientName);
    keep(patient_.id, s.patientID);
    keep(patient_.birthDate, s.patientBirthdate);
    keep(patient_.sex, s.patientGender);
    if (patient_.weightKg > 0) s.patientWeight_kg = float(patient_.weightKg);
    return s;
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
    if (!patient_.empty()) h.subjectInformation = subject();
    std::ostringstream text;
    const CLocale decimalPoints;
    ISMRMRD::serialize(h, text);
    return text.str();
  }

  // The frame's counters, as acquisitions have them; a slab that is a frame counts as a repetition.
  void countFrame(Head& head, int frame) const {
    const FrameAxes& axes = image_.frameAxes;
    head.repetition = std::uint16_t(frame);
    if (axes.frames() != image_.frames || axes.find(FrameMeaning::slice)) return;
    ISMRMRD::ISMRMRD_EncodingCounters idx{};
    spokelab::countFrame(idx, axes, frame);
    head.average = idx.average;
    head.contrast = idx.contrast;
    head.phase = idx.phase;
    head.repetition = idx.repetition;
    head.set = idx.set;
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

  void writeHeads(hid_t group, const std::vector<std::string>& attributes) const {
    std::vector<Head> heads;
    for (std::int64_t i = 0; i < count(); ++i) {
      const Geometry& g = image_.geometry.ofFrame(int(i / perFrame_));
      Head head{};
      head.version = 1;
      head.data_type = form_.mrdType();
      head.matrix_size[0] = std::uint16_t(image_.size[0]);
      head.matrix_size[1] = std::uint16_t(image_.size[1]);
      head.matrix_size[2] = std::uint16_t(depth_);
      copyVector(g.fov, head.field_of_view);
      head.channels = 1;
      const auto slice = std::size_t(i % perFrame_);
      if (!g.slicePositions.empty())
        copyVector(g.slicePositions[std::min(slice, g.slicePositions.size() - 1)], head.position);
      const Directions directions = g.directionsOf(slice);
      copyVector(directions.read, head.read_dir);
      copyVector(directions.phase, head.phase_dir);
      copyVector(directions.slice, head.slice_dir);
      head.slice = std::uint16_t(slice);
      countFrame(head, int(i / perFrame_));
      head.image_type = imageType(form_.part);
      head.image_index = std::uint16_t(i + 1);
      head.attribute_string_len = std::uint32_t(attributes[std::size_t(i)].size());
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
    const bool complex = form_.part == ComplexPart::complex;
    const hid_t number = form_.inDouble ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    const std::size_t size = H5Tget_size(number);
    Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, 2 * size), H5Tclose);
    H5Tinsert(pair.get(), "real", 0, number);
    H5Tinsert(pair.get(), "imag", size, number);
    const hid_t type = complex ? pair.get() : number;
    std::array<hsize_t, 5> sizes{hsize_t(count()), 1, hsize_t(depth_), hsize_t(image_.size[1]),
                                 hsize_t(image_.size[0])};
    const Hdf5Handle space(H5Screate_simple(int(sizes.size()), sizes.data(), nullptr), H5Sclose);
    const Hdf5Handle set(H5Dcreate2(group, "data", type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    if (!set.valid()) fail();
    std::array<hsize_t, 5> one = sizes;
    one[0] = 1;
    const Hdf5Handle memory(H5Screate_simple(int(one.size()), one.data(), nullptr), H5Sclose);
    Buffer<char> values(std::size_t(pixelsOf(image_)) * form_.bytes());
    for (std::int64_t i = 0; i < count(); ++i) {
      const std::array<hsize_t, 5> start{hsize_t(i), 0, 0, 0, 0};
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr);
      ChildProcess::receiveBytes(socket_, values.data(), values.size());
      if (H5Dwrite(set.get(), type, memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0) fail();
    }
    if (H5Dflush(set.get()) < 0) fail();
  }

  const Image& image_;
  const Patient& patient_;
  PixelForm form_;
  std::string problem_;
  int socket_;
  std::int64_t depth_ = 1, perFrame_ = 1;
};

// The part of an image that the child is told; use(value) puts or takes it.
template <class ImageOrConst, class Use>
void describeImage(ImageOrConst& image, const Use& use) {
  use(image.frames);
  use(image.size);
  describeGeometry(image.geometry, use);
  for (auto& line : image.provenance) use(line);
  use(image.frameAxes.places);
  for (auto& axis : image.frameAxes.axes) {
    use(axis.meaning);
    use(axis.size);
    use(axis.values);
  }
}

template <class PatientOrConst, class Use>
void describePatient(PatientOrConst& patient, const Use& use) {
  use(patient.name);
  use(patient.id);
  use(patient.birthDate);
  use(patient.sex);
  use(patient.weightKg);
}

void writeDescribed(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string problem, file;
  PixelForm form;
  std::size_t lines = 0, frameAxes = 0;
  arguments.take(problem);
  arguments.take(file);
  arguments.take(form);
  arguments.take(lines);
  arguments.take(frameAxes);
  Image image;
  image.provenance.resize(lines);
  image.frameAxes.axes.resize(frameAxes);
  describeImage(image, [&](auto& value) { arguments.take(value); });
  Patient patient;
  describePatient(patient, [&](auto& value) { arguments.take(value); });
  Writer(image, patient, form, problem, socket).write(file);
  sayDone(socket);
}

void sendPixels(const Image& image, ComplexPart part, ChildProcess& child, const Progress& progress) {
  const std::int64_t count = image.frames * imagesPerFrame(image);
  const std::int64_t pixels = pixelsOf(image);
  for (std::int64_t i = 0; i < count; ++i) {
    progress.report(double(i) / double(count), "Writing");
    usePixels(image, i * pixels, pixels, part,
              [&](const void* bytes, std::size_t size) { child.send(bytes, size, progress); });
  }
}

}  // namespace

void writeMrdImage(const Image& image, const ImageFile& file, const WriteOptions& options,
                   const Progress& progress) {
  const std::string problem = "Cannot write " + file.target.string();
  if (*std::max_element(image.size.begin(), image.size.end()) > maxUint16 ||
      image.frames * imagesPerFrame(image) > maxUint16)
    throw Error(problem, "ISMRMRD holds at most 65535 pixels along an axis, and at most 65535 images",
                "Use .npy");
  ChildArguments arguments;
  arguments.put(problem);
  arguments.put(file.temporary.string());
  arguments.put(PixelForm{options.part, image.isDouble()});
  arguments.put(image.provenance.size());
  arguments.put(image.frameAxes.axes.size());
  describeImage(image, [&](const auto& value) { arguments.put(value); });
  describePatient(options.patient, [&](const auto& value) { arguments.put(value); });
  ChildProcess child(problem, freeSpace, maxWritingCpuSeconds, writeDescribed, arguments);
  sendPixels(image, options.part, child, progress);
  awaitDone(child, progress);
}

}  // namespace spokelab
