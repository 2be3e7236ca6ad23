// Standard input, output and errors are open in every program: where a shell closed one (>&-), the
// next file that is opened would take its number, and what is said would be written into that file.
#pragma once

namespace spokelab {

// Opens what is closed, so that it can be read, to its end, and not be written: the writer learns
// that nothing was taken. Programs call it before anything that opens a file.
void openStandardFiles();

}  // namespace spokelab
