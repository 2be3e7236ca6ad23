#include "engine/scan/formats/hdf5/hdf5_numbers.h"

#include <algorithm>

#include "engine/core/array.h"

namespace spokelab {
namespace {

template <class Real>
hid_t nativeType() {
  return sizeof(Real) == sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

// std::complex<Real> in memory for a stored pair, whatever its members are called.
template <class Real>
Hdf5Handle pairType(hid_t stored) {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(std::complex<Real>)), H5Tclose);
  for (unsigned i = 0; i < 2; ++i) {
    char* name = H5Tget_member_name(stored, i);
    H5Tinsert(type.get(), name ? name : "", i * sizeof(Real), nativeType<Real>());
    H5free_memory(name);
  }
  return type;
}

}  // namespace

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

bool needsDouble(hid_t type) {
  if (H5Tget_class(type) == H5T_INTEGER) return H5Tget_size(type) >= sizeof(float);
  if (!isPair(type)) return H5Tget_size(type) > sizeof(float);
  const Hdf5Handle part(H5Tget_member_type(type, 0), H5Tclose);
  return H5Tget_size(part.get()) > sizeof(float);
}

template <class Real>
bool readPairs(hid_t dataset, hid_t memorySpace, hid_t fileSpace, std::int64_t count,
               std::complex<Real>* values) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (isPair(type.get())) {
    const Hdf5Handle memory = pairType<Real>(type.get());
    return H5Dread(dataset, memory.get(), memorySpace, fileSpace, H5P_DEFAULT, values) >= 0;
  }
  Buffer<Real> real(static_cast<std::size_t>(count));
  if (H5Dread(dataset, nativeType<Real>(), memorySpace, fileSpace, H5P_DEFAULT, real.data()) < 0)
    return false;
  std::copy(real.begin(), real.end(), values);
  return true;
}

template bool readPairs(hid_t, hid_t, hid_t, std::int64_t, cfloat*);
template bool readPairs(hid_t, hid_t, hid_t, std::int64_t, cdouble*);

}  // namespace spokelab
