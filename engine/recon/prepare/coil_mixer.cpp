#include "engine/recon/prepare/coil_mixer.h"

namespace spokelab {

void sendAhead(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices) {
  if (!mixer || scan.isDouble()) return;
  for (const int slice : slices) {
    std::vector<const cfloat*> coils;
    for (int c = 0; c < scan.coils; ++c) coils.push_back(scan.data(frame, slice, c));
    if (!mixer->send(coils, scan.trajectory(frame).samples())) return;
  }
}

void forgetSent(CoilMixer* mixer, const Scan& scan, int frame, std::span<const int> slices) {
  if (!mixer || scan.isDouble()) return;
  for (const int slice : slices) mixer->forget(scan.data(frame, slice, 0));
}

}  // namespace spokelab
