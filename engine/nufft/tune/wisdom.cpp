#include "engine/nufft/tune/wisdom.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/thread_pool.h"
#include "engine/core/user_folder.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/nufft/tune/search/search_record.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// Class of the points' distribution: log2 of the participation ratio over 8^d boxes, from a sample.
// Uniform points are class 0, radial ones 3 or 4, all in one box 3 d.
int distributionClass(std::span<const double> points, int dims) {
  constexpr std::size_t boxes = 8, maxSampled = 8192;
  const std::size_t count = points.size() / std::size_t(dims);
  if (count == 0) return -1;
  std::vector<double> box(std::size_t(std::pow(boxes, dims)), 0.0);
  const std::size_t stride = std::max<std::size_t>(1, count / maxSampled);
  double seen = 0;
  for (std::size_t j = 0; j < count; j += stride) {
    std::size_t index = 0;
    for (std::size_t d = 0; d < std::size_t(dims); ++d) {
      const double k = points[j * std::size_t(dims) + d];
      const double part = k - std::floor(k);
      index = index * boxes + std::min(boxes - 1, std::size_t(std::isfinite(part) ? part * boxes : 0));
    }
    box[index] += 1;
    seen += 1;
  }
  double squares = 0;
  for (const double b : box) squares += b * b;
  // Subtract the unevenness that few points in many boxes show by chance.
  const double uneven = std::max(1.0, (squares - seen) / (seen * seen) * double(box.size()));
  return int(std::lround(std::log2(uneven)));
}

// "1", "4", "1024": powers of two; "many" beyond the count that still makes a difference.
std::string reuseClass(double count) {
  constexpr double maxCount = 4096;
  return count > maxCount ? "many" : std::to_string(std::lround(std::exp2(std::round(std::log2(count)))));
}

int log2Class(std::int64_t n) {
  return n > 0 ? int(std::lround(std::log2(double(n)))) : -1;
}

}  // namespace

fs::path Wisdom::defaultFile() {
  if (const fs::path own = pathVariable("SPOKELAB_WISDOM"); !own.empty()) return own;
  const fs::path cache = userCache();
  return cache.empty() ? fs::path() : cache / "wisdom.json";
}

std::string Wisdom::key(std::span<NufftBackend* const> backends, const TuneRequest& request) {
  const NufftProblem& p = request.problem;
  const std::int64_t points = std::int64_t(request.points.size()) / std::max(1, p.dims);
  NufftOptions options = request.options;
  options.threads = options.threads > 0 ? options.threads : hardwareThreads();
  nlohmann::json j{{"dims", p.dims},
                   {"size", p.size},
                   {"precision", p.precision == Precision::single ? "single" : "double"},
                   {"sign", p.sign},
                   {"measure", p.measure == ErrorMeasure::worstPixel ? "amplitude" : "l2"},
                   {"batch", log2Class(p.batch)},
                   {"points", log2Class(points)},
                   {"distribution", distributionClass(request.points, p.dims)},
                   {"direction", directionName(request.workload.direction)},
                   {"executions", reuseClass(request.workload.executions)},
                   {"pointSets", reuseClass(request.workload.pointSets)},
                   {"onDevice", request.workload.onDevice},
                   {"effort", effortName(request.effort)},
                   {"options", nufftOptionsToJson(options)}};
  if (request.workload.together > 1) j["together"] = reuseClass(request.workload.together);
  if (!request.pathClass.empty()) j["path"] = request.pathClass;
  j["backends"] = fingerprintsOf(backends);
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Wisdom::Wisdom(fs::path file) : file_(std::move(file)) {
  keepFftWisdomBeside(file_);
  if (file_.empty()) {
    warning_ = "Results of tuning are not kept: there is no home folder (HOME is not set)";
    return;
  }
  WisdomContent content = readWisdomFile(file_);
  if (content.state == WisdomFileState::notWisdom) refuse(content);
  entries_ = std::move(content.entries);
  if (!content.usable()) warning_ = "The wisdom file " + file_.string() + " is not used: " + content.problem;
}

// A file that is not wisdom may hold somebody's only measurements, so it is never moved or written.
void Wisdom::refuse(const WisdomContent& content) const {
  throw Error("Cannot keep wisdom in " + file_.string(), content.problem,
              "Name a file of wisdom, or a new one, with --wisdom or SPOKELAB_WISDOM");
}

std::optional<Candidate> Wisdom::find(const std::string& key) const {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return std::nullopt;
  return wisdomCandidate(found->second);
}

void Wisdom::remember(const std::string& key, const Candidate& best) {
  const std::lock_guard guard(mutex_);
  try {
    const std::string value =
        candidateToJson(best).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    entries_[key] = value;
    update([&](WisdomEntries& entries) { entries[key] = value; });
  } catch (const Error& e) {
    warning_ = "The result of tuning is not kept: " + std::string(e.what());
  } catch (const fs::filesystem_error& e) {
    warning_ = "The result of tuning is not kept: " + std::string(e.what());
  }
}

void Wisdom::forget() {
  const std::lock_guard guard(mutex_);
  entries_.clear();
  try {
    fs::remove(SearchRecord::fileBeside(file_));
    forgetFftWisdomBeside(file_);
    if (!fs::exists(file_)) return;
    const WisdomLock lock(file_);
    if (const WisdomContent content = readWisdomFile(file_); content.state == WisdomFileState::notWisdom)
      refuse(content);
    fs::remove(file_);
  } catch (const Error& e) {
    warning_ = e.what();
  } catch (const fs::filesystem_error& e) {
    warning_ = e.what();
  }
}

// Applies a change to the entries joined with the file's. If that fails memory keeps its entries.
void Wisdom::update(const std::function<void(WisdomEntries&)>& change) {
  if (file_.empty()) return change(entries_);
  if (file_.has_parent_path()) fs::create_directories(file_.parent_path());
  const WisdomLock lock(file_);
  WisdomContent onDisk = readWisdomFile(file_);
  if (onDisk.state == WisdomFileState::notWisdom || onDisk.state == WisdomFileState::unreadable)
    refuse(onDisk);
  if (onDisk.state == WisdomFileState::damaged) {
    const fs::path aside = file_.string() + ".aside";
    fs::rename(file_, aside);
    warning_ = "The wisdom file " + file_.string() + " was set aside as " + aside.filename().string() + ": " +
               onDisk.problem;
  }
  WisdomEntries entries = std::move(onDisk.entries);
  entries.insert(entries_.begin(), entries_.end());
  change(entries);
  writeWisdomFile(file_, entries, WisdomUse::kept);
  entries_ = std::move(entries);
}

std::vector<std::string> Wisdom::fingerprintsOf(std::span<NufftBackend* const> backends) {
  std::vector<std::string> fingerprints;
  for (const NufftBackend* b : backends) fingerprints.push_back(b->name() + ": " + b->fingerprint());
  return fingerprints;
}

std::vector<WisdomLine> Wisdom::list(std::span<const std::string> fingerprints) const {
  const std::lock_guard guard(mutex_);
  std::vector<WisdomLine> lines;
  for (const auto& [key, value] : entries_)
    if (const std::optional<Candidate> c = wisdomCandidate(value))
      lines.push_back(describeWisdom(key, *c, fingerprints));
  return lines;
}

WisdomMerge Wisdom::import(const fs::path& from, WisdomRule rule, const Progress& progress) {
  return take(readForeignWisdom(from, progress), rule);
}

WisdomMerge Wisdom::take(const WisdomEntries& theirs, WisdomRule rule) {
  const std::lock_guard guard(mutex_);
  WisdomMerge result;
  try {
    update([&](WisdomEntries& entries) { result = mergeWisdom(entries, theirs, rule); });
  } catch (const fs::filesystem_error& e) {
    throw Error("Cannot keep wisdom in " + file_.string(), e.what(),
                "Choose another place with SPOKELAB_WISDOM or --wisdom");
  }
  return result;
}

std::size_t Wisdom::exportTo(const fs::path& file) const {
  const std::lock_guard guard(mutex_);
  WisdomEntries good;
  mergeWisdom(good, entries_, WisdomRule::theirs);  // leaves implausible entries out
  writeWisdomFile(file, good, WisdomUse::exported);
  return good.size();
}

std::size_t Wisdom::forget(std::span<const std::string> keys) {
  const std::lock_guard guard(mutex_);
  std::size_t forgotten = 0;
  try {
    update([&](WisdomEntries& entries) {
      for (const std::string& key : keys) forgotten += entries.erase(key);
    });
  } catch (const fs::filesystem_error& e) {
    throw Error("Cannot forget wisdom", e.what(), "Check the permissions of " + file_.string());
  }
  return forgotten;
}

std::size_t Wisdom::size() const {
  const std::lock_guard guard(mutex_);
  return entries_.size();
}

WisdomEntries Wisdom::entries() const {
  const std::lock_guard guard(mutex_);
  return entries_;
}

std::string Wisdom::warning() const {
  const std::lock_guard guard(mutex_);
  return warning_;
}

}  // namespace spokelab
