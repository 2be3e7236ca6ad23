// Reads the header text of an ISMRMRD file as far as possible. ISMRMRD's reader refuses a header
// that lacks an element, such as reconSpace or encodingLimits, or that writes "Cartesian" for
// "cartesian". Lists: https://ismrmrd.readthedocs.io, schema ismrmrd.xsd.
#pragma once

#include <ismrmrd/xml.h>

#include <string>

namespace spokelab {

// Reads encodings, limits, sequence parameters (ms), system and user parameters. A missing element,
// or the matrix size of a missing axis, is 0. A trajectory of an unknown name is OTHER. Throws
// std::runtime_error if the text is not XML or not an ISMRMRD header.
ISMRMRD::IsmrmrdHeader lenientHeader(const std::string& xml);

}  // namespace spokelab
