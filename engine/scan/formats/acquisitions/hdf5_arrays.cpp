// NDArrays beside the acquisitions, as PowerGrid's converter writes them: "/<group>/SENSEMap" and
// so on, an extensible data set whose first axis counts the arrays appended. Images are named, not
// read.
#include <algorithm>
#include <array>
#include <cstring>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_worker.h"
#include "engine/scan/formats/acquisitions/hdf5_acquisitions.h"
#include "engine/scan/formats/hdf5/hdf5_numbers.h"

namespace spokelab {
namespace {

constexpr double maxArrayBytes = 4e9;  // arrays hold maps, not samples

struct Listing {
  std::vector<std::string> arrays, ignored;
};

herr_t visit(hid_t group, const char* name, const H5L_info_t*, void* out) {
  auto* listing = static_cast<Listing*>(out);
  const std::string text = name;
  if (text == "data" || text == "xml" || text == "waveforms") return 0;
  H5O_info_t info;
  if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0) {
    listing->ignored.push_back(text + " (not readable)");
    return 0;
  }
  if (info.type != H5O_TYPE_DATASET) {
    listing->ignored.push_back(text + " (a group)");
    return 0;
  }
  const Hdf5Handle data(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose);
  const Hdf5Handle type(data.valid() ? H5Dget_type(data.get()) : -1, H5Tclose);
  const Hdf5Handle space(data.valid() ? H5Dget_space(data.get()) : -1, H5Sclose);
  if (!type.valid() || !space.valid()) {
    listing->ignored.push_back(text + " (not readable)");
    return 0;
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const int axes = H5Sget_simple_extent_ndims(space.get());
  const bool usable = isNumber(type.get()) && count > 0 && axes > 0 && axes <= int(ArrayFrame::maxAxes) &&
                      double(count) * sizeof(cfloat) <= maxArrayBytes && !liesElsewhere(data.get()) &&
                      text.size() < ArrayFrame::maxNameLength;
  if (usable)
    listing->arrays.push_back(text);
  else
    listing->ignored.push_back(text + " (" + std::to_string(std::max<hssize_t>(0, count)) + ")");
  return 0;
}

}  // namespace

void Hdf5Acquisitions::listArrays(const std::string& group) {
  group_ = group;
  const Hdf5Handle folder(H5Gopen2(handle_.get(), group.c_str(), H5P_DEFAULT), H5Gclose);
  Listing listing;
  if (!folder.valid() ||
      H5Literate(folder.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &listing) < 0)
    fail(hdf5Reason());
  arrayNames_ = std::move(listing.arrays);
  ignored_ = std::move(listing.ignored);
}

void Hdf5Acquisitions::readArray(const std::string& name, std::vector<char>& out) const {
  if (waveforms_.write(name, out)) return;
  const Hdf5Handle data(H5Dopen2(handle_.get(), (group_ + "/" + name).c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.valid()) fail(hdf5Reason());
  const Hdf5Handle space(H5Dget_space(data.get()), H5Sclose), type(H5Dget_type(data.get()), H5Tclose);
  std::array<hsize_t, ArrayFrame::maxAxes> sizes{};
  const int axes = H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  if (axes <= 0) fail(hdf5Reason());
  ArrayFrame head;
  std::copy(name.begin(), name.end(), head.name.begin());
  head.complex = isPair(type.get());
  const int skip = axes > 1 && sizes[0] == 1 ? 1 : 0;  // the count of arrays appended
  head.axes = std::uint32_t(axes - skip);
  std::size_t count = 1;
  for (int i = 0; i < axes; ++i) {
    if (i >= skip) head.shape[std::size_t(i - skip)] = std::int64_t(sizes[std::size_t(i)]);
    count *= std::size_t(sizes[std::size_t(i)]);
  }
  // A chunked data set may claim any size in a small file: the bytes stored bound it.
  const hsize_t stored = H5Dget_storage_size(data.get());
  constexpr double maxCompressionRatio = 2000;
  if (double(count) > maxCompressionRatio * double(std::max<hsize_t>(1, stored)))
    fail("its array " + name + " claims " + bytesText(double(count) * sizeof(cfloat)) + " and stores " +
         bytesText(double(stored)));
  out.resize(sizeof head + count * sizeof(cfloat));
  std::memcpy(out.data(), &head, sizeof head);
  char* values = out.data() + sizeof head;
  if (!readPairs(data.get(), H5S_ALL, H5S_ALL, std::int64_t(count), reinterpret_cast<cfloat*>(values)))
    fail(hdf5Reason());
}

}  // namespace spokelab
