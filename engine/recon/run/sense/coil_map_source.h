// Where the coil maps of a slice come from: coils do not move while frames are measured, so that one
// estimate, over the mean of all frames, serves all of them and has the least noise.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/recon/coils/backend_maps.h"
#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/density/frame_densities.h"
#include "engine/recon/sense/sense_problem.h"

namespace spokelab {

struct CoilMapSource {
  std::vector<int> frames;  // that are averaged where maps are estimated
  // Maps of this slice, on the host or in a backend's memory; both empty: they are read or estimated.
  std::vector<cfloat> known;
  std::shared_ptr<const BackendMaps> knownToBackend;
  const CoilDivision* division = nullptr;  // among ranks; null: one makes them all
  // Called once, as soon as the host has looked at all samples that the maps need; empty: nobody waits for it.
  std::function<void()> samplesSeen{};
  bool areKnown() const { return knownToBackend || !known.empty(); }
  void tellSamplesSeen() {
    if (samplesSeen) std::exchange(samplesSeen, nullptr)();
  }
};

// At most so many of `frames`, evenly spread: more would hardly better the mean.
std::vector<int> mapFrames(const std::vector<int>& frames);

// Whether each rank may grid the centre of its own coils: the groups that are gridded together have to be those of one
// rank, so that the images have the same bits.
bool dividesCentre(const CoilDivision& division);

// The mean of the frames' images of the centre of k-space. Where frames have phases so different that
// they would cancel (phase-contrast), or few hold all the signal: the images of the strongest frame.
// Notes say what was taken. division: one for which dividesCentre(), each rank gets the images of its own coils; null: of
// all coils.
CentreImages meanCentreImages(NufftBackend& backend, const Scan& scan, const SenseProblem& problem,
                              const std::vector<int>& frames, int slice, FrameDensities& densities,
                              const CoilMapOptions& how, const CoilDivision* division,
                              std::vector<std::string>& notes, const Progress& progress);

}  // namespace spokelab
