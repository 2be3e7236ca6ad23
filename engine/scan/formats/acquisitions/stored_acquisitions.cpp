#include "engine/scan/formats/acquisitions/stored_acquisitions.h"

#include "engine/scan/formats/acquisitions/bruker/bruker_acquisitions.h"
#include "engine/scan/formats/acquisitions/hdf5_acquisitions.h"
#include "engine/scan/formats/acquisitions/stream_acquisitions.h"
#include "engine/scan/formats/acquisitions/twix/twix_acquisitions.h"
#include "engine/scan/formats/hdf5/hdf5_arena.h"

namespace spokelab {

std::size_t StoredAcquisitions::roomFor(AcquisitionMember member, const std::vector<AcquisitionHead>& heads) {
  std::size_t floats = 0;
  for (const AcquisitionHead& head : heads) floats += std::size_t(floatsOf(head, member));
  return Hdf5Arena::bytesFor(floats * sizeof(float), heads.size());
}

float* StoredAcquisitions::roomIn(std::span<char> place, AcquisitionMember member,
                                  const std::vector<AcquisitionHead>& heads, Buffer<float>& own) {
  const std::size_t room = roomFor(member, heads);
  if (room <= place.size()) return reinterpret_cast<float*>(place.data());
  own.resize(room / sizeof(float));
  return own.data();
}

std::unique_ptr<StoredAcquisitions> openAcquisitions(const std::filesystem::path& file,
                                                     const std::string& group, LinkReach reach) {
  if (isAcquisitionStream(file)) return std::make_unique<StreamAcquisitions>(file);
  if (const auto data = brukerData(file)) return std::make_unique<BrukerAcquisitions>(*data);
  if (isTwix(file)) return std::make_unique<TwixAcquisitions>(file, group);
  return std::make_unique<Hdf5Acquisitions>(file, group, reach);
}

}  // namespace spokelab
