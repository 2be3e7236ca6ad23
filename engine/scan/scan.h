// A scan as it was measured: samples, trajectory, geometry, and the reader's decisions about its
// file. Immutable once read; shared by const pointer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/scan/frame_axes.h"

namespace spokelab {

// Values where they are kept, in the precision in which they are kept (std::visit).
using ComplexPointer = std::variant<const cfloat*, const cdouble*>;

// Unit vectors along which an image's axes run in the patient: LPS.
struct Directions {
  Vec3 read{1, 0, 0}, phase{0, 1, 0}, slice{0, 0, 1};
  bool operator==(const Directions&) const = default;
};

// The image's place in the patient: LPS, mm (ISMRMRD's convention). Slices may have any order and
// distance: engine/scan/place/image_groups.h finds groups that an affine describes.
struct Geometry {
  Index3 matrix{1, 1, 1};  // pixels along x (read), y (phase), z (partition); z = 1 for 2-D
  Vec3 fov{0, 0, 0};       // mm along x, y, z
  Vec3 readDirection{1, 0, 0}, phaseDirection{0, 1, 0}, sliceDirection{0, 0, 1};  // unit vectors
  // Centre of each slice (2-D) or of the volume (3-D), mm.
  std::vector<Vec3> slicePositions{{0, 0, 0}};
  // True where the file gave no geometry: pixels of 1 mm and the patient's axes were assumed.
  bool nominal = false;
  // Directions of each slice where they differ from slice to slice. Empty: those above hold for
  // all.
  std::vector<Directions> sliceDirections;
  // Geometry of each frame where frames lie at different places; this one is then the first
  // frame's. Empty: this one holds for all.
  std::vector<Geometry> frames;

  bool operator==(const Geometry&) const = default;
  const Geometry& ofFrame(int frame) const {
    return std::size_t(frame) < frames.size() ? frames[std::size_t(frame)] : *this;
  }
  Directions directionsOf(std::size_t slice) const {
    if (slice < sliceDirections.size()) return sliceDirections[slice];
    return {readDirection, phaseDirection, sliceDirection};
  }
  void setDirections(const Directions& d) {
    readDirection = d.read;
    phaseDirection = d.phase;
    sliceDirection = d.slice;
  }
  Vec3 voxel() const {
    return {fov[0] / double(matrix[0]), fov[1] / double(matrix[1]), fov[2] / double(matrix[2])};
  }
};

// Turns of phase r^T S r of a place r in m, in the patient's axes, with the matrix S in turns/m²:
// xx = yy, zz, xz, yz. A sample's factor is e^{-2πi r^T S r}. Concomitant fields make such phases
// (read/correct/concomitant.h).
struct SecondOrder {
  double xx = 0, zz = 0, xz = 0, yz = 0;

  Vec3 times(const Vec3& r) const {
    return {xx * r[0] + xz * r[2], xx * r[1] + yz * r[2], xz * r[0] + yz * r[1] + zz * r[2]};
  }
  double at(const Vec3& r) const {
    const Vec3 s = times(r);
    return r[0] * s[0] + r[1] * s[1] + r[2] * s[2];
  }
  bool operator==(const SecondOrder&) const = default;
};

// Points [shot, sample, dim] in cycles per field of view (-N/2 ... N/2), interleaved (kx, ky[,
// kz]). Shots may differ in length.
struct Trajectory {
  int dims = 2;
  std::vector<std::int64_t> shotOffsets{0};  // [shots + 1], in samples
  std::vector<double> points;                // [samples, dims]
  // k-space areas (volumes) in (cycles/FOV)^dims from the file, or empty.
  std::vector<double> weights;
  std::vector<double> times;  // seconds after excitation, or empty
  // [sample], or empty: phases of second order about the middle of each slice, or of the volume,
  // that the samples still have. Transforms that know a field take them into account.
  std::vector<SecondOrder> secondOrder;
  // After a selection (engine/recon/prepare/sample_selection.h): the number of each shot in the
  // whole trajectory, which has `wholeShots`. Empty: nothing is left out.
  std::vector<int> shotNumbers;
  std::int64_t wholeShots = 0;

  std::int64_t shots() const { return std::int64_t(shotOffsets.size()) - 1; }
  std::int64_t samples() const { return shotOffsets.back(); }
};

// One thing that a file leaves open and the reader had to decide.
struct Decision {
  std::string topic;     // stable key, e.g. "k-unit", "third-dimension", "matrix", "oversampling"
  std::string choice;    // e.g. "cycles/FOV"
  std::string evidence;  // e.g. "max |k| = 127.5, matrix 256: 0.996 of N/2"
  std::vector<std::string> alternatives;  // other choices, usable as override values for `topic`
  bool overridden = false;                // the user said so
  // The evidence does not settle it: look at the alternatives.
  bool question = false;
  int among = 0;  // read-frames, read-slices: how many the file has
};

// An array that a scan's file holds beside the samples: coil maps, a field map, shot phases, a
// reference.
struct NamedArray {
  std::string name;                 // as in the file: "SENSEMap", "FieldMap", "PhaseMaps"
  std::vector<std::int64_t> shape;  // slowest axis first
  Buffer<cfloat> values;
  bool complex = false;  // false: the imaginary parts are 0 because the file holds real numbers
};

struct Scan {
  std::string name;  // for titles: file name without folder, or a built-in scan's
  std::string path;  // empty for generated scans
  Geometry geometry;
  int coils = 1;
  int slices = 1;       // 2-D slices; 1 for 3-D
  int frames = 1;       // repetitions, phases, contrasts, sets
  FrameAxes frameAxes;  // what they are, one place for each; empty: unknown
  // One trajectory shared by all frames, or one for each frame. Slices share them.
  std::vector<Trajectory> trajectories;
  // Per frame: [slice, coil, sample]; sample as in that frame's trajectory.
  std::vector<Buffer<cfloat>> samples;
  // The same in double precision where the file's numbers may not fit into floats, else empty.
  // Views and jobs in single precision look at `samples`, which is always there.
  std::vector<Buffer<cdouble>> doubleSamples;
  // [frame][shot]: seconds from the first shot of the scan to each (of the first slice); empty: the
  // file has no stamps.
  std::vector<std::vector<double>> shotTimes;
  Buffer<cfloat> noise;  // noise readouts [coil, sample], or empty
  std::string header;    // the raw XML header, or empty
  // Arrays as the file holds them, in the units that the field's programs write.
  std::vector<NamedArray> arrays;
  std::vector<Decision> decisions;
  std::vector<std::string> warnings;
  std::string fingerprint;  // of the file (remembered_choices.h), or empty

  static constexpr double bytesPerSample(bool inDouble) {
    return sizeof(cfloat) + (inDouble ? sizeof(cdouble) : 0);
  }

  int dims() const { return trajectories.front().dims; }
  const Trajectory& trajectory(int frame) const {
    return trajectories.size() == 1 ? trajectories.front() : trajectories[std::size_t(frame)];
  }
  // Complex = cdouble: only where isDouble().
  template <class Complex = cfloat>
  const Complex* data(int frame, int slice, int coil) const {
    const std::int64_t first = offset(frame, slice, coil);
    if constexpr (std::is_same_v<Complex, cdouble>)
      return doubleSamples[std::size_t(frame)].data() + first;
    else
      return samples[std::size_t(frame)].data() + first;
  }
  template <class Complex = cfloat>
  Complex* data(int frame, int slice, int coil) {
    return const_cast<Complex*>(std::as_const(*this).data<Complex>(frame, slice, coil));
  }
  bool isDouble() const { return !doubleSamples.empty(); }
  // Room for the samples of a frame, contents undefined.
  void makeRoom(int frame, std::int64_t values, bool inDouble);
  // Values for a job in this precision: in double as the file holds them, else as floats.
  template <class Real>
  ComplexPointer values(int frame, int slice, int coil) const {
    if (std::is_same_v<Real, float> || !isDouble()) return data(frame, slice, coil);
    return data<cdouble>(frame, slice, coil);
  }
  // Calls use(samples of the coil) for the buffer, or for both, that hold them.
  template <class Use>
  void change(int frame, int slice, int coil, const Use& use) {
    use(data(frame, slice, coil));
    if (isDouble()) use(data<cdouble>(frame, slice, coil));
  }

 private:
  std::int64_t offset(int frame, int slice, int coil) const {
    return (std::int64_t(slice) * coils + coil) * trajectory(frame).samples();
  }
};

// Complex image [frame, slice or z, y, x], x fastest. Pixel (x, y, z) is (n - floor(N/2)) voxels
// from the centre along read, phase, slice direction.
struct Image {
  int frames = 1;
  FrameAxes frameAxes;   // what the frames are, one place for each; empty: unknown
  Index3 size{1, 1, 1};  // x, y, and z or slices
  Buffer<cfloat> data;
  // The same in double precision where a job or file made it so, else empty. Views look at `data`,
  // which is always there; files, comparisons and further jobs take values().
  Buffer<cdouble> doubleData;
  Geometry geometry;
  std::string name;
  // The lines that outputs carry: one each for file, decisions and program.
  std::vector<std::string> provenance;

  std::int64_t volume() const { return product(size); }
  const cfloat* frame(int f) const { return data.data() + f * volume(); }
  bool isDouble() const { return !doubleData.empty(); }
  ComplexPointer values() const {
    if (isDouble()) return doubleData.data();
    return data.data();
  }
  cdouble value(std::size_t i) const { return isDouble() ? doubleData[i] : cdouble(data[i]); }
  // The buffer that a job in this precision fills; settle() follows.
  template <class Real>
  std::complex<Real>* buffer() {
    if constexpr (std::is_same_v<Real, double>)
      return doubleData.data();
    else
      return data.data();
  }
  // Room for all pixels of all frames, contents undefined; `inDouble`: in both precisions. Throws
  // Error where memory does not suffice.
  void makeRoom(bool inDouble, const std::string& problem, const std::string& remedy);
  // Rounds `data` from doubleData, where that is there.
  void settle();
  // Keeps the first frames only.
  void keepFrames(int count);
};

// An image of zeros for `frames` frames and these slices of `scan` (3-D: its whole volume), with
// its name, geometry and provenance. All its frames lie where frame `place` of the scan does.
// Throws Error where memory doesn't suffice.
std::shared_ptr<Image> makeImage(const Scan& scan, int frames, const std::vector<int>& slices,
                                 bool inDouble = false, int place = 0);

// The part of a scan's geometry that these frames and slices have (3-D: the volume whatever the
// slices), in the order given.
Geometry geometryOf(const Scan& scan, const std::vector<int>& frames, const std::vector<int>& slices);

// Adds the places of `count` frames of `more` behind `frames` frames of `geometry`.
void appendFrames(Geometry& geometry, int frames, const Geometry& more, int count);

// An image without place or size in the patient: one frame, FOV in pixels. Its data are the
// caller's to make.
Image nominalImage(const Index3& matrix, std::string name);

// "topic = choice (evidence)" for each decision, after the file: the text that a result keeps about
// its origin.
std::vector<std::string> provenanceOf(const Scan& scan);

// A scan to be made from this one: all but trajectories, samples, times of shots and noise, which
// are the caller's.
std::shared_ptr<Scan> describedAs(const Scan& scan);

// Throws Error where sizes do not fit each other or a coordinate or sample is not finite. Every
// reader and generator ends with it.
void validate(const Scan& scan);

// The same for a reader that knows whether the samples are finite: looking at them again can take
// as long as reading the file. A cancel ends it (Cancelled).
void validate(const Scan& scan, bool samplesAreFinite, const Progress& progress);

// True if all of `count` values are finite.
bool allFinite(const cfloat* values, std::int64_t count);
bool allFinite(const cdouble* values, std::int64_t count);

}  // namespace spokelab
