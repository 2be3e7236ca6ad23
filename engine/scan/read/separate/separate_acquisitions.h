// Acquisitions whose trajectory, density weights or both come from separate files. Shots are
// matched to acquisitions by number, length and order, and a decision shows the match.
//
// A group: acquisitions that differ in no counter but the shot's (slice, repetition, contrast and
// so on are equal). With 3 slices of 26 spokes each, a file of 26 shots serves 3 groups; a file of
// 78 shots serves all acquisitions together, as one group. skipsDiscarded, in all functions: a
// file's shots lack the samples at the readout's ends that the acquisition's head tells to discard
// (discard_pre, discard_post).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/read_options.h"
#include "engine/scan/read/separate/given_trajectory.h"
#include "engine/scan/read/separate/trajectory_axes.h"

namespace spokelab {

class SeparateAcquisitions final : public AcquisitionSource {
 public:
  // `inner` lives longer than this. Throws Error where a file does not fit, Cancelled.
  SeparateAcquisitions(AcquisitionSource& inner, const SeparateFiles& files, Decisions& d,
                       const Progress& progress);

  const std::string& xml() const override { return inner_.xml(); }
  const std::vector<AcquisitionHead>& heads() const override { return heads_; }
  void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string& what,
            const Progress& progress, const Use& use) override;

 private:
  // `acquisitions` lists the imaging acquisitions, perGroup() a group. The acquisitions of each
  // group have the file's shots, in the file's order.
  struct Match {
    std::vector<std::int64_t> acquisitions;
    std::int64_t groups = 1;  // number of groups that share the file's shots
    // Another order (trajectory-order = slices): group after group. Empty if it is the same.
    std::vector<std::int64_t> byGroup;
    std::size_t perGroup() const { return acquisitions.size() / std::size_t(groups); }
  };
  // samples: numbers in the file. sizes, what: describe the file in the Error.
  Match matchTo(const std::vector<std::int64_t>& imaging, std::int64_t samples, bool skipsDiscarded,
                const std::string& sizes, const std::string& what, Decisions& d) const;
  std::optional<TrajectoryAxes> decideAxes(const GivenTrajectory& t, const std::vector<std::int64_t>& imaging,
                                           bool skipsDiscarded, Decisions& d) const;
  // Decides trajectory-order, and puts the acquisitions into the order of the trajectory's shots.
  void orderShots(const GivenTrajectory& t, Match& match, Decisions& d) const;
  void sortByCounter(Match& match) const;
  std::string differenceText(const GivenTrajectory& t, const std::vector<std::int64_t>& imaging,
                             bool skipsDiscarded) const;
  std::int64_t keptOf(std::int64_t acquisition, bool skipsDiscarded) const;  // samples
  // Removes from `imaging` the acquisitions of another length than most.
  GivenTrajectory madeFromName(const std::string& name, std::vector<std::int64_t>& imaging,
                               bool skipsDiscarded, Decisions& d, const Progress& progress);
  void addTrajectory(const std::filesystem::path& file, Decisions& d, const Progress& progress);
  void addWeights(const std::filesystem::path& file, Decisions& d, const Progress& progress);
  std::vector<std::int64_t> imagingOf(const Decisions& d, bool& skipsDiscarded) const;

  AcquisitionSource& inner_;
  std::vector<AcquisitionHead> heads_;
  // By acquisition, for all its samples, 0 for the discarded ones: trajectories_ [sample,
  // columns_], which replaces the scan file's, and weights_ [sample], which becomes one more
  // column.
  std::map<std::int64_t, std::vector<float>> trajectories_, weights_;
  int columns_ = 0;  // of trajectories_; 0: they are empty, the scan file's trajectory holds
};

}  // namespace spokelab
