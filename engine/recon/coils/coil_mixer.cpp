#include "engine/recon/coils/coil_mixer.h"

namespace spokelab {

void sendAhead(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices,
               std::span<const int> coils) {
  if (!mixer || scan.isDouble()) return;
  const int first = coils.empty() ? 0 : coils.front(), count = coils.empty() ? scan.coils : int(coils.size());
  for (const int slice : slices) {
    std::vector<const cfloat*> sent;
    for (int c = first; c < first + count; ++c) sent.push_back(scan.data(frame, slice, c));
    if (!mixer->send(sent, scan.trajectory(frame).samples())) return;
  }
}

void forgetSent(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices,
                std::span<const int> coils) {
  if (!mixer || scan.isDouble()) return;
  for (const int slice : slices) mixer->forget(scan.data(frame, slice, coils.empty() ? 0 : coils.front()));
}

}  // namespace spokelab
