// The numbers of HDF5 data sets as elements of arrays in memory. Callers hold Hdf5Lock.
#pragma once

#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// True for a compound of two numbers, real and imaginary part: floats of any precision, or, unlike
// isPair(), integers.
bool isAnyPair(hid_t type);
// Finds the memory type for a file's type; false if it is not a number.
bool hasType(hid_t type, ElementType& out);
// The type in memory of a file's numbers.
Hdf5Handle memoryType(ElementType type, hid_t stored);

}  // namespace spokelab
