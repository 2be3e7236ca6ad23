// Options of reading: choices for questions that a file leaves open.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace spokelab {

// `overrides`: decision topic -> choice (Decision in scan.h); unknown topics or choices throw
// Error.
//   k-unit             cycles/FOV | cycles/encoded-FOV | cycles/pixel | radians/pixel | 1/m |
//                      1/cm | 1/mm | radians/m | radians/mm | degrees/pixel
//   k-range            signed | periodic | centred (coordinates from 0 on)
//   third-dimension    kz | density-weight | ignore | partition (kz is kspace_encode_step_2)
//   fourth-dimension   seconds | density-weight | ignore
//   matrix             e.g. 256x256 or 64x64x64
//   fov                mm, e.g. 240x240x5
//   oversampling       remove | keep
//   encoding           number of the encoding space
//   frames             repetition, phase, contrast, set, average, segment joined by '+', or "merge"
//   calibration        exclude | include (lines flagged as calibration only)
//   discard            apply | ignore (discard_pre, discard_post)
//   ghost              none | navigators | data | shift,phase of EPI's odd and even lines
//   ghost-phases       slices | coils (who shares the phase of odd and even lines)
//   reversed           as-stored | flip (readouts flagged as reversed)
//   weights            use | ignore (density weights in the file)
//   axes               what the stored columns of k are, in order: xy, yx, -xy, zyx ...
//   fov-shift          none | position | position-reversed | mm along the image's axes, as in 10,-5
//   array-axes         axes of plain arrays: coil,shot,sample (description/axes_reading.h)
//   bad-readouts       leave-out | refuse (readouts with numbers that are not finite)
//   slice-places       position | counter (shots of one counter at several places become slices)
//   read-frames, read-slices   numbers, as in 0-3,7: the others are not read
//   sliding-window     none, or shots,step as in 34,13: windows of consecutive shots become frames
//   breathing          none, a number of bins, or a file of bins (shots/motion_bins.h)
//   shot-motion        none, or a file of rigid motions (correct/correct_motion.h)
//   heart              none, or a number of bins of the heart's phase (shots/motion_bins.h)
//   breathing-signal   centre | ssa-fary | pmu
//   heart-signal       pmu | ssa-fary
//   gradient-delays    none | axes | common | per-shot | samples for each axis, as in 0.3,-0.1
//   axis-scales        none, or a factor for each axis, as in 1.01,0.99
//   concomitant        none | header | field strength in T
//   girf               none, or the file of an impulse response (correct/girf.h)
//   k0-drift           none | fit | turns of phase in all, as in 0.25
//   external-links     folder | anywhere (HDF5 links to other files)
//   trajectory-variant, trajectory-readout, trajectory-shift   of a trajectory that is named
//   measurement        number of the measurement in a Siemens file, from 1
//   missing-trajectory counters | refuse (a Cartesian one from the counters)
//   trajectory-axes    names of the axes of its array, as in repetition,shot,sample,column
//   trajectory-order   acquisition | kspace_encode_step_1 | slices (shots of a trajectory file)

// Shots and samples of a shot that somebody will use, as number lists; empty: all. The others are
// read, but what is wrong with them does not matter.
struct SampleSelection {
  std::string shots, samples;
};

// Files that hold what belongs to the samples, each of any format (separate/given_trajectory.h).
// Empty: what the samples' file holds.
struct SeparateFiles {
  std::filesystem::path trajectory, weights, noise;
  bool empty() const { return trajectory.empty() && weights.empty() && noise.empty(); }
};

struct ReadOptions {
  std::map<std::string, std::string> overrides;
  SampleSelection selection;
  // HDF5 group. Where it is missing, the only group that holds acquisitions is read.
  std::string dataset = "dataset";
  // File of remembered_choices.h; choices that it holds for this scan count unless `overrides` say
  // otherwise. Empty: none.
  std::filesystem::path choices;
  SeparateFiles separate;
};

// True if the frames are made of the shots of the whole scan (sliding-window, breathing, heart).
bool makesFrames(const ReadOptions& options);

// A thing that a file may leave open, for help texts and menus.
struct DecisionTopic {
  std::string topic, help;
  std::vector<std::string> choices;  // empty: free form
};
const std::vector<DecisionTopic>& decisionTopics();

}  // namespace spokelab
