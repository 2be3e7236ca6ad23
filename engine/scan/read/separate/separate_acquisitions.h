// Acquisitions whose trajectory, density weights or both come from separate files. Shots are
// matched to acquisitions by number, length and order, and a decision shows the match.
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
  // Imaging acquisitions that a file's shots are for, in the order of the shots.
  struct Match {
    std::vector<std::int64_t> acquisitions;
    std::int64_t groups = 1;  // of acquisitions that share the shots
    // The acquisitions group by group, if each has its shot and this order differs from the file's.
    std::vector<std::int64_t> byGroup;
    std::size_t perGroup() const { return acquisitions.size() / std::size_t(groups); }
  };
  Match matchTo(const std::vector<std::int64_t>& imaging, std::int64_t samples, bool discard,
                const std::string& sizes, const std::string& what, Decisions& d) const;
  std::optional<TrajectoryAxes> decideAxes(const GivenTrajectory& t, const std::vector<std::int64_t>& imaging,
                                           bool discard, Decisions& d) const;
  // Decides trajectory-order, and puts the acquisitions into the order of the trajectory's shots.
  void orderShots(const GivenTrajectory& t, Match& match, Decisions& d) const;
  void sortByCounter(Match& match) const;
  std::string differenceText(const GivenTrajectory& t, const std::vector<std::int64_t>& imaging,
                             bool discard) const;
  std::int64_t keptOf(std::int64_t acquisition, bool discard) const;
  GivenTrajectory madeFromName(const std::string& name, std::vector<std::int64_t>& imaging, bool discard,
                               Decisions& d, const Progress& progress);
  void addTrajectory(const std::filesystem::path& file, Decisions& d, const Progress& progress);
  void addWeights(const std::filesystem::path& file, Decisions& d, const Progress& progress);
  std::vector<std::int64_t> imagingOf(const Decisions& d, bool& discard) const;

  AcquisitionSource& inner_;
  std::vector<AcquisitionHead> heads_;
  // [acquisition]: the given numbers of each sample, after the file's numbers if it has some.
  std::map<std::int64_t, std::vector<float>> trajectories_, weights_;
  int columns_ = 0;  // of trajectories_; 0: the file's
};

}  // namespace spokelab
