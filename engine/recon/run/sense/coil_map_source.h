// The source of a slice's coil maps. Coils do not move while frames are measured, so that one
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
  // Maps of this slice, on the host or a backend; both empty: they are read or estimated.
  std::vector<cfloat> known;
  std::shared_ptr<const BackendMaps> knownToBackend;
  const CoilDivision* division = nullptr;  // among ranks; null: one makes them all
  // Called once, as soon as the host has looked at all samples that the maps need; may be empty.
  std::function<void()> samplesSeen{};
  bool areKnown() const { return knownToBackend || !known.empty(); }
  void tellSamplesSeen() {
    if (samplesSeen) std::exchange(samplesSeen, nullptr)();
  }
};

// Evenly spread ones of `frames`, at most 64: more would hardly improve the mean.
std::vector<int> mapFrames(const std::vector<int>& frames);

// True if each rank may grid the centre of its coils: groups that are gridded together must be the
// same as with one rank, so that the images have the same bits.
bool dividesCentre(const CoilDivision& division);

// The mean of the frames' images of the centre of k-space. If frames have such different phases
// that they would cancel (phase-contrast), or if few hold all the signal, the images of the
// strongest frame. Notes name the choice. division: if dividesCentre() holds for it, each rank gets
// the images of its coils; null: all coils.
CentreImages meanCentreImages(NufftBackend& backend, const Scan& scan, const SenseProblem& problem,
                              const std::vector<int>& frames, int slice, FrameDensities& densities,
                              const CoilMapOptions& mapOptions, const CoilDivision* division,
                              std::vector<std::string>& notes, const Progress& progress);

}  // namespace spokelab
