#include "engine/scan/formats/arrays/dataset_worker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/memory_types.h"
#include "engine/scan/formats/hdf5/hdf5_arena.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/hdf5_links.h"
#include "engine/scan/formats/hdf5/hdf5_numbers.h"
#include "engine/scan/formats/hdf5/open_file.h"

namespace spokelab {
namespace {

constexpr double maxDatasetCompression = 2000;  // of what a data set stores
constexpr std::size_t bytesAtOnce = 4u << 20, chunkCacheBytes = 64u << 20;

// The axis, if any, that holds real and imaginary part as two real numbers.
enum class Parts { none, first, last };

struct Dataset {
  Hdf5Handle data, type, space;
  DatasetFrame frame;
  std::string unreadable;
  Parts parts = Parts::none;

  // Sizes of the numbers in the file.
  std::vector<hsize_t> sizes() const {
    std::vector<hsize_t> all(frame.shape.begin(), frame.shape.begin() + frame.axes);
    if (parts == Parts::first) all.insert(all.begin(), 2);
    if (parts == Parts::last) all.push_back(2);
    return all;
  }
};

// Takes the axis of size 2 of real numbers for real and imaginary part.
void joinParts(Dataset& d) {
  DatasetFrame& f = d.frame;
  const std::uint32_t axes = f.axes;
  if (isComplex(f.type) || axes < 2 || (f.shape[0] != 2 && f.shape[axes - 1] != 2)) {
    d.unreadable = "neither its first nor its last axis holds two parts of complex numbers";
    return;
  }
  d.parts = f.shape[0] == 2 ? Parts::first : Parts::last;
  if (d.parts == Parts::first) std::move(f.shape.begin() + 1, f.shape.begin() + axes, f.shape.begin());
  f.shape[--f.axes] = 0;
  f.type = needsDouble(f.type) ? ElementType::complex128 : ElementType::complex64;
}

Dataset openDataset(hid_t file, const std::string& asked) {
  Dataset d;
  const bool join = asked.ends_with(joinedParts) && H5Lexists(file, asked.c_str(), H5P_DEFAULT) <= 0;
  const std::string name = join ? asked.substr(0, asked.size() - joinedParts.size()) : asked;
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, chunkCacheBytes, 1);
  d.data = Hdf5Handle(H5Dopen2(file, name.c_str(), access.get()), H5Dclose);
  if (!d.data.valid()) {
    d.unreadable = "it cannot be opened (" + hdf5Reason() + ")";
    return d;
  }
  d.type = Hdf5Handle(H5Dget_type(d.data.get()), H5Tclose);
  d.space = Hdf5Handle(H5Dget_space(d.data.get()), H5Sclose);
  const bool numbers = d.type.valid() && hasType(d.type.get(), d.frame.type);
  const int axes = H5Sget_simple_extent_ndims(d.space.get());
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  if (!numbers) {
    d.unreadable = "it holds no numbers";
  } else if (axes > int(DatasetFrame::maxAxes) || axes < 0) {
    d.unreadable = "it has " + std::to_string(axes) + " axes";
  } else if (liesElsewhere(d.data.get())) {
    d.unreadable = "its numbers are stored in other files";
  } else {
    H5Sget_simple_extent_dims(d.space.get(), sizes.data(), nullptr);
    d.frame.axes = std::uint32_t(axes);
    double count = 1;
    for (int i = 0; i < axes; ++i) {
      d.frame.shape[std::size_t(i)] = std::int64_t(sizes[std::size_t(i)]);
      count *= double(sizes[std::size_t(i)]);
    }
    // A chunked data set may claim any size in a small file: the bytes stored bound it.
    const double stored = double(H5Dget_storage_size(d.data.get()));
    const double bytes = count * elementBytes(d.frame.type);
    if (!(count >= 1))
      d.unreadable = "it is empty";
    else if (bytes > maxDatasetCompression * std::max(1.0, stored) + bytesAtOnce)
      d.unreadable = "it claims " + bytesText(bytes) + " and stores " + bytesText(stored);
  }
  if (join && d.unreadable.empty()) joinParts(d);
  return d;
}

// --- Small things: attributes, the members of one compound, texts

class Inventory {
 public:
  Inventory(hid_t file, FrameSender& sender) : file_(file), sender_(sender) {}

  void attributesOf(hid_t object, const std::string& name) {
    struct Visit {
      Inventory* self;
      std::string name;
    } visit{this, name};
    hsize_t index = 0;
    H5Aiterate2(
        object, H5_INDEX_NAME, H5_ITER_NATIVE, &index,
        [](hid_t at, const char* attribute, const H5A_info_t*, void* data) -> herr_t {
          auto* const v = static_cast<Visit*>(data);
          const Hdf5Handle a(H5Aopen(at, attribute, H5P_DEFAULT), H5Aclose);
          if (!a.valid()) return 0;
          const Hdf5Handle type(H5Aget_type(a.get()), H5Tclose), space(H5Aget_space(a.get()), H5Sclose);
          const hssize_t count = H5Sget_simple_extent_npoints(space.get());
          const H5T_class_t kind = H5Tget_class(type.get());
          if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || count < 1 || count > hssize_t(maxSmallNumbers))
            return 0;
          std::vector<double> values(std::size_t(count), 0.0);
          if (H5Aread(a.get(), H5T_NATIVE_DOUBLE, values.data()) >= 0)
            v->self->sendNumbers(v->name + "@" + attribute, values);
          return 0;
        },
        &visit);
  }

  // One record of a compound, such as RIESLING's info: each numeric member by itself.
  void membersOf(const Dataset& d, const std::string& name) {
    const int members = H5Tget_nmembers(d.type.get());
    for (unsigned i = 0; i < unsigned(std::max(members, 0)); ++i) {
      char* const text = H5Tget_member_name(d.type.get(), i);
      const std::string member = text ? text : "";
      H5free_memory(text);
      const Hdf5Handle stored(H5Tget_member_type(d.type.get(), i), H5Tclose);
      std::size_t count = 1;
      const bool array = H5Tget_class(stored.get()) == H5T_ARRAY;
      const Hdf5Handle element(array ? H5Tget_super(stored.get()) : H5Tcopy(stored.get()), H5Tclose);
      const H5T_class_t kind = H5Tget_class(element.get());
      if (kind != H5T_FLOAT && kind != H5T_INTEGER) continue;
      std::array<hsize_t, H5S_MAX_RANK> sizes{};
      int axes = 0;
      if (array) {
        axes = H5Tget_array_ndims(stored.get());
        if (axes < 1 || axes > H5S_MAX_RANK || H5Tget_array_dims2(stored.get(), sizes.data()) < 0) continue;
        for (int a = 0; a < axes; ++a) {
          count *= std::min<std::size_t>(sizes[std::size_t(a)], maxSmallNumbers + 1);
          if (count > maxSmallNumbers) break;
        }
      }
      if (count < 1 || count > maxSmallNumbers) continue;
      const Hdf5Handle values(array ? H5Tarray_create2(H5T_NATIVE_DOUBLE, unsigned(axes), sizes.data())
                                    : H5Tcopy(H5T_NATIVE_DOUBLE),
                              H5Tclose);
      const Hdf5Handle record(H5Tcreate(H5T_COMPOUND, count * sizeof(double)), H5Tclose);
      H5Tinsert(record.get(), member.c_str(), 0, values.get());
      std::vector<double> numbers(count, 0.0);
      if (H5Dread(d.data.get(), record.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0)
        sendNumbers(name + "." + member, numbers);
    }
  }

  void textOf(const Dataset& d, const std::string& name) {
    std::string text;
    if (H5Tis_variable_str(d.type.get()) > 0) {
      Hdf5Arena arena(maxDatasetTextBytes, 1);
      const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
      arena.attach(transfer.get());
      char* value = nullptr;
      if (H5Dread(d.data.get(), d.type.get(), H5S_ALL, H5S_ALL, transfer.get(), &value) < 0) return;
      text = value ? value : "";
    } else {
      const std::size_t size = H5Tget_size(d.type.get());
      if (size > maxDatasetTextBytes) return;
      text.assign(size + 1, '\0');
      if (H5Dread(d.data.get(), d.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return;
      text.resize(std::strlen(text.c_str()));
    }
    const std::string bytes = name + text;
    sender_.send(ChildMessage::header, name.size(), bytes.data(), bytes.size());
  }

  void sendNumbers(const std::string& name, const std::vector<double>& values) {
    if (name.size() > maxDatasetNameBytes) return;
    std::vector<char> bytes(name.size() + values.size() * sizeof(double));
    std::copy(name.begin(), name.end(), bytes.begin());
    std::memcpy(bytes.data() + name.size(), values.data(), values.size() * sizeof(double));
    sender_.send(ChildMessage::heads, name.size(), bytes.data(), bytes.size());
  }

  void dataset(const std::string& name) {
    const Dataset d = openDataset(file_, name);
    const bool one = d.space.valid() && H5Sget_simple_extent_npoints(d.space.get()) == 1;
    const H5T_class_t kind = d.type.valid() ? H5Tget_class(d.type.get()) : H5T_NO_CLASS;
    if (one && kind == H5T_STRING) textOf(d, name);
    if (one && kind == H5T_COMPOUND && !isAnyPair(d.type.get())) membersOf(d, name);
    if (d.data.valid()) attributesOf(d.data.get(), name);
    if (!d.unreadable.empty()) {
      const std::string bytes = name + d.unreadable;
      sender_.send(ChildMessage::ignored, name.size(), bytes.data(), bytes.size());
      return;
    }
    std::vector<char> bytes(sizeof d.frame + name.size());
    std::memcpy(bytes.data(), &d.frame, sizeof d.frame);
    std::copy(name.begin(), name.end(), bytes.begin() + sizeof d.frame);
    sender_.send(ChildMessage::array, name.size(), bytes.data(), bytes.size());
  }

 private:
  hid_t file_;
  FrameSender& sender_;
};

// A part of a data set, one behind the other in the file's order.
struct Block {
  std::vector<hsize_t> start, count;
  hsize_t elements = 1;
};

// Reads whole inner axes, and a part of the axis before them that fits into some MB.
template <class Use>
void forEachBlock(std::vector<hsize_t> sizes, std::size_t elementSize, const Use& use) {
  if (sizes.empty()) sizes = {1};
  std::size_t inner = sizes.size();
  hsize_t whole = 1;
  while (inner > 0 && whole * sizes[inner - 1] * elementSize <= bytesAtOnce) whole *= sizes[--inner];
  const hsize_t rows = std::max<hsize_t>(1, bytesAtOnce / (whole * elementSize));
  const hsize_t length = inner > 0 ? sizes[inner - 1] : 1;
  hsize_t outer = 1;
  for (std::size_t a = 0; a + 1 < inner; ++a) outer *= sizes[a];
  for (hsize_t o = 0; o < outer; ++o)
    for (hsize_t row = 0; row < length; row += rows) {
      Block block{std::vector<hsize_t>(sizes.size(), 0), sizes, whole};
      hsize_t rest = o;
      for (std::size_t a = inner > 0 ? inner - 1 : 0; a-- > 0; rest /= sizes[a]) {
        block.start[a] = rest % sizes[a];
        block.count[a] = 1;
      }
      if (inner > 0) {
        block.start[inner - 1] = row;
        block.count[inner - 1] = std::min(rows, length - row);
        block.elements *= block.count[inner - 1];
      }
      use(block);
    }
}

bool readBlock(const Dataset& d, hid_t memory, const Block& block, void* values) {
  if (d.frame.axes == 0) return H5Dread(d.data.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  const Hdf5Handle from(H5Dget_space(d.data.get()), H5Sclose);
  const Hdf5Handle to(H5Screate_simple(1, &block.elements, nullptr), H5Sclose);
  H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, block.start.data(), nullptr, block.count.data(), nullptr);
  return H5Dread(d.data.get(), memory, to.get(), from.get(), H5P_DEFAULT, values) >= 0;
}

herr_t takeName(hid_t, const char* name, const H5O_info_t* info, void* out) {
  auto* const names = static_cast<std::vector<std::string>*>(out);
  if (info->type == H5O_TYPE_DATASET && std::strlen(name) < maxDatasetNameBytes) names->emplace_back(name);
  return names->size() > maxDatasets ? 1 : 0;
}

}  // namespace

void listHdf5Datasets(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string file;
  arguments.take(file);
  const Hdf5Handle h5 = openToRead(file);
  checkedLinks(h5.get(), file, LinkReach::onlyFolder);
  std::vector<std::string> names;
  if (H5Ovisit2(h5.get(), H5_INDEX_NAME, H5_ITER_NATIVE, takeName, &names, H5O_INFO_BASIC) < 0)
    throw Error("Cannot read " + file, "the HDF5 file is damaged (" + hdf5Reason() + ")", copyDatasetAgain);
  if (names.size() > maxDatasets)
    throw Error("Cannot read " + file, "it holds more than " + std::to_string(maxDatasets) + " data sets",
                "Save the scan's data sets in a separate file");
  FrameSender sender(socket);
  Inventory inventory(h5.get(), sender);
  inventory.attributesOf(h5.get(), "");
  for (const std::string& name : names) inventory.dataset(name);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

void sendHdf5Dataset(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string file, name;
  arguments.take(file);
  arguments.take(name);
  const Hdf5Handle h5 = openToRead(file);
  checkedLinks(h5.get(), file, LinkReach::onlyFolder);
  const Dataset d = openDataset(h5.get(), name);
  if (!d.unreadable.empty())
    throw Error("Cannot read " + file, "its data set " + name + " cannot be used: " + d.unreadable,
                copyDatasetAgain);
  const bool split = d.parts != Parts::none;
  const ElementType part =
      d.frame.type == ElementType::complex64 ? ElementType::float32 : ElementType::float64;
  const Hdf5Handle memory = memoryType(split ? part : d.frame.type, d.type.get());
  const std::size_t size = H5Tget_size(memory.get());
  FrameSender sender(socket);
  std::uint64_t at = 0;
  const auto send = [&](const std::vector<char>& values) {
    sender.send(ChildMessage::values, at, values.data(), values.size());
    at += values.size();
  };
  const auto read = [&](const Block& block, std::vector<char>& values) {
    values.resize(std::size_t(block.elements) * size);
    if (!readBlock(d, memory.get(), block, values.data()))
      throw Error("Cannot read " + file, "its data set " + name + " is damaged (" + hdf5Reason() + ")",
                  copyDatasetAgain);
  };
  std::vector<char> values, imaginary, pairs;
  if (d.parts != Parts::first) {
    forEachBlock(d.sizes(), size, [&](const Block& block) {
      read(block, values);
      send(values);
    });
  } else {
    const std::vector<hsize_t> sizes = d.sizes();
    forEachBlock({sizes.begin() + 1, sizes.end()}, size, [&](Block block) {
      block.start.insert(block.start.begin(), 0);
      block.count.insert(block.count.begin(), 1);
      read(block, values);
      block.start[0] = 1;
      read(block, imaginary);
      pairs.resize(2 * values.size());
      for (std::size_t i = 0; i < values.size(); i += size) {
        std::memcpy(pairs.data() + 2 * i, values.data() + i, size);
        std::memcpy(pairs.data() + 2 * i + size, imaginary.data() + i, size);
      }
      send(pairs);
    });
  }
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

}  // namespace spokelab
