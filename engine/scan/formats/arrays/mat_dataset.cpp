#include "engine/scan/formats/arrays/mat_dataset.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/error.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"
#include "engine/scan/formats/hdf5/hdf5_numbers.h"

namespace spokelab {
namespace {

constexpr hsize_t maxSize = hsize_t(1) << 50;

// A data set that is open; closes the file after itself.
struct OpenDataset {
  OpenDataset(const std::string& file, const std::string& name)
      : handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (handle.valid()) data = Hdf5Handle(H5Dopen2(handle.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  }
  Hdf5Handle handle, data;
};

// Numbers are handed on as floats or doubles, whatever the file's are; whole numbers as doubles.
std::optional<MatFrame> frameOf(hid_t data) {
  const Hdf5Handle type(H5Dget_type(data), H5Tclose), space(H5Dget_space(data), H5Sclose);
  if (!type.valid() || !space.valid() || !isNumber(type.get()) || liesElsewhere(data)) return {};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1 || std::size_t(rank) > MatFrame::maxAxes) return {};
  std::array<hsize_t, MatFrame::maxAxes> sizes{};
  H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
  MatFrame frame;
  const bool wide = needsDouble(type.get()) || H5Tget_class(type.get()) == H5T_INTEGER;
  if (isPair(type.get()))
    frame.type = wide ? ElementType::complex128 : ElementType::complex64;
  else
    frame.type = wide ? ElementType::float64 : ElementType::float32;
  frame.axes = std::uint32_t(rank);
  double elements = 1;
  for (int i = 0; i < rank; ++i) {
    if (sizes[std::size_t(i)] == 0 || sizes[std::size_t(i)] > maxSize) return {};
    frame.shape[std::size_t(rank - 1 - i)] = std::int64_t(sizes[std::size_t(i)]);
    elements *= double(sizes[std::size_t(i)]);
  }
  if (elements > double(maxSize)) return {};
  return frame;
}

std::int64_t elementsOf(const MatFrame& frame) {
  std::int64_t n = 1;
  for (std::uint32_t i = 0; i < frame.axes; ++i) n *= frame.shape[i];
  return n;
}

}  // namespace

std::optional<MatFrame> matDataset(const std::string& file, const std::string& name) {
  const Hdf5Lock lock;
  const OpenDataset opened(file, name);
  if (!opened.data.valid()) return {};
  return frameOf(opened.data.get());
}

void sendMatDataset(const std::string& file, const std::string& name, const std::string& problem,
                    FrameSender& sender) {
  const Hdf5Lock lock;
  const OpenDataset opened(file, name);
  const auto frame = opened.data.valid() ? frameOf(opened.data.get()) : std::optional<MatFrame>();
  const auto fail = [&] {
    throw Error(problem, "its variable " + name + " is damaged",
                "Copy the file again, or write it again with the program that made it");
  };
  if (!frame) fail();
  const std::int64_t count = elementsOf(*frame);
  const auto size = std::size_t(elementBytes(frame->type));
  Buffer<char> bytes(std::size_t(count) * size);
  const hid_t data = opened.data.get();
  bool read = false;
  switch (frame->type) {
    case ElementType::complex128:
      read = readPairs(data, H5S_ALL, H5S_ALL, count, reinterpret_cast<cdouble*>(bytes.data()));
      break;
    case ElementType::complex64:
      read = readPairs(data, H5S_ALL, H5S_ALL, count, reinterpret_cast<cfloat*>(bytes.data()));
      break;
    case ElementType::float64:
      read = H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0;
      break;
    default:
      read = H5Dread(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0;
  }
  if (!read) fail();
  constexpr std::size_t bytesAtOnce = 1 << 20;
  for (std::size_t at = 0; at < bytes.size(); at += bytesAtOnce)
    sender.send(ChildMessage::values, at, bytes.data() + at, std::min(bytesAtOnce, bytes.size() - at));
}

}  // namespace spokelab
