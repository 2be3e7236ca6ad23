// The steps from an ISMRMRD file to a Scan. Each looks at what the file leaves open, settles it with its
// evidence, and hands a value to the next: header -> selection -> raw trajectory -> columns -> axes ->
// space -> groups -> Scan. Plain arrays (read_arrays.cpp) take the same road from the columns on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition_source.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {

// Collects what was decided. A topic's override wins over the automatic choice.
class Decisions {
 public:
  // Throws Error for an unknown topic, or a choice that the topic's fixed list does not have.
  Decisions(const ReadOptions& options, std::string problem);

  // A choice that comes from elsewhere than the user's overrides, which win: "remembered", "from the description".
  void suggest(const std::string& topic, const std::string& choice, const std::string& origin);

  // Records and returns the choice: the override if there is one, else `automatic`. `question`: the evidence does
  // not settle it.
  std::string settle(const std::string& topic, const std::string& automatic, const std::string& evidence,
                     std::vector<std::string> alternatives, bool question = false);
  // A finding that cannot be overridden.
  void note(const std::string& topic, const std::string& choice, const std::string& evidence);
  void warn(const std::string& text) { warnings.push_back(text); }
  // The override or suggestion for `topic`, or "".
  std::string override(const std::string& topic) const;
  // "Cannot read <file>"
  const std::string& problem() const { return problem_; }

  std::vector<Decision> made;
  std::vector<std::string> warnings;

 private:
  struct Given {
    std::string choice, origin;
  };
  void check(const std::string& topic, const std::string& choice) const;

  std::map<std::string, Given> given_;
  std::string problem_;
};

struct EncodedSpace {
  Index3 matrix{0, 0, 0};
  Vec3 fov{0, 0, 0};  // mm
};

struct EncodingSpace {
  EncodedSpace encoded, recon;
  std::int64_t partitionCentre = -1;  // kspace_encoding_step_2, -1: not given
  std::string trajectory;
};

struct MrdHeader {
  std::vector<EncodingSpace> encodings;
  std::string unitRemark;  // what a user parameter says about the unit of k, or ""
};
MrdHeader parseMrdHeader(const std::string& xml, const std::string& problem);

// Which acquisitions make the image.
struct Selection {
  std::size_t encoding = 0;
  std::vector<std::int64_t> imaging, noise;  // indices into heads, ascending
  int coils = 1;
  int columns = 0;      // numbers a sample in the stored trajectory
  bool discard = true;  // apply discard_pre and discard_post
};
Selection selectAcquisitions(const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
                             Decisions& d);

// Samples of an acquisition that are kept: [first, first + count).
struct SampleRange {
  std::int64_t first = 0, count = 0;
};
SampleRange keptSamples(const AcquisitionHead& head, bool discard);

// The stored trajectory of the imaging acquisitions, kept samples only, as it is in the file.
struct RawTrajectory {
  int columns = 0;
  std::vector<std::int64_t> offsets{0};  // [imaging + 1], in samples
  std::vector<float> values;             // [sample, column]

  std::int64_t samples() const { return offsets.back(); }
  float at(std::int64_t sample, int column) const { return values[std::size_t(sample * columns + column)]; }
};
RawTrajectory readTrajectory(AcquisitionSource& file, const Selection& selection, const Decisions& d,
                             const Progress& progress);

// What the columns of the trajectory mean. -1: there is none.
struct Columns {
  int dims = 2;        // of k, the first columns
  int partition = -1;  // >= 0: kz is not stored but counted by kspace_encode_step_2, with this centre
  int weight = -1, time = -1;
};
Columns decideColumns(const RawTrajectory& raw, const Selection& selection,
                      const std::vector<AcquisitionHead>& heads, const EncodingSpace& space, Decisions& d);

// Which stored column is which axis, and which are turned round; puts raw's first `dims` columns into order.
void decideAxes(RawTrajectory& raw, int dims, const EncodingSpace& space, Decisions& d);

constexpr double beyondBandEdge = 1.1;  // |k| may exceed N/2 by a little

// Largest |stored coordinate| of each of the first `dims` columns.
Vec3 largestCoordinates(const RawTrajectory& raw, int dims);

struct UnitFit {
  Vec3 perMm{};                // stored coordinate x this = cycles/mm
  double coverage = 0;         // largest |k| over N/2
  bool wholeMultiple = false;  // a whole multiple of N/2
};
UnitFit decideUnit(const Vec3& largest, int dims, const EncodingSpace& space, bool nominalFov,
                   const std::string& remark, Decisions& d);

// The image's grid and the factors that turn stored coordinates into cycles/FOV of that grid.
struct ImageSpace {
  Index3 matrix{1, 1, 1};
  Vec3 fov{1, 1, 1};
  Vec3 scale{1, 1, 1};
  bool nominal = false;  // the field of view was assumed
};
ImageSpace decideSpace(const RawTrajectory& raw, const Columns& columns, const EncodingSpace& space,
                       std::int64_t partitions, const std::string& unitRemark, Decisions& d);

// Positions in Selection::imaging, [frame][slice][shot].
struct Groups {
  std::vector<std::vector<std::vector<std::size_t>>> lines;
  bool sharedTrajectory = true;    // all frames have the same points
  bool slicesAreFrames = false;    // slices with trajectories of their own, or slabs
  std::vector<int> sliceCounters;  // the slice counter of each slice
  int averages = 1;                // repeated measurements merged into a frame
};
Groups groupAcquisitions(const RawTrajectory& raw, const Columns& columns, const Selection& selection,
                         const std::vector<AcquisitionHead>& heads, const ImageSpace& space, Decisions& d);

// Keeps the frames and slices asked for (decisions read-frames and read-slices).
void keepAskedFor(Groups& groups, Decisions& d);

Geometry decideGeometry(const Groups& groups, const Selection& selection,
                        const std::vector<AcquisitionHead>& heads, const ImageSpace& space, int dims,
                        Decisions& d);

// Points, weights and times of one frame.
Trajectory buildTrajectory(const RawTrajectory& raw, const Columns& columns, const Selection& selection,
                           const std::vector<AcquisitionHead>& heads, const ImageSpace& space,
                           const Groups& groups, std::size_t frame);
// Scales the weights to the area (volume) that the samples cover; empties useless ones.
void normaliseWeights(std::vector<Trajectory>& trajectories, Decisions& d);

// Shots flagged as reversed: turns their samples round where the signal says that the trajectory was not
// turned.
void settleReversed(Scan& scan, const Groups& groups, const Selection& selection,
                    const std::vector<AcquisitionHead>& heads, Decisions& d);

// Whether the samples still carry the offset of the field of view; takes it out.
void settleFovShift(Scan& scan, Decisions& d);

// What the steps above have found out.
struct Interpretation {
  Selection selection;
  RawTrajectory raw;
  Columns columns;
  ImageSpace space;
  Groups groups;
};

// decideColumns() to groupAcquisitions(), for values whose selection and trajectory are there.
void interpret(Interpretation& in, const std::vector<AcquisitionHead>& heads, const MrdHeader& header,
               Decisions& d);

// Everything but the samples, for which it makes room after checking the memory.
std::shared_ptr<Scan> assembleScan(const Interpretation& in, const std::vector<AcquisitionHead>& heads,
                                   const std::filesystem::path& file, Decisions& d, const Progress& progress);

// Where the samples of an acquisition go.
struct Place {
  int frame = -1, slice = 0;  // frame -1: not used
  std::int64_t first = 0;
};
std::vector<Place> placesOf(const Interpretation& in, const Scan& scan);

// When the samples are there: checks them, turns reversed readouts, takes offsets out, hands the decisions over.
void finishScan(Scan& scan, const Interpretation& in, const std::vector<AcquisitionHead>& heads, Decisions& d,
                bool samplesAreFinite, const Progress& progress);

}  // namespace spokelab
