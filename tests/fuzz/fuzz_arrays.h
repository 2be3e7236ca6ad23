// Any bytes as a file of several arrays: its variables and their numbers, or an Error.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab::fuzz {

// Writes the bytes into a file of the process' own with this extension, and returns its name.
inline std::string fileOf(const std::uint8_t* data, std::size_t size, const char* extension) {
  const std::string file = "/dev/shm/spokelab-fuzz-" + std::to_string(getpid()) + extension;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(data), std::streamsize(size));
  return file;
}

// Reads every variable to its end. Throws Error if the file is not one of arrays.
inline void readArrays(const std::string& file) {
  constexpr std::int64_t maxElements = 1 << 20;
  for (const ArrayVariable& v : arrayVariables(file)) try {
      if (!v.unreadable.empty() || v.header.elements() > maxElements) continue;
      std::int64_t seen = 0;
      const ArrayFile array(arrayName(file, v.name));
      array.read(Progress(), "", [&](std::int64_t, const cdouble*, std::int64_t count) { seen += count; });
      if (seen != array.header().elements()) __builtin_trap();
    } catch (const Error&) {
      continue;
    }
}

}  // namespace spokelab::fuzz
