// Any bytes as a Bruker experiment: acqp, method, traj and fid, with lines "%%" between them.
#include <sys/stat.h>

#include <string_view>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_acquisitions.h"
#include "engine/scan/formats/xml/lenient_header.h"
#include "tests/fuzz/fuzz_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spokelab;
  const std::string folder = "/dev/shm/spokelab-fuzz-bruker-" + std::to_string(getpid());
  mkdir(folder.c_str(), S_IRWXU);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (const char* const name : {"acqp", "method", "traj", "fid"}) {
    constexpr std::string_view between = "\n%%\n";
    const std::size_t end = rest.find(between);
    std::ofstream(folder + '/' + name, std::ios::binary | std::ios::trunc) << rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + between.size());
  }
  try {
    const BrukerAcquisitions bruker(folder + "/fid");
    (void)lenientHeader(bruker.xml());
    constexpr std::int64_t mostRead = 1000;
    std::vector<AcquisitionHead> heads(std::size_t(std::min(bruker.count(), mostRead)));
    bruker.readHeads(0, heads);
    for (const AcquisitionMember member : {AcquisitionMember::trajectory, AcquisitionMember::data}) {
      std::size_t seen = 0;
      bruker.read(member, 0, heads, {}, [&](std::size_t, const float*) { ++seen; });
      if (seen != heads.size()) __builtin_trap();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
