// Any bytes as a .nii file: header and voxels. Images beyond 1 MB are left to the header's checks.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include "engine/core/error.h"
#include "engine/scan/formats/images/nifti_header.h"
#include "engine/scan/formats/images/read_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const NiftiHeader header = parseNiftiHeader(bytes, "Cannot read the fuzzer's bytes");
    for (const double f : header.geometry.fov)
      if (!(f > 0)) __builtin_trap();
    static const std::string file = "/dev/shm/spokelab-fuzz-" + std::to_string(getpid()) + ".nii";
    {
      std::ofstream out(file, std::ios::binary | std::ios::trunc);
      out.write(bytes.data(), std::streamsize(bytes.size()));
    }
    const Image image = readImage(file, Progress());
    if (std::int64_t(image.data.size()) != image.volume() * image.frames) __builtin_trap();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
