// Checks that a MATLAB file of version 5 is whole: the library reads missing bytes as zeros.
#pragma once

#include <filesystem>
#include <string>

namespace spokelab {

// `problem` is the summary of a thrown Error: "Cannot read brain.mat".
// Throws Error where an element reaches beyond the file's end, or its compressed bytes fail their
// checksum. Files of other versions pass. Format: MathWorks, "MAT-File Format" (R2019b), chapter 1:
// a header of 128 bytes, then elements of a tag (type, bytes) and their bytes.
void checkMatElements(const std::filesystem::path& file, const std::string& problem);

}  // namespace spokelab
