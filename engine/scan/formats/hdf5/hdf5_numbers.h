// Tells which data sets hold numbers, and their types as complex values. Hold Hdf5Lock.
#pragma once

#include <complex>

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// A compound of two floating-point numbers: real and imaginary part.
bool isPair(hid_t type);
bool isNumber(hid_t type);  // a pair, a floating-point number or an integer
// True if the values of a data set are in other files.
bool liesElsewhere(hid_t dataset);
// True if floats would round the numbers: floating-point parts of 8 bytes, integers of 4 or more.
bool needsDouble(hid_t type);
// All, or the selected, values of a data set as complex values; false where the library fails.
template <class Real>
bool readPairs(hid_t dataset, hid_t memorySpace, hid_t fileSpace, std::int64_t count,
               std::complex<Real>* values);

}  // namespace spokelab
