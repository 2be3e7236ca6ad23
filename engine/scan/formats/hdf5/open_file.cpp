#include "engine/scan/formats/hdf5/open_file.h"

#include <string>

#include "engine/core/error.h"

namespace spokelab {

Hdf5Handle openToRead(const std::filesystem::path& file) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Reading needs no lock, and some file systems have none.
  H5Pset_file_locking(access.get(), false, true);
  Hdf5Handle h5(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (h5.valid()) return h5;
  const std::string reason = hdf5Reason();
  throw Error("Cannot read " + file.string(), reason.empty() ? "the HDF5 file is damaged" : reason,
              "Copy the file again, or write it again with the program that made it");
}

}  // namespace spokelab
