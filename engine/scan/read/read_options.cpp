#include "engine/scan/read/read_options.h"

namespace spokelab {

const std::vector<DecisionTopic>& decisionTopics() {
  static const std::vector<DecisionTopic> topics = {
      {"k-unit",
       "Unit of the stored trajectory",
       {"cycles/FOV", "cycles/encoded-FOV", "cycles/pixel", "radians/pixel", "1/m", "1/cm", "1/mm",
        "radians/m", "radians/mm", "degrees/pixel"}},
      {"k-range",
       "Stored coordinates from 0 on: as they are, the upper half negative, or the centre in the middle",
       {"signed", "periodic", "centred"}},
      {"third-dimension",
       "Meaning of the third trajectory dimension",
       {"kz", "density-weight", "ignore", "partition"}},
      {"fourth-dimension",
       "Meaning of the fourth trajectory dimension",
       {"seconds", "density-weight", "ignore"}},
      {"matrix", "Pixels of the image, for example 256x256 or 64x64x64", {}},
      {"fov", "Field of view in mm, for example 240x240x5", {}},
      {"oversampling",
       "Readout oversampling: cut the field of view to the image's, or keep it all",
       {"remove", "keep"}},
      {"encoding", "Number of the encoding space to read, from 0", {}},
      {"frames", "Counters that make frames, joined by '+', for example repetition+contrast; or merge", {}},
      {"calibration", "Lines flagged as parallel calibration only", {"exclude", "include"}},
      {"discard", "Samples that the acquisition headers mark for discarding", {"apply", "ignore"}},
      {"reversed", "Samples of readouts flagged as reversed", {"as-stored", "flip"}},
      {"weights", "Density weights that the file holds", {"use", "ignore"}},
      {"axes",
       "Axes that the stored trajectory columns are, in order; '-' turns one round: xy, yx, -xy, zyx",
       {}},
      {"fov-shift",
       "Offset that the samples still carry: none, position (the header's), position-reversed, or mm, as in "
       "10,-5",
       {}},
      {"external-links",
       "Where other files may lie that an HDF5 file links to: in its folder and below, or anywhere",
       {"folder", "anywhere"}},
      {"array-axes",
       "Axes of plain arrays in their own order, as in coil,shot,sample; after a / the trajectory's axes",
       {}},
      {"bad-readouts",
       "Readouts with samples or coordinates that are not finite, and lines without a trajectory",
       {"leave-out", "refuse"}},
      {"slice-places",
       "Shots of one slice counter at several places: slices by position, or by the counter alone",
       {"position", "counter"}},
      {"measurement", "Number of the measurement in a Siemens file (twix), from 1", {}},
      {"missing-trajectory",
       "A file without a trajectory: make a Cartesian one from its counters, or refuse it",
       {"counters", "refuse"}},
      {"trajectory-order",
       "Order of the shots in a trajectory's own file: as acquired, by their counter, or slice by slice (and "
       "frame by frame)",
       {"acquisition", "kspace_encode_step_1", "slices"}},
      {"trajectory-axes",
       "Axes of the array of a trajectory, outermost first, as in repetition,shot,sample,column",
       {}},
      {"gradient-delays",
       "Samples by which gradients act late: none, axes, common or per-shot (fitted to the samples near the "
       "centre), or a number for each axis, as in 0.3,-0.1",
       {}},
      {"axis-scales",
       "Factors by which gradients are stronger than k says, one for each axis, as in 1.01,0.99; or none",
       {}},
      {"concomitant",
       "Field strength in T by which concomitant (Maxwell) phases are taken away, header (the file's), or none",
       {}},
      {"ghost",
       "The N/2 ghost of EPI: navigators (lines for phase correction), data (the sharpest image), none, or shift "
       "and phase between lines that run back and forth in cycles/FOV and rad, as in 0.4,-0.8",
       {}},
      {"ghost-phases",
       "Phase between EPI's lines that run back and forth: one for a slice, or one for each coil in it",
       {"slices", "coils"}},
      {"girf",
       "File of the gradient impulse response that the trajectory is to follow, as in girf.csv, or girf.csv*0.5 "
       "for half of what it changes; or none",
       {}},
      {"k0-drift",
       "Turns of phase from the first shot to the last by which the field drifts: fit (to the centre of "
       "k-space), a number as in 0.25, or none",
       {}},
      {"shot-motion",
       "File of rigid motions: rows of shots, turn and shift, as in \"0-99 5 1.5 -2\" (degrees, mm); or none",
       {}},
      {"trajectory-variant",
       "Variant of a trajectory that is known by its name, for example golden or tiny-golden=7",
       {}},
      {"trajectory-readout",
       "Readouts of a trajectory that is known by its name: across the centre, or from it",
       {"diameter", "centre-out"}},
      {"trajectory-shift", "Samples by which the centre of k-space comes later than a name says", {}},
      {"read-frames", "Frames to read, as in 0-3,7; or all", {}},
      {"read-slices", "Slices to read, as in 0-3,7; or all", {}},
      {"sliding-window", "Windows of consecutive shots become frames: shots,step, as in 34,13; or none", {}},
      {"breathing",
       "Bins of shots in the same state of breathing become frames: their number, as in 4; a text file with the "
       "bin of each shot from 0 on (-1: left out); or none",
       {}},
      {"breathing-signal",
       "Source of the breath: the centre of k-space by principal components or by singular spectrum analysis, "
       "or the trace of the physiological unit",
       {"centre", "ssa-fary", "pmu"}},
      {"heart",
       "Bins of shots in the same phase of the heart become frames, within each bin of breathing: their number, "
       "as in 8; or none",
       {}},
      {"heart-signal",
       "Source of the heartbeat: the trace of the physiological unit (ECG or pulse), or the centre of k-space by "
       "singular spectrum analysis",
       {"pmu", "ssa-fary"}},
  };
  return topics;
}

bool makesFrames(const ReadOptions& options) {
  return options.overrides.contains("sliding-window") || options.overrides.contains("breathing") ||
         options.overrides.contains("heart");
}

}  // namespace spokelab
