#include "engine/scan/formats/hdf5/hdf5_numbers.h"

#include "engine/core/array.h"

namespace spokelab {

bool isPair(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Hdf5Handle part(H5Tget_member_type(type, i), H5Tclose);
    if (H5Tget_class(part.get()) != H5T_FLOAT) return false;
  }
  return true;
}

bool isNumber(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER || isPair(type);
}

bool liesElsewhere(hid_t dataset) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  return H5Pget_external_count(creation.get()) > 0 || H5Pget_layout(creation.get()) == H5D_VIRTUAL;
}

Hdf5Handle pairType(hid_t stored) {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(cfloat)), H5Tclose);
  for (unsigned i = 0; i < 2; ++i) {
    char* name = H5Tget_member_name(stored, i);
    H5Tinsert(type.get(), name ? name : "", i * sizeof(float), H5T_NATIVE_FLOAT);
    H5free_memory(name);
  }
  return type;
}

bool readPairs(hid_t dataset, hid_t memorySpace, hid_t fileSpace, std::int64_t count, float* pairs) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (isPair(type.get())) {
    const Hdf5Handle memory = pairType(type.get());
    return H5Dread(dataset, memory.get(), memorySpace, fileSpace, H5P_DEFAULT, pairs) >= 0;
  }
  Buffer<float> real(static_cast<std::size_t>(count));
  if (H5Dread(dataset, H5T_NATIVE_FLOAT, memorySpace, fileSpace, H5P_DEFAULT, real.data()) < 0) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    pairs[2 * i] = real[std::size_t(i)];
    pairs[2 * i + 1] = 0;
  }
  return true;
}

}  // namespace spokelab
