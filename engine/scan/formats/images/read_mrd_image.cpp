#include "engine/scan/formats/images/read_mrd_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"
#include "engine/scan/formats/hdf5/hdf5_numbers.h"

namespace spokelab {
namespace {

const char* const copyMrdAgain = "Copy the file again, or write it again with the program that made it";
constexpr std::size_t dataAxes = 5;  // [image, channel, z, y, x]
constexpr std::int64_t maxPixelsOfAxis = std::numeric_limits<std::uint16_t>::max();

// The used fields of an image's header, by the format's names.
struct ReadHead {
  std::array<float, 3> fieldOfView{}, position{}, readDirection{}, phaseDirection{}, sliceDirection{};
  std::uint16_t slice = 0;
};

// The child's first message. The heads of all images follow it, then their values, in order.
struct Layout {
  std::int64_t images = 0, channels = 0;
  Index3 size{1, 1, 1};       // of one image
  std::int64_t inDouble = 0;  // 1: the values are cdouble, else cfloat
};

std::uint64_t cpuSecondsFor(const std::filesystem::path& file) {
  constexpr std::uint64_t minCpuSeconds = 3, bytesPerCpuSecond = 10u << 20;  // far below a sound file's rate
  return minCpuSeconds + std::filesystem::file_size(file) / bytesPerCpuSecond;
}

// --- The child's side

herr_t takeName(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> groupsOf(hid_t place) {
  std::vector<std::string> names;
  H5Literate(place, H5_INDEX_NAME, H5_ITER_INC, nullptr, takeName, &names);
  std::erase_if(names, [&](const std::string& name) {
    H5O_info_t info;
    return H5Oget_info_by_name(place, name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5O_TYPE_GROUP;
  });
  return names;
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // some file systems have no locks
    h5_ = Hdf5Handle(H5Fopen(file_.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!h5_.valid()) fail();
    checkedLinks(h5_.get(), file_, LinkReach::onlyFolder);
    findImages();
    measure();
  }

  void send(int socket) {
    FrameSender sender(socket);
    const std::vector<ReadHead> heads = readHeads();
    sender.send(ChildMessage::header, 0, &layout_, sizeof layout_);
    sender.send(ChildMessage::heads, 0, heads.data(), heads.size() * sizeof(ReadHead));
    if (layout_.inDouble != 0)
      sendValues<double>(sender);
    else
      sendValues<float>(sender);
    sender.send(ChildMessage::done, 0, nullptr, 0);
    sender.flush();
  }

 private:
  template <class Real>
  void sendValues(FrameSender& sender) {
    const std::int64_t count = layout_.channels * product(layout_.size);
    Buffer<std::complex<Real>> values(static_cast<std::size_t>(count));
    std::array<hsize_t, dataAxes> one = sizes_;
    one[0] = 1;
    const Hdf5Handle memory(H5Screate_simple(dataAxes, one.data(), nullptr), H5Sclose),
        space(H5Dget_space(data_.get()), H5Sclose);
    for (std::int64_t i = 0; i < layout_.images; ++i) {
      const std::array<hsize_t, dataAxes> start{hsize_t(i), 0, 0, 0, 0};
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr);
      if (!readPairs(data_.get(), memory.get(), space.get(), count, values.data())) fail();
      sender.send(ChildMessage::values, std::uint64_t(i), values.data(), values.size() * sizeof(values[0]));
    }
  }

  [[noreturn]] void fail(const std::string& reason = hdf5Reason()) const {
    throw Error("Cannot read " + file_, reason.empty() ? "the HDF5 file is damaged" : reason, copyMrdAgain);
  }

  void findImages() {
    for (const std::string& outer : groupsOf(h5_.get())) {
      const Hdf5Handle group(H5Gopen2(h5_.get(), outer.c_str(), H5P_DEFAULT), H5Gclose);
      for (const std::string& inner : groupsOf(group.get())) {
        const std::string place = outer + '/' + inner;
        if (!inner.starts_with("image_") ||
            H5Lexists(group.get(), (inner + "/data").c_str(), H5P_DEFAULT) <= 0)
          continue;
        data_ = Hdf5Handle(H5Dopen2(h5_.get(), (place + "/data").c_str(), H5P_DEFAULT), H5Dclose);
        heads_ = Hdf5Handle(H5Dopen2(h5_.get(), (place + "/header").c_str(), H5P_DEFAULT), H5Dclose);
        if (!data_.valid() || !heads_.valid()) fail();
        return;
      }
    }
    throw Error("Cannot read " + file_ + " as an image", "it is an HDF5 file without ISMRMRD images",
                "Reconstruct it first if it holds raw data, or use NIfTI (.nii, .nii.gz), .npy or .cfl");
  }

  void measure() {
    const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose), space(H5Dget_space(data_.get()), H5Sclose);
    if (!isNumber(type.get()) || liesElsewhere(data_.get())) fail("its image holds no numbers");
    if (H5Sget_simple_extent_ndims(space.get()) != int(dataAxes))
      fail("its image has other axes than image, channel, z, y, x");
    H5Sget_simple_extent_dims(space.get(), sizes_.data(), nullptr);
    double values = 1;
    for (const hsize_t size : sizes_) {
      if (size < 1 || size > hsize_t(maxPixelsOfAxis))
        fail("its image has an axis of " + std::to_string(size));
      values *= double(size);
    }
    // A chunked data set may claim any size in a small file: the bytes stored bound it.
    constexpr double maxCompressionRatio = 2000;
    const double stored = double(H5Dget_storage_size(data_.get()));
    if (values > maxCompressionRatio * std::max(1.0, stored))
      fail("its image claims " + bytesText(values * sizeof(cfloat)) + " and stores " + bytesText(stored));
    layout_ = {std::int64_t(sizes_[0]),
               std::int64_t(sizes_[1]),
               {std::int64_t(sizes_[4]), std::int64_t(sizes_[3]), std::int64_t(sizes_[2])},
               needsDouble(type.get())};
  }

  std::vector<ReadHead> readHeads() const {
    const Hdf5Handle space(H5Dget_space(heads_.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != layout_.images)
      fail("it has another number of image headers than images");
    const hsize_t three = 3;
    const Hdf5Handle vector(H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three), H5Tclose),
        type(H5Tcreate(H5T_COMPOUND, sizeof(ReadHead)), H5Tclose);
    H5Tinsert(type.get(), "field_of_view", offsetof(ReadHead, fieldOfView), vector.get());
    H5Tinsert(type.get(), "position", offsetof(ReadHead, position), vector.get());
    H5Tinsert(type.get(), "read_dir", offsetof(ReadHead, readDirection), vector.get());
    H5Tinsert(type.get(), "phase_dir", offsetof(ReadHead, phaseDirection), vector.get());
    H5Tinsert(type.get(), "slice_dir", offsetof(ReadHead, sliceDirection), vector.get());
    H5Tinsert(type.get(), "slice", offsetof(ReadHead, slice), H5T_NATIVE_UINT16);
    std::vector<ReadHead> heads(std::size_t(layout_.images));
    if (H5Dread(heads_.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, heads.data()) < 0) fail();
    return heads;
  }

  std::string file_;
  Hdf5Handle h5_, data_, heads_;
  std::array<hsize_t, dataAxes> sizes_{};
  Layout layout_;
};

void sendImages(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string file;
  arguments.take(file);
  Reader(file).send(socket);
}

// --- The parent's side

Vec3 vectorOf(const std::array<float, 3>& v) {
  return {v[0], v[1], v[2]};
}

// The file's geometry; pixels of 1 mm if its fields of view or directions are invalid. frames: the
// frame of each image, before channels count as frames.
Geometry geometryOf(const std::vector<ReadHead>& heads, const std::vector<std::int64_t>& frames,
                    const Layout& layout, std::int64_t slices) {
  const Index3& size = layout.size;
  const auto length = [](const Vec3& v) { return std::hypot(v[0], v[1], v[2]); };
  Geometry g = nominalImage({size[0], size[1], size[2]}, "").geometry;
  const Vec3 fov = vectorOf(heads.front().fieldOfView);
  constexpr double maxDeviation = 1e-3;  // of a direction's length from 1
  for (const ReadHead& head : heads)
    for (const auto& direction : {head.readDirection, head.phaseDirection, head.sliceDirection})
      if (!(std::abs(length(vectorOf(direction)) - 1) < maxDeviation)) return g;
  for (const double side : fov)
    if (!(side > 0) || !std::isfinite(side)) return g;
  g.fov = fov;
  g.nominal = false;
  g.slicePositions.assign(std::size_t(slices), Vec3{});
  const auto count = std::size_t(*std::max_element(frames.begin(), frames.end()) + 1);
  std::vector<Geometry> each(count, g);
  for (Geometry& frame : each) frame.sliceDirections.resize(std::size_t(slices));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const ReadHead& head = heads[i];
    Geometry& frame = each[std::size_t(frames[i])];
    frame.slicePositions[head.slice] = vectorOf(head.position);
    frame.sliceDirections[head.slice] = {vectorOf(head.readDirection), vectorOf(head.phaseDirection),
                                         vectorOf(head.sliceDirection)};
  }
  for (Geometry& frame : each) {
    const std::vector<Directions>& all = frame.sliceDirections;
    frame.setDirections(all.front());
    if (std::all_of(all.begin(), all.end(), [&](const Directions& d) { return d == all.front(); }))
      frame.sliceDirections.clear();
  }
  g = each.front();
  const auto elsewhere = [&](const Geometry& frame) { return !(frame == each.front()); };
  if (std::any_of(each.begin(), each.end(), elsewhere))
    for (const Geometry& frame : each) g.frames.insert(g.frames.end(), std::size_t(layout.channels), frame);
  return g;
}

// The frame of each image of the file, before channels count as frames.
std::vector<std::int64_t> framesOf(std::vector<ReadHead>& heads, bool planes, const ChildProcess& child) {
  std::map<std::uint16_t, std::int64_t> seen;
  std::vector<std::int64_t> frames;
  for (ReadHead& head : heads) {
    if (!planes) head.slice = 0;
    frames.push_back(seen[head.slice]++);
  }
  std::uint16_t next = 0;
  for (const auto& [slice, count] : seen)
    if (slice != next++ || count != seen.begin()->second) child.fail("some of its slices are missing");
  return frames;
}

}  // namespace

Image readMrdImage(const std::filesystem::path& file, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string();
  ChildArguments arguments;
  arguments.put(file.string());
  ChildProcess child(problem, copyMrdAgain,
                     ChildLimits::ofReader(cpuSecondsFor(file), file, ReadReach::folder), sendImages,
                     arguments);
  const auto expect = [&](ChildMessage kind, std::size_t bytes) {
    const ChildFrame frame = child.next(progress);
    if (frame.kind != kind || frame.bytes != bytes) child.fail("the reading process sent an unknown message");
    return frame;
  };
  Layout layout;
  expect(ChildMessage::header, sizeof layout);
  child.receive(&layout, sizeof layout, progress);
  for (const std::int64_t size :
       {layout.images, layout.channels, layout.size[0], layout.size[1], layout.size[2]})
    if (size < 1 || size > maxPixelsOfAxis) child.fail("the reading process sent an unknown message");
  std::vector<ReadHead> heads(std::size_t(layout.images));
  expect(ChildMessage::heads, heads.size() * sizeof(ReadHead));
  child.receive(heads.data(), heads.size() * sizeof(ReadHead), progress);

  const std::vector<std::int64_t> frames = framesOf(heads, layout.size[2] == 1, child);
  const std::int64_t framesAndChannels =
                         (*std::max_element(frames.begin(), frames.end()) + 1) * layout.channels,
                     slices = layout.images * layout.channels / framesAndChannels,
                     pixels = product(layout.size);
  Image image =
      nominalImage({layout.size[0], layout.size[1], layout.size[2] * slices}, file.filename().string());
  image.frames = int(framesAndChannels);
  image.geometry = geometryOf(heads, frames, layout, slices);
  const std::size_t valueBytes = layout.inDouble != 0 ? sizeof(cdouble) : sizeof(cfloat);
  image.makeRoom(layout.inDouble != 0, problem, "Use a machine with more memory");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    progress.report(double(i) / double(heads.size()), "Reading " + image.name);
    expect(ChildMessage::values, std::size_t(layout.channels * pixels) * valueBytes);
    for (std::int64_t c = 0; c < layout.channels; ++c) {
      const std::int64_t frame = frames[i] * layout.channels + c;
      const std::int64_t place = (frame * slices + heads[i].slice) * pixels;
      void* const values = image.isDouble() ? static_cast<void*>(image.doubleData.data() + place)
                                            : static_cast<void*>(image.data.data() + place);
      child.receive(values, std::size_t(pixels) * valueBytes, progress);
    }
  }
  expect(ChildMessage::done, 0);
  image.settle();
  return image;
}

}  // namespace spokelab
