#include "engine/scan/read/scanner/counted_trajectory.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/array.h"
#include "engine/core/text.h"
#include "engine/scan/read/steps/decide_columns.h"

namespace spokelab {
namespace {

constexpr std::uint64_t reversedFlag = std::uint64_t{1} << (ISMRMRD::ISMRMRD_ACQ_IS_REVERSE - 1);

// The area under the gradient from its begin to `t`, for a flat top of height 1.
double areaTo(const ReadoutRamps& r, double t) {
  const double end = r.rise + r.flat + r.fall;
  t = std::clamp(t, 0.0, end);
  if (t < r.rise) return t * t / (2 * r.rise);
  if (t < r.rise + r.flat) return t - r.rise / 2;
  return r.rise / 2 + r.flat + r.fall / 2 - (end - t) * (end - t) / (2 * r.fall);
}

double centreSampleOf(const AcquisitionHead& head) {
  const int n = head.number_of_samples;
  return head.center_sample > 0 && head.center_sample < n ? head.center_sample : n / 2;
}

std::string rangeText(const std::set<int>& values) {
  const std::string first = std::to_string(*values.begin());
  return values.size() == 1 ? first : first + " ... " + std::to_string(*values.rbegin());
}

}  // namespace

CountedTrajectory::CountedTrajectory(AcquisitionSource& inner, Decisions& d, const Progress& progress)
    : inner_(inner) {
  const auto& heads = inner.heads();
  if (std::any_of(heads.begin(), heads.end(), [](const auto& h) { return h.trajectory_dimensions > 0; }))
    return;
  const MrdHeader header = parseMrdHeader(inner.xml(), d.problem());
  const Selection s = selectWithoutTrajectory(heads, header, d);
  const EncodingSpace& space = header.encodings[s.encoding];
  const bool gridded = space.trajectory == "cartesian" || space.trajectory == "epi";
  const std::string asked = d.override(missingTrajectoryTopic);
  if (!gridded && asked != "counters") return;
  const bool negated = lowerCase(header.vendor).find("siemens") != std::string::npos;
  describe(s, space);
  for (std::size_t i = 0; i < 3; ++i) {
    const double ratio = space.recon.fov[i] / space.encoded.fov[i];
    scale_[i] = (negated ? -1 : 1) * (std::isfinite(ratio) && ratio > 0 ? ratio : 1);
  }
  constexpr double flat = 1.5, clear = 4;
  const std::optional<double> fall = counts_ ? signalFall(s, progress) : std::nullopt;
  const bool cartesian = fall && *fall >= flat, plain = cartesian && *fall >= clear;
  evidence_ += fall
                   ? "; lines near the centre have " + numberText(*fall) + " times the energy of outer ones" +
                         (plain ? "" : ", and in Cartesian scans far more")
                   : "; they do not tell lines near the centre from outer ones";
  if (negated) evidence_ += "; k is negated, as Siemens' samples turn the other way round";
  const std::string choice =
      d.decide(missingTrajectoryTopic, cartesian ? "counters" : "refuse",
               "the header says " + space.trajectory + "; " + evidence_, {"counters", "refuse"}, !plain);
  if (choice != "counters") return;
  heads_ = heads;
  for (const std::int64_t i : s.imaging) {
    AcquisitionHead& head = heads_[std::size_t(i)];
    head.trajectory_dimensions = std::uint16_t(columns_);
    std::uint64_t flags = head.flags;  // a copy: members of a packed struct are not aligned
    // The points run backwards as the samples do: nothing is left to be turned round.
    if ((flags & reversedFlag) != 0) flags = (flags & ~reversedFlag) | countedBackwardsFlag;
    // Partitions under the header of a slice become kz later, by the decision third-dimension.
    if (negated) flags |= countedNegatedFlag;
    head.flags = flags;
  }
  d.suggest("k-unit", "cycles/FOV", "counted");
}

void CountedTrajectory::describe(const Selection& s, const EncodingSpace& space) {
  std::set<int> lines, partitions, samples, centres;
  std::int64_t reversed = 0;
  for (const std::int64_t i : s.imaging) {
    const AcquisitionHead& head = inner_.heads()[std::size_t(i)];
    lines.insert(head.idx.kspace_encode_step_1);
    partitions.insert(head.idx.kspace_encode_step_2);
    samples.insert(head.number_of_samples);
    centres.insert(int(centreSampleOf(head)));
    reversed += (head.flags & reversedFlag) != 0;
  }
  const auto sizeOr = [](std::int64_t size, int otherwise) { return double(size > 1 ? size : otherwise); };
  const auto& matrix = space.encoded.matrix;
  columnsOfSpace_ = sizeOr(matrix[0], *samples.rbegin());
  const double lineCount = sizeOr(matrix[1], *lines.rbegin() + 1);
  const double partitionCount = sizeOr(matrix[2], *partitions.rbegin() + 1);
  columns_ = partitions.size() > 1 && matrix[2] > 1 ? 3 : 2;
  lineCentre_ = space.lineCentre > 0 ? double(space.lineCentre) : std::floor(lineCount / 2);
  partitionCentre_ =
      space.partitionCentre > 0 ? double(space.partitionCentre) : std::floor(partitionCount / 2);
  halfLines_ = lineCount / 2;
  ramps_ = space.ramps;
  counts_ = lines.size() > 1 || partitions.size() > 1;
  evidence_ = "kspace_encode_step_1 counts " + countText(std::int64_t(lines.size()), "line") + " (" +
              rangeText(lines) + ", centre " + numberText(lineCentre_) + " of " + numberText(lineCount) + ")";
  if (columns_ == 3)
    evidence_ += ", kspace_encode_step_2 " + countText(std::int64_t(partitions.size()), "partition") + " (" +
                 rangeText(partitions) + ", centre " + numberText(partitionCentre_) + ")";
  evidence_ +=
      ", " + numberText(double(*samples.rbegin())) + " samples with the centre at " + rangeText(centres);
  if (reversed > 0) evidence_ += "; " + countText(reversed, "readout runs", "readouts run") + " backwards";
  if (ramps_)
    evidence_ += "; samples on the gradient's ramps, which last " + numberText(ramps_->rise) + " and " +
                 numberText(ramps_->fall) + " us";
}

std::optional<double> CountedTrajectory::signalFall(const Selection& s, const Progress& progress) {
  constexpr std::size_t maxLines = 256;
  constexpr double near = 0.1, far = 0.5;  // of the largest |ky|
  std::vector<std::int64_t> central, outer;
  for (const std::int64_t i : s.imaging) {
    const AcquisitionHead& head = inner_.heads()[std::size_t(i)];
    double distance = std::abs(head.idx.kspace_encode_step_1 - lineCentre_) / halfLines_;
    if (columns_ == 3)
      distance = std::max(distance, std::abs(head.idx.kspace_encode_step_2 - partitionCentre_) /
                                        std::max(1.0, partitionCentre_));
    if (distance < near || distance * halfLines_ < 1) central.push_back(i);
    if (distance > far) outer.push_back(i);
  }
  if (central.empty() || outer.empty()) return std::nullopt;
  const auto energy = [&](std::vector<std::int64_t> lines) {
    if (lines.size() > maxLines) {
      const std::size_t step = lines.size() / maxLines;
      for (std::size_t i = 0; i < maxLines; ++i) lines[i] = lines[i * step];
      lines.resize(maxLines);
    }
    std::vector<double> sums(lines.size(), 0);
    inner_.read(AcquisitionMember::data, lines, "Looking at lines", progress,
                [&](std::size_t position, const float* values) {
                  const std::int64_t count =
                      floatsOf(inner_.heads()[std::size_t(lines[position])], AcquisitionMember::data);
                  for (std::int64_t i = 0; i < count; ++i)
                    if (std::isfinite(values[i])) sums[position] += double(values[i]) * double(values[i]);
                });
    double sum = 0;
    for (const double line : sums) sum += line;
    return sum / double(lines.size());
  };
  const double strong = energy(central), weak = energy(outer);
  if (!(weak > 0)) return std::nullopt;
  return strong / weak;
}

// Along a readout of `samples` samples, for a distance from its centre in samples.
double CountedTrajectory::along(double fromCentre, int samples) const {
  // More samples than the encoded matrix has columns are the same band, more densely sampled.
  if (!ramps_) return fromCentre * std::min(1.0, columnsOfSpace_ / samples);
  const ReadoutRamps& r = *ramps_;
  const double window = samples * r.dwell, middle = r.delay + window / 2;
  const double whole = areaTo(r, r.delay + window) - areaTo(r, r.delay);
  return columnsOfSpace_ * (areaTo(r, middle + fromCentre * r.dwell) - areaTo(r, middle)) / whole;
}

void CountedTrajectory::makePoints(const AcquisitionHead& head, std::vector<float>& points) const {
  const int n = head.number_of_samples;
  const double centre = centreSampleOf(head);
  const bool backwards = (head.flags & reversedFlag) != 0;
  const double ky = scale_[1] * (head.idx.kspace_encode_step_1 - lineCentre_);
  const double kz = scale_[2] * (head.idx.kspace_encode_step_2 - partitionCentre_);
  points.resize(std::size_t(n) * std::size_t(columns_));
  for (int i = 0; i < n; ++i) {
    float* const point = points.data() + std::size_t(i) * std::size_t(columns_);
    point[0] = float(scale_[0] * along((backwards ? n - 1 - i : i) - centre, n));
    point[1] = float(ky);
    if (columns_ == 3) point[2] = float(kz);
  }
}

void CountedTrajectory::read(AcquisitionMember member, const std::vector<std::int64_t>& wanted,
                             const std::string& what, const Progress& progress, const Use& use) {
  if (member != AcquisitionMember::trajectory || heads_.empty())
    return inner_.read(member, wanted, what, progress, use);
  std::vector<float> points;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    constexpr std::size_t reportEvery = 256;
    if (i % reportEvery == 0) progress.report(double(i) / double(wanted.size()), what);
    makePoints(inner_.heads()[std::size_t(wanted[i])], points);
    use(i, points.data());
  }
}

}  // namespace spokelab
