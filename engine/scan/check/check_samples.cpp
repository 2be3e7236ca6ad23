#include "engine/scan/check/check_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "engine/core/measure/rank_test.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

// Sums over the coils of one readout.
struct Readout {
  double energy = 0;
  // Mean power in the inner and the outer half of the readout's own range of |k|.
  double inner = 0, outer = 0;
  double nearest = 0;  // smallest |k|
  std::int64_t centre = 0, peak = 0, count = 0;
  std::uint64_t hash = 0;
};

Readout lookAt(const Scan& scan, int frame, int slice, std::size_t shot) {
  const Trajectory& t = scan.trajectory(frame);
  const std::int64_t first = t.shotOffsets[shot];
  Readout r;
  r.count = t.shotOffsets[shot + 1] - first;
  r.nearest = HUGE_VAL;
  std::vector<double> radius(std::size_t(r.count)), power(std::size_t(r.count));
  double farthest = 0, most = 0;
  constexpr std::uint64_t start = 0xcbf29ce484222325, prime = 0x100000001b3;  // FNV-1a
  r.hash = start;
  for (std::int64_t i = 0; i < r.count; ++i) {
    double square = 0;
    for (int c = 0; c < t.dims; ++c) square += std::pow(t.points[std::size_t((first + i) * t.dims + c)], 2);
    const auto n = std::size_t(i);
    radius[n] = std::sqrt(square);
    for (int coil = 0; coil < scan.coils; ++coil) {
      const cfloat v = scan.data(frame, slice, coil)[first + i];
      power[n] += std::norm(cdouble(v));
      std::uint64_t bits = 0;
      std::memcpy(&bits, &v, sizeof v);
      r.hash = (r.hash ^ bits) * prime;
    }
    r.energy += power[n];
    farthest = std::max(farthest, radius[n]);
    if (radius[n] < r.nearest) {
      r.nearest = radius[n];
      r.centre = i;
    }
    if (power[n] > most) {
      most = power[n];
      r.peak = i;
    }
  }
  double innerCount = 0, outerCount = 0;
  for (std::size_t n = 0; n < radius.size(); ++n) {
    const bool inside = radius[n] < farthest / 2;
    (inside ? r.inner : r.outer) += power[n];
    (inside ? innerCount : outerCount) += 1;
  }
  r.inner /= std::max(1.0, innerCount);
  r.outer /= std::max(1.0, outerCount);
  return r;
}

std::string listText(const std::vector<std::int64_t>& shots) {
  constexpr std::size_t maxShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(maxShown, shots.size()); ++i)
    text += (i ? ", " : "") + std::to_string(shots[i]);
  return shots.size() > maxShown ? text + ", ..." : text;
}

// Readouts on both sides of a stack's centre are equal in |k|, not in value: equal bits are copies.
void checkDoubles(const std::vector<Readout>& readouts, std::vector<Finding>& findings) {
  std::map<std::uint64_t, std::int64_t> seen;
  std::vector<std::int64_t> doubled;
  for (std::size_t s = 0; s < readouts.size(); ++s)
    if (readouts[s].energy > 0 && !seen.try_emplace(readouts[s].hash, std::int64_t(s)).second)
      doubled.push_back(std::int64_t(s));
  if (!doubled.empty())
    findings.push_back({FindingWeight::wrong,
                        countText(std::int64_t(doubled.size()), "readout is a copy", "readouts are copies") +
                            " of another one",
                        "the same samples, bit by bit (readouts " + listText(doubled) + ")",
                        "Look for a buffer that was sent twice"});
}

void checkEchoes(const std::vector<Readout>& readouts, std::vector<Finding>& findings) {
  constexpr double throughCentre = 1, oneSample = 1;  // cycles/FOV; samples
  constexpr std::size_t minReadouts = 8;
  std::vector<double> offsets;
  for (const Readout& r : readouts) {
    const bool inside = r.centre > r.count / 8 && r.centre < r.count - r.count / 8;
    if (r.energy > 0 && r.nearest < throughCentre && inside) offsets.push_back(double(r.peak - r.centre));
  }
  if (offsets.size() < minReadouts) return;
  const double typical = medianOf(offsets);
  std::vector<double> apart;
  for (const double o : offsets) apart.push_back(std::abs(o - typical));
  const std::string reason = "over " + std::to_string(offsets.size()) +
                             " readouts through the centre the strongest sample is " + numberText(typical) +
                             " samples from k = 0 (median; typical deviation " + numberText(medianOf(apart)) +
                             ")";
  if (std::abs(typical) > oneSample)
    findings.push_back(
        {FindingWeight::suspicious, "The echoes lie beside k = 0", reason,
         "Check delays of gradient and receiver, and whether samples and trajectory run the same way"});
}

}  // namespace

void checkReadouts(const Scan& scan, std::vector<Finding>& findings, const Progress& progress) {
  for (int f = 0; f < scan.frames; ++f) {
    double frameEnergy = 0;
    for (int z = 0; z < scan.slices; ++z) {
      std::vector<Readout> readouts;
      const auto shots = std::size_t(scan.trajectory(f).shots());
      for (std::size_t s = 0; s < shots; ++s) {
        progress.report(
            (double(f * scan.slices + z) + double(s) / double(shots)) / (double(scan.frames) * scan.slices),
            "Looking at readouts");
        readouts.push_back(lookAt(scan, f, z, s));
        frameEnergy += readouts.back().energy;
      }
      const std::string where = scan.frames * scan.slices > 1
                                    ? " (frame " + std::to_string(f) + ", slice " + std::to_string(z) + ")"
                                    : "";
      std::vector<std::int64_t> empty, flat;
      constexpr double throughCentre = 2, rises = 2;
      for (std::size_t s = 0; s < readouts.size(); ++s) {
        const Readout& r = readouts[s];
        if (r.energy == 0)
          empty.push_back(std::int64_t(s));
        else if (r.nearest < throughCentre && r.count > 8 && r.inner < rises * r.outer)
          flat.push_back(std::int64_t(s));
      }
      if (!empty.empty())
        findings.push_back(
            {FindingWeight::wrong,
             countText(std::int64_t(empty.size()), "readout holds", "readouts hold") + " only zeros" + where,
             "readouts " + listText(empty), "Leave them out, or measure again"});
      if (!flat.empty())
        findings.push_back(
            {FindingWeight::suspicious,
             countText(std::int64_t(flat.size()), "readout looks", "readouts look") + " like noise" + where,
             "they pass k = 0, but their signal does not rise there (readouts " + listText(flat) + ")",
             "Look for noise or dummy readouts that are not flagged"});
      checkDoubles(readouts, findings);
      checkEchoes(readouts, findings);
      // The same finding in every frame shall not fill ten pages.
      constexpr std::size_t maxFindings = 20;
      if (findings.size() > maxFindings) return;
    }
    if (frameEnergy == 0)
      findings.push_back({FindingWeight::wrong, "Frame " + std::to_string(f) + " holds only zeros",
                          "no sample differs from 0", "Leave it out"});
  }
}

namespace {

// The values of a coil that equal its largest: many different samples share one part if a receiver
// clips. The same sample measured again and again (k = 0 of each spoke) counts as one.
class LargestValues {
 public:
  void add(const cfloat& value, const double* point, int dims) {
    for (const float part : {std::abs(value.real()), std::abs(value.imag())}) {
      if (part > largest_) {
        largest_ = part;
        count_ = 0;
        different_.clear();
      }
      if (part != largest_) continue;
      ++count_;
      if (different_.size() >= minDifferent) continue;
      Sample sample{value.real(), value.imag()};
      std::copy_n(point, dims, sample.begin() + 2);
      different_.insert(sample);
    }
  }
  float largest() const { return largest_; }
  std::int64_t count() const { return count_; }
  bool clipped(std::int64_t samples) const {
    return largest_ > 0 && different_.size() >= minDifferent && count_ * 2 < samples;
  }

 private:
  static constexpr std::size_t minDifferent = 16;
  using Sample = std::array<double, 5>;  // real and imaginary part, and the point

  float largest_ = 0;
  std::int64_t count_ = 0;
  std::set<Sample> different_;
};

}  // namespace

void checkCoils(const Scan& scan, std::vector<Finding>& findings, const Progress& progress) {
  constexpr double weakEnergyRatio = 1e-3, loudEnergyRatio = 1e3;
  std::vector<double> energy(std::size_t(scan.coils));
  for (int coil = 0; coil < scan.coils; ++coil) {
    progress.report(double(coil) / scan.coils, "Looking at coils");
    LargestValues largest;
    std::int64_t samples = 0;
    for (int f = 0; f < scan.frames; ++f)
      for (int z = 0; z < scan.slices; ++z) {
        progress.checkpoint();
        const cfloat* data = scan.data(f, z, coil);
        const Trajectory& t = scan.trajectory(f);
        const std::int64_t n = t.samples();
        samples += n;
        for (std::int64_t j = 0; j < n; ++j) {
          energy[std::size_t(coil)] += std::norm(cdouble(data[j]));
          largest.add(data[j], t.points.data() + j * t.dims, t.dims);
        }
      }
    if (largest.clipped(samples))
      findings.push_back({FindingWeight::suspicious, "Coil " + std::to_string(coil) + " looks clipped",
                          countText(largest.count(), "value equals", "values equal") + " its largest, " +
                              numberText(double(largest.largest())),
                          "Lower the receiver gain and measure again"});
  }
  const double typical = medianOf(energy);
  for (int coil = 0; coil < scan.coils; ++coil) {
    const double e = energy[std::size_t(coil)];
    const std::string name = "Coil " + std::to_string(coil);
    if (e == 0)
      findings.push_back(
          {FindingWeight::wrong, name + " holds no signal", "all of its samples are 0", "Leave it out"});
    else if (typical > 0 && (e < weakEnergyRatio * typical || e > loudEnergyRatio * typical))
      findings.push_back({FindingWeight::suspicious,
                          name + (e < typical ? " is nearly silent" : " is far louder than the others"),
                          "its energy is " + numberText(e / typical) + " of the median coil's",
                          "Check its cable and its gain, or leave it out"});
  }
}

}  // namespace spokelab
