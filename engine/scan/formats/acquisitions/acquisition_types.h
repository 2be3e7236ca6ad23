// HDF5 types of an ISMRMRD acquisition in memory.
#pragma once

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// AcquisitionHead's members and layout.
Hdf5Handle acquisitionHeaderType();
// { head } with AcquisitionHead's layout.
Hdf5Handle headType();
// The members of `wanted` that `stored` has, too, in a type that HDF5 can convert. A read with this
// type leaves the other members in memory unchanged. Invalid if there are none.
Hdf5Handle convertiblePart(hid_t wanted, hid_t stored);
// { name: variable-length floats }.
Hdf5Handle variableLengthType(const char* name);
// The same where the file keeps { real, imaginary } compounds with these member names.
Hdf5Handle variableLengthComplexType(const char* name, const char* real, const char* imaginary);

}  // namespace spokelab
