// A Bruker experiment (ParaVision 5 to 360) as acquisitions: readouts of fid or rawdata.job0 with
// counters, places and, where the folder has the file traj, their trajectory; the parameters as a
// header text of ISMRMRD. The number of slices is objects / echoes; ACQ_obj_order sorts them,
// PVM_EncSteps1 and 2 count Cartesian lines. traj: float64 [shot, sample, dimension], as ParaVision
// writes it (-0.5 ... 0.5 for the matrix). If it holds the shots of a stack once, for all
// partitions, readouts get kx and ky, and PVM_EncSteps2 counts kz.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"
#include "engine/scan/formats/acquisitions/file_bytes.h"
#include "engine/scan/formats/acquisitions/stored_acquisitions.h"

namespace spokelab {

class BrukerAcquisitions final : public StoredAcquisitions {
 public:
  // `data`: the experiment's fid or rawdata.job0 (brukerData()). Throws Error.
  explicit BrukerAcquisitions(const std::filesystem::path& data);

  const std::string& xml() const override { return xml_; }
  std::int64_t count() const override { return count_; }
  void readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const override;
  const std::vector<std::string>& arrayNames() const override { return noNames_; }
  const std::vector<std::string>& ignored() const override { return noNames_; }
  const std::vector<std::string>& remarks() const override { return remarks_; }
  void readArray(const std::string& name, std::vector<char>& out) const override;
  // Only readouts that lie within the file are counted.
  void checkLengths(const std::vector<AcquisitionHead>&) const override {}
  void read(AcquisitionMember member, std::int64_t begin, const std::vector<AcquisitionHead>& heads,
            std::span<char> place, const Use& use) const override;

 private:
  void readTrajectory(const std::filesystem::path& file);
  void makeHeader();
  AcquisitionHead headOf(std::int64_t readout) const;
  void placeSlice(AcquisitionHead& head, std::int64_t slice) const;
  void takeSamples(std::int64_t readout, std::vector<char>& bytes, float* values) const;

  FileBytes bytes_;
  BrukerFiles files_;
  BrukerLayout layout_;
  std::int64_t count_ = 0;
  std::vector<double> trajectory_;  // [shot, sample, column]; empty: Cartesian
  std::int64_t trajectoryShots_ = 0, trajectorySamples_ = 0;
  int trajectoryColumns_ = 0;  // in the file
  int columns_ = 0;            // of k that a readout has: a stack's partitions are counted
  std::string xml_;
  std::vector<std::string> remarks_, noNames_;
};

}  // namespace spokelab
