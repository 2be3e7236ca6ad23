// Standard input, output and errors are open in every program: where a shell closed one (>&-), the
// next file that is opened would take its number, and what is said would be written into that file.
#pragma once

namespace spokelab {

// Opens /dev/null for reading in the place of each closed one. Reading it ends at once; writing
// fails, so that the writer learns that nothing was written. Programs call this before anything
// that opens a file.
void openStandardFiles();

}  // namespace spokelab
