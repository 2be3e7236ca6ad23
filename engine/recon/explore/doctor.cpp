#include "engine/recon/explore/doctor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/run/run_job.h"

namespace spokelab {
namespace {

constexpr std::array<const char*, 12> visibleTopics = {
    "array-axes",   "k-unit", "k-range",  "axes",    "third-dimension", "fourth-dimension",
    "oversampling", "matrix", "reversed", "discard", "weights",         "fov-shift"};
constexpr const char* axesTopic = "array-axes";
constexpr std::int64_t minPoints = 64;

std::vector<int> strongestCoils(const Scan& scan, int count) {
  std::vector<double> energy(std::size_t(scan.coils));
  for (int c = 0; c < scan.coils; ++c) {
    const cfloat* data = scan.data(0, 0, c);
    for (std::int64_t j = 0; j < scan.trajectory(0).samples(); ++j)
      energy[std::size_t(c)] += std::norm(cdouble(data[j]));
  }
  std::vector<int> order(std::size_t(scan.coils));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return energy[std::size_t(a)] > energy[std::size_t(b)]; });
  order.resize(std::size_t(std::min(count, scan.coils)));
  return order;
}

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

// One frame and the middle slice, by the decisions of a first look.
ReadOptions oneImage(const ReadOptions& options, const Scan& first) {
  ReadOptions one = options;
  if (first.frames > 1) one.overrides["read-frames"] = "0";
  if (first.slices > 1) one.overrides["read-slices"] = std::to_string(first.slices / 2);
  return one;
}

class Doctor {
 public:
  Doctor(Backend& backend, const DoctorOptions& options) : backend_(backend), options_(options) {
    // A fixed plan: nothing is tuned for a thumbnail.
    setAccuracy(recon_, 1e-2);
    recon_.nufft.alpha = 2;
    recon_.nufft.width = 4;
    recon_.backend = backend.name();
  }

  std::shared_ptr<const Image> picture(const Scan& scan, const Progress& progress) {
    const Scan small = lowResolutionScan(scan, scan.dims() == 3 ? options_.volumeSize : options_.planarSize,
                                         options_.strongestCoils);
    const Reconstruction result = runJob(backend_, small, recon_, nullptr, nullptr, progress);
    if (result.cancelled || !result.image) throw Cancelled{};
    return result.image;
  }

 private:
  Backend& backend_;
  const DoctorOptions& options_;
  ReconOptions recon_;
};

// The object's middle, mm from the centre along the image's axes; empty at the centre.
std::string offsetOfObject(const Image& image, int dims) {
  constexpr double aside = 0.04;  // of the field of view
  Vec3 sum{};
  double total = 0;
  for (std::int64_t i = 0; i < image.volume(); ++i) {
    const double m = std::norm(cdouble(image.data[std::size_t(i)]));
    const Index3 n{i % image.size[0], i / image.size[0] % image.size[1], i / (image.size[0] * image.size[1])};
    for (std::size_t d = 0; d < 3; ++d) sum[d] += m * double(n[d] - image.size[d] / 2);
    total += m;
  }
  if (!(total > 0)) return "";
  bool far = false;
  std::string text;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    const double part = sum[d] / total / double(image.size[d]);
    far = far || std::abs(part) > aside;
    text += (d ? "," : "") + numberText(part * image.geometry.fov[d], 3);
  }
  return far ? text : "";
}

}  // namespace

Scan lowResolutionScan(const Scan& scan, std::int64_t size, int coils) {
  const Trajectory& t = scan.trajectory(0);
  Scan small;
  small.name = scan.name;
  small.geometry = scan.geometry;
  small.geometry.frames.clear();
  small.geometry.sliceDirections.clear();
  if (scan.slices > 1) small.geometry.slicePositions.resize(1);
  Vec3 edge{};
  for (std::size_t d = 0; d < std::size_t(t.dims); ++d) {
    small.geometry.matrix[d] = std::min(size, scan.geometry.matrix[d]);
    edge[d] = double(small.geometry.matrix[d]) / 2;
  }
  Trajectory& low = small.trajectories.emplace_back();
  low.dims = t.dims;
  std::vector<std::int64_t> lowSamples;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s) {
    for (std::int64_t j = t.shotOffsets[s]; j < t.shotOffsets[s + 1]; ++j) {
      const double* point = t.points.data() + j * t.dims;
      bool inside = true;
      for (int c = 0; c < t.dims; ++c) inside = inside && std::abs(point[c]) <= edge[std::size_t(c)];
      if (!inside) continue;
      lowSamples.push_back(j);
      low.points.insert(low.points.end(), point, point + t.dims);
      if (!t.weights.empty()) low.weights.push_back(t.weights[std::size_t(j)]);
    }
    if (std::int64_t(lowSamples.size()) > low.shotOffsets.back())
      low.shotOffsets.push_back(std::int64_t(lowSamples.size()));
  }
  if (std::int64_t(lowSamples.size()) < minPoints)
    throw Error("Cannot reconstruct " + scan.name,
                "only " + std::to_string(lowSamples.size()) + " of its points lie within the matrix",
                "Set the decisions matrix or k-unit so that the points fit");
  const std::vector<int> chosen = strongestCoils(scan, coils);
  small.coils = int(chosen.size());
  auto& samples = small.samples.emplace_back();
  samples.reserve(lowSamples.size() * chosen.size());
  for (const int c : chosen)
    for (const std::int64_t j : lowSamples) samples.push_back(scan.data(0, 0, c)[j]);
  validate(small);
  return small;
}

Image middleSlice(const Image& image) {
  Image slice;
  slice.size = {image.size[0], image.size[1], 1};
  slice.geometry = image.geometry;
  slice.geometry.matrix = slice.size;
  slice.geometry.frames.clear();
  slice.geometry.sliceDirections.clear();
  slice.name = image.name;
  const cfloat* begin = image.data.data() + image.size[2] / 2 * image.size[0] * image.size[1];
  slice.data.assign(begin, begin + image.size[0] * image.size[1]);
  return slice;
}

std::vector<Reading> otherReadings(const std::filesystem::path& file, const ReadOptions& options,
                                   Backend& backend, const DoctorOptions& doctorOptions,
                                   const Progress& progress,
                                   const std::function<void(const Reading&)>& seen) {
  constexpr double firstShare = 0.2;
  std::shared_ptr<const Scan> now = readScan(file, options, progress.part(0, firstShare));
  if (now->path.empty())
    throw Error("Cannot read " + now->name + " in other ways", "it was made, not read",
                "Open a scan from a file");
  const ReadOptions one = oneImage(options, *now);
  if (one.overrides != options.overrides) now = readScan(file, one, progress.part(0, firstShare));
  Doctor doctor(backend, doctorOptions);

  std::vector<Reading> readings;
  const auto add = [&](Reading reading) {
    if (seen) seen(reading);
    readings.push_back(std::move(reading));
  };
  add({"", "", "as it is read now", doctor.picture(*now, progress.part(firstShare, firstShare)), ""});

  struct Proposal {
    std::string topic, choice, evidence;
  };
  std::vector<Proposal> proposals;
  const auto isAsked = [&wanted = doctorOptions.topics](const char* topic) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), topic) != wanted.end();
  };
  for (const char* topic : visibleTopics) {
    const Decision* d = decisionOn(*now, topic);
    if (!d || !isAsked(topic)) continue;
    for (const std::string& choice : d->alternatives)
      proposals.push_back({topic, choice, "instead of " + d->choice + ": " + d->evidence});
  }
  const std::string offset = offsetOfObject(*readings.front().image, now->dims());
  if (!offset.empty() && isAsked("fov-shift"))
    proposals.push_back({"fov-shift", offset, "moves the middle of the object to the middle of the picture"});
  now.reset();

  for (std::size_t i = 0; i < proposals.size(); ++i) {
    const Proposal& p = proposals[i];
    const double begin = firstShare + (1 - firstShare) * double(i) / double(proposals.size());
    const double end = firstShare + (1 - firstShare) * double(i + 1) / double(proposals.size());
    // Other axes are other frames and slices: their numbers do not carry over.
    ReadOptions other = p.topic == axesTopic ? options : one;
    other.overrides[p.topic] = p.choice;
    Reading reading{p.topic, p.choice, p.evidence, nullptr, ""};
    try {
      const auto scan = readScan(file, other, progress.part(begin, (begin + end) / 2));
      reading.image = doctor.picture(*scan, progress.part((begin + end) / 2, end));
    } catch (const Error& e) {
      reading.failed = e.reason();
    }
    add(std::move(reading));
  }
  return readings;
}

}  // namespace spokelab
