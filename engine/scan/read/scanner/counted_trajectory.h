// A Cartesian trajectory for acquisitions without one, from their counters, as scanners and their
// converters leave Cartesian scans and EPI (decision missing-trajectory). In cycles per encoded
// field of view; read() multiplies by reconstructed / encoded field of view to give cycles/FOV:
//   kx = (sample - center_sample) along the readout, backwards in readouts flagged as reversed, and
//        by the area under the gradient where the header describes ramps that are sampled,
//   ky = kspace_encode_step_1 - its centre,   kz = kspace_encode_step_2 - its centre.
// Siemens' samples turn the other way round, e^{+2 pi i k r} for r along the directions that the
// acquisitions give, so that k is negated there. The image is then at the header's place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/header/decisions.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/steps/select_acquisitions.h"

namespace spokelab {

inline constexpr const char* missingTrajectoryTopic = "missing-trajectory";

// Flag of a readout whose points run backwards as its samples do (a user's flag of ISMRMRD).
inline constexpr std::uint64_t countedBackwardsFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_USER8 - 1);

class CountedTrajectory final : public AcquisitionSource {
 public:
  // Adds nothing where an acquisition has a trajectory, where the header says that shots are not
  // Cartesian (unless the decision says so), or where counters or signal do not look Cartesian.
  // `inner` lives longer than this.
  CountedTrajectory(AcquisitionSource& inner, Decisions& d, const Progress& progress);

  const std::string& xml() const override { return inner_.xml(); }
  const std::vector<AcquisitionHead>& heads() const override {
    return heads_.empty() ? inner_.heads() : heads_;
  }
  void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string& what,
            const Progress& progress, const Use& use) override;

 private:
  void describe(const Selection& s, const EncodingSpace& space);
  // Mean energy of lines near the centre over the outer lines'; nothing if one kind is missing.
  std::optional<double> signalFall(const Selection& s, const Progress& progress);
  void makePoints(const AcquisitionHead& head, std::vector<float>& points) const;
  double along(double fromCentre, int samples) const;

  AcquisitionSource& inner_;
  std::vector<AcquisitionHead> heads_;  // with a trajectory; empty: inner's
  int columns_ = 2;
  Vec3 scale_{1, 1, 1};  // to cycles/FOV, with the sign of k
  double columnsOfSpace_ = 1, lineCentre_ = 0, partitionCentre_ = 0;
  double halfLines_ = 1;
  std::optional<ReadoutRamps> ramps_;
  std::string evidence_;
  bool counts_ = false;  // the counters tell lines apart
};

}  // namespace spokelab
