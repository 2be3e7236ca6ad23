#include "engine/scan/formats/acquisitions/write_scan.h"

#include <ismrmrd/ismrmrd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/atomic_file.h"
#include "engine/scan/formats/acquisitions/acquisition.h"
#include "engine/scan/formats/acquisitions/acquisition_types.h"
#include "engine/scan/formats/acquisitions/waveforms/hdf5_waveforms.h"
#include "engine/scan/formats/acquisitions/written_header.h"
#include "engine/scan/formats/frames/frame_counters.h"
#include "engine/scan/formats/hdf5/writing_child.h"

namespace spokelab {
namespace {

using Head = ISMRMRD::ISMRMRD_AcquisitionHeader;
constexpr std::int64_t maxUint16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t acquisitionsAtOnce = 256;
constexpr double microsecondsPerSecond = 1e6;

// One acquisition as HDF5 takes it.
struct Record {
  Head head;
  hvl_t trajectory, data;
};

// The acquisition header is packed: its floats may lie at odd places.
void copyVector(const Vec3& from, void* to) {
  const std::array<float, 3> v = {float(from[0]), float(from[1]), float(from[2])};
  std::memcpy(to, v.data(), sizeof v);
}

// Dwell time in microseconds where the times of a shot rise evenly, else 0 (unknown).
float dwellOf(const Trajectory& t, std::int64_t first, std::int64_t count) {
  if (t.times.empty() || count < 2) return 0;
  const auto at = [&](std::int64_t i) { return t.times[std::size_t(first + i)]; };
  const double step = (at(count - 1) - at(0)) / double(count - 1);
  constexpr double tolerance = 1e-3;
  for (std::int64_t i = 1; i < count; ++i)
    if (std::abs(at(i) - at(0) - double(i) * step) > tolerance * step) return 0;
  return float(step * microsecondsPerSecond);
}

std::uint16_t centreSample(const Trajectory& t, std::int64_t first, std::int64_t count) {
  std::int64_t best = 0;
  double least = HUGE_VAL;
  for (std::int64_t i = 0; i < count; ++i) {
    double radius = 0;
    for (int c = 0; c < t.dims; ++c) radius += std::pow(t.points[std::size_t((first + i) * t.dims + c)], 2);
    if (radius < least) {
      least = radius;
      best = i;
    }
  }
  return std::uint16_t(best);
}

// The child's side. The samples come over the socket in order: [frame, slice, shot, coil, sample].
class Writer {
 public:
  Writer(const Scan& scan, bool weights, std::string problem, int socket)
      : scan_(scan),
        weights_(weights && !scan.trajectories.front().weights.empty()),
        seconds_(!scan.trajectories.front().times.empty() && scan.trajectories.front().times.front() != 0),
        problem_(std::move(problem)),
        socket_(socket) {}

  void write(const std::filesystem::path& file) {
    countNoise();
    total_ = noiseLines_;
    for (int f = 0; f < scan_.frames; ++f) total_ += scan_.slices * scan_.trajectory(f).shots();
    Hdf5Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    if (!h5.valid()) fail();  // before another call says something else
    const Hdf5Handle group(H5Gcreate2(h5.get(), "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!group.valid()) fail();
    writeXml(group.get());
    openData(group.get());
    for (std::int64_t i = 0; i < noiseLines_; ++i) addNoise(i);
    for (int f = 0; f < scan_.frames; ++f)
      for (int z = 0; z < scan_.slices; ++z)
        for (std::int64_t s = 0; s < scan_.trajectory(f).shots(); ++s) addShot(f, z, s);
    flush();
    if (!writeWaveforms(group.get(), scan_.arrays)) fail();
    // Flush before the data set is closed: closing would lose its buffered values without an error.
    if (H5Fflush(h5.get(), H5F_SCOPE_GLOBAL) < 0) fail();
    data_ = Hdf5Handle();
  }

 private:
  [[noreturn]] void fail() const { throw hdf5WriteError(problem_); }

  void countNoise() {
    noisePerCoil_ = std::int64_t(scan_.noise.size()) / scan_.coils;
    noiseLines_ = (noisePerCoil_ + maxUint16 - 1) / maxUint16;
  }

  void writeXml(hid_t group) {
    const std::string xml = headerOf(scan_);
    const char* text = xml.c_str();
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    const hsize_t one = 1;
    const Hdf5Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const Hdf5Handle set(
        H5Dcreate2(group, "xml", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!set.valid() || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0) fail();
  }

  void openData(hid_t group) {
    const Hdf5Handle floats(H5Tvlen_create(H5T_NATIVE_FLOAT), H5Tclose), head = acquisitionHeaderType();
    type_ = Hdf5Handle(H5Tcreate(H5T_COMPOUND, sizeof(Record)), H5Tclose);
    H5Tinsert(type_.get(), "head", offsetof(Record, head), head.get());
    H5Tinsert(type_.get(), "traj", offsetof(Record, trajectory), floats.get());
    H5Tinsert(type_.get(), "data", offsetof(Record, data), floats.get());
    const Hdf5Handle packed(H5Tcopy(type_.get()), H5Tclose),
        creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Tpack(packed.get());
    const hsize_t size = hsize_t(total_), most = H5S_UNLIMITED;
    const hsize_t chunk = std::min<hsize_t>(size, acquisitionsAtOnce);
    H5Pset_chunk(creation.get(), 1, &chunk);
    const Hdf5Handle space(H5Screate_simple(1, &size, &most), H5Sclose);
    data_ = Hdf5Handle(
        H5Dcreate2(group, "data", packed.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Dclose);
    if (!data_.valid()) fail();
  }

  Head commonHead(int frame, int slice, std::int64_t samples) const {
    Head head{};
    head.version = 1;
    head.scan_counter = std::uint32_t(written_ + std::int64_t(records_.size()));
    head.number_of_samples = std::uint16_t(samples);
    head.available_channels = head.active_channels = std::uint16_t(scan_.coils);
    const Geometry& g = scan_.geometry.ofFrame(frame);
    const Directions directions = g.directionsOf(std::size_t(slice));
    copyVector(directions.read, head.read_dir);
    copyVector(directions.phase, head.phase_dir);
    copyVector(directions.slice, head.slice_dir);
    copyVector(g.slicePositions[std::size_t(slice)], head.position);
    return head;
  }

  void addNoise(std::int64_t line) {
    const std::int64_t first = line * maxUint16, count = std::min(maxUint16, noisePerCoil_ - first);
    Head head = commonHead(0, 0, count);
    head.flags = std::uint64_t(1) << (ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT - 1);
    const cfloat* noise = scan_.noise.data() + first;
    Buffer<cfloat> samples(std::size_t(count * scan_.coils));
    for (int c = 0; c < scan_.coils; ++c)
      std::copy_n(noise + c * noisePerCoil_, count, samples.begin() + c * count);
    add(head, {}, std::move(samples));
  }

  void addShot(int frame, int slice, std::int64_t shot) {
    const Trajectory& t = scan_.trajectory(frame);
    const std::int64_t first = t.shotOffsets[std::size_t(shot)];
    const std::int64_t count = t.shotOffsets[std::size_t(shot) + 1] - first;
    Head head = commonHead(frame, slice, count);
    // Seconds come fourth: after kz, the weight, or a kz of 0.
    const int columns = seconds_ ? std::max(3, t.dims + (weights_ ? 1 : 0)) + 1 : t.dims + (weights_ ? 1 : 0);
    head.trajectory_dimensions = std::uint16_t(columns);
    head.sample_time_us = dwellOf(t, first, count);
    head.center_sample = centreSample(t, first, count);
    const double seconds = scan_.shotTimes.empty()
                               ? scan_.frameAxes.value(frame, FrameMeaning::time).value_or(0)
                               : scan_.shotTimes[std::size_t(frame)][std::size_t(shot)];
    head.acquisition_time_stamp = std::uint32_t(std::llround(std::max(0.0, seconds) / stampSeconds));
    head.idx.kspace_encode_step_1 = std::uint16_t(shot % (maxUint16 + 1));
    head.idx.slice = std::uint16_t(slice);
    countFrame(head.idx, scan_.frameAxes, frame);
    if (written_ + std::int64_t(records_.size()) + 1 == total_)
      head.flags = std::uint64_t(1) << (ISMRMRD::ISMRMRD_ACQ_LAST_IN_MEASUREMENT - 1);
    std::vector<float> trajectory;
    trajectory.reserve(std::size_t(count) * head.trajectory_dimensions);
    for (std::int64_t j = first; j < first + count; ++j) {
      for (int c = 0; c < t.dims; ++c) trajectory.push_back(float(t.points[std::size_t(j * t.dims + c)]));
      if (weights_) trajectory.push_back(float(t.weights[std::size_t(j)]));
      if (!seconds_) continue;
      if (t.dims == 2 && !weights_) trajectory.push_back(0);
      trajectory.push_back(float(t.times[std::size_t(j)]));
    }
    Buffer<cfloat> samples(std::size_t(count * scan_.coils));
    ChildProcess::receiveBytes(socket_, samples.data(), samples.size() * sizeof(cfloat));
    add(head, std::move(trajectory), std::move(samples));
  }

  void add(const Head& head, std::vector<float> trajectory, Buffer<cfloat> samples) {
    trajectories_.push_back(std::move(trajectory));
    samples_.push_back(std::move(samples));
    records_.push_back({head,
                        {trajectories_.back().size(), trajectories_.back().data()},
                        {2 * samples_.back().size(), samples_.back().data()}});
    if (records_.size() == acquisitionsAtOnce) flush();
  }

  void flush() {
    if (records_.empty()) return;
    const hsize_t begin = hsize_t(written_), count = records_.size();
    const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose),
        memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
    if (H5Dwrite(data_.get(), type_.get(), memory.get(), space.get(), H5P_DEFAULT, records_.data()) < 0)
      fail();
    written_ += std::int64_t(count);
    records_.clear();
    trajectories_.clear();
    samples_.clear();
  }

  const Scan& scan_;
  bool weights_;
  bool seconds_;  // sample times do not start at 0 with the readout: they are written
  std::string problem_;
  int socket_;
  Hdf5Handle type_, data_;
  std::int64_t noisePerCoil_ = 0, noiseLines_ = 0, total_ = 0, written_ = 0;
  std::vector<Record> records_;
  std::vector<std::vector<float>> trajectories_;
  std::vector<Buffer<cfloat>> samples_;
};

// The part of a scan that the child is told; use(value) puts it into the arguments or takes it out.
template <class ScanOrConst, class Traces, class Use>
void describe(ScanOrConst& scan, Traces& traces, const Use& use) {
  use(scan.coils);
  use(scan.slices);
  use(scan.frames);
  describeGeometry(scan.geometry, use);
  use(scan.noise);
  for (auto& t : scan.trajectories) {
    use(t.dims);
    use(t.shotOffsets);
    use(t.points);
    use(t.weights);
    use(t.times);
  }
  for (auto& times : scan.shotTimes) use(times);
  for (auto& trace : traces) {
    use(trace.name);
    use(trace.shape);
    use(trace.values);
  }
  use(scan.frameAxes.places);
  for (auto& axis : scan.frameAxes.axes) {
    use(axis.meaning);
    use(axis.size);
    use(axis.values);
  }
}

void writeDescribed(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string problem, file;
  bool withWeights = false;
  std::size_t trajectories = 0, timed = 0, traces = 0, frameAxes = 0;
  arguments.take(problem);
  arguments.take(file);
  arguments.take(withWeights);
  arguments.take(trajectories);
  arguments.take(timed);
  arguments.take(traces);
  arguments.take(frameAxes);
  Scan scan;
  scan.trajectories.resize(trajectories);
  scan.shotTimes.resize(timed);
  scan.arrays.resize(traces);
  scan.frameAxes.axes.resize(frameAxes);
  describe(scan, scan.arrays, [&](auto& value) { arguments.take(value); });
  Writer(scan, withWeights, problem, socket).write(file);
  sayDone(socket);
}

void sendSamples(const Scan& scan, ChildProcess& child, const Progress& progress) {
  Buffer<cfloat> shot;
  for (int f = 0; f < scan.frames; ++f) {
    const Trajectory& t = scan.trajectory(f);
    for (int z = 0; z < scan.slices; ++z) {
      for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s) {
        if (s % acquisitionsAtOnce == 0)
          progress.report((f + (z + double(s) / double(t.shots())) / scan.slices) / scan.frames,
                          "Writing samples");
        const std::int64_t first = t.shotOffsets[s], count = t.shotOffsets[s + 1] - first;
        shot.resize(std::size_t(count * scan.coils));
        for (int c = 0; c < scan.coils; ++c)
          std::copy_n(scan.data(f, z, c) + first, count, shot.begin() + c * count);
        child.send(shot.data(), shot.size() * sizeof(cfloat), progress);
      }
    }
  }
}

void checkLimits(const Scan& scan, const std::string& problem) {
  std::int64_t longest = 0;
  for (const Trajectory& t : scan.trajectories)
    for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s)
      longest = std::max(longest, t.shotOffsets[s + 1] - t.shotOffsets[s]);
  if (longest > maxUint16)
    throw Error(problem, "a shot has " + std::to_string(longest) + " samples, ISMRMRD holds at most 65535",
                "Use more and shorter shots");
  if (scan.coils > maxUint16 || scan.slices > maxUint16 || scan.frames > maxUint16 + 1 ||
      *std::max_element(scan.geometry.matrix.begin(), scan.geometry.matrix.end()) > maxUint16)
    throw Error(problem, "its matrix or its number of coils, slices or frames is beyond ISMRMRD's 65535",
                "Write a part of the scan, or a smaller matrix");
}

}  // namespace

void writeScan(const Scan& scan, const std::filesystem::path& file, const Progress& progress,
               bool withWeights) {
  const std::string problem = "Cannot write " + file.string();
  validate(scan);
  checkLimits(scan, problem);
  const Trajectory& first = scan.trajectories.front();
  if (withWeights && first.dims == 3 && !first.weights.empty() && !first.times.empty() &&
      first.times.front() != 0)
    throw Error(problem, "a 3-D trajectory has room for weights or times, not for both",
                "Write it without weights, or with times that start at 0");
  progress.report(0, "Writing " + file.filename().string());
  AtomicFile atomic(file, OutputKind::rawData);
  std::vector<NamedArray> traces;
  for (const NamedArray* trace : writtenTraces(scan.arrays)) traces.push_back(*trace);
  ChildArguments arguments;
  arguments.put(problem);
  arguments.put(atomic.path().string());
  arguments.put(withWeights);
  arguments.put(scan.trajectories.size());
  arguments.put(scan.shotTimes.size());
  arguments.put(traces.size());
  arguments.put(scan.frameAxes.axes.size());
  describe(scan, traces, [&](const auto& value) { arguments.put(value); });
  ChildProcess child(problem, freeSpace, maxWritingCpuSeconds, writeDescribed, arguments);
  sendSamples(scan, child, progress);
  awaitDone(child, progress);
  progress.report(1, "Wrote " + file.filename().string());  // the last chance to cancel
  atomic.commit(progress);
}

}  // namespace spokelab
