// The header text of an ISMRMRD file, taken as far as it goes: ISMRMRD's own reader refuses a
// header that lacks an element, such as reconSpace or encodingLimits, or that writes "Cartesian"
// for "cartesian". Lists: https://ismrmrd.readthedocs.io, schema ismrmrd.xsd.
#pragma once

#include <ismrmrd/xml.h>

#include <string>

namespace spokelab {

// Encodings, limits, sequence parameters (ms), system and user parameters; all else stays empty.
// An element that is missing leaves 0; a matrix size of a missing axis, too. A trajectory of an
// unknown name is OTHER. Throws std::runtime_error where the text is no XML or no ISMRMRD header.
ISMRMRD::IsmrmrdHeader lenientHeader(const std::string& xml);

}  // namespace spokelab
