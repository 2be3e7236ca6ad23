#include "engine/scan/formats/arrays/memory_types.h"

namespace spokelab {
namespace {

Hdf5Handle copyOf(hid_t type) {
  return {H5Tcopy(type), H5Tclose};
}

}  // namespace

// A pair of numbers is complex, whatever their precision.
bool isAnyPair(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Hdf5Handle part(H5Tget_member_type(type, i), H5Tclose);
    const H5T_class_t kind = H5Tget_class(part.get());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) return false;
  }
  return true;
}

// Finds the memory type for a file's type; false if it is not a number.
bool hasType(hid_t type, ElementType& out) {
  const std::size_t size = H5Tget_size(type);
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_FLOAT) {
    out = size <= sizeof(float) ? ElementType::float32 : ElementType::float64;
  } else if (kind == H5T_ENUM && size == 1) {
    out = ElementType::int8;  // as h5py writes truth values
  } else if (kind == H5T_INTEGER && (size == 1 || size == 2 || size == 4 || size == 8)) {
    const bool sign = H5Tget_sign(type) != H5T_SGN_NONE;
    out = size == 1   ? (sign ? ElementType::int8 : ElementType::uint8)
          : size == 2 ? (sign ? ElementType::int16 : ElementType::uint16)
          : size == 4 ? (sign ? ElementType::int32 : ElementType::uint32)
                      : (sign ? ElementType::int64 : ElementType::uint64);
  } else if (isAnyPair(type)) {
    const Hdf5Handle part(H5Tget_member_type(type, 0), H5Tclose);
    out = H5Tget_size(part.get()) <= sizeof(float) ? ElementType::complex64 : ElementType::complex128;
  } else {
    return false;
  }
  return true;
}

Hdf5Handle memoryType(ElementType type, hid_t stored) {
  switch (type) {
    case ElementType::int8:
      if (H5Tget_class(stored) == H5T_ENUM) return copyOf(stored);
      return copyOf(H5T_NATIVE_INT8);
    case ElementType::uint8:
      return copyOf(H5T_NATIVE_UINT8);
    case ElementType::int16:
      return copyOf(H5T_NATIVE_INT16);
    case ElementType::uint16:
      return copyOf(H5T_NATIVE_UINT16);
    case ElementType::int32:
      return copyOf(H5T_NATIVE_INT32);
    case ElementType::uint32:
      return copyOf(H5T_NATIVE_UINT32);
    case ElementType::int64:
      return copyOf(H5T_NATIVE_INT64);
    case ElementType::uint64:
      return copyOf(H5T_NATIVE_UINT64);
    case ElementType::float16:
    case ElementType::float32:
      return copyOf(H5T_NATIVE_FLOAT);
    case ElementType::float64:
      return copyOf(H5T_NATIVE_DOUBLE);
    case ElementType::complex64:
    case ElementType::complex128:
      break;
  }
  const bool single = type == ElementType::complex64;
  const std::size_t part = single ? sizeof(float) : sizeof(double);
  Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, 2 * part), H5Tclose);
  for (unsigned i = 0; i < 2; ++i) {
    char* const name = H5Tget_member_name(stored, i);
    H5Tinsert(pair.get(), name ? name : "", i * part, single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
    H5free_memory(name);
  }
  return pair;
}

}  // namespace spokelab
