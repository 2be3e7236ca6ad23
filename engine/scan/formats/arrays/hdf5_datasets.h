// The data sets of an HDF5 file that is not ISMRMRD, named file.h5:group/dataset, read in a process
// that may crash, as the library does on some damaged files. file.h5:dataset+i takes the first or
// the last axis, of size 2, of real numbers for the parts of complex ones.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/formats/arrays/array_bytes.h"
#include "engine/scan/formats/arrays/array_name.h"

namespace spokelab {

struct Hdf5Contents {
  std::vector<ArrayVariable> arrays;  // by their paths, without the first slash
  // "trajectory@matrix" (attribute), "@fov" (of the file), "info.voxel_size" (member of a record).
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::string> texts;  // data sets of one text

  const ArrayVariable* find(const std::string& name) const;  // null if no readable one has the name
  // The same, also "name+i"; a variable without a name if it does not exist.
  ArrayVariable variable(const std::string& name) const;
};
// Throws Error, Cancelled.
Hdf5Contents hdf5Contents(const std::filesystem::path& file, const Progress& progress);

// True for the extensions .h5, .hdf5 and .mrd.
bool hasHdf5Extension(const std::filesystem::path& file);

// The numbers of a data set, last axis fastest.
std::unique_ptr<ArrayBytes> openHdf5Dataset(const std::filesystem::path& file, const ArrayVariable& dataset);

}  // namespace spokelab
