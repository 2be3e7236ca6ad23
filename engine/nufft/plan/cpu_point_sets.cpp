#include "engine/nufft/plan/cpu_point_sets.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/plan.h"

namespace spokelab {
namespace {

// Measured: two threads are an eighth slower if each has a separate grid.
constexpr int minThreadsSideBySide = 4;

// The workers of the sets: the number of plans side by side, and the threads of each plan.
struct Workers {
  std::int64_t count = 1;
  int threads = 1;
};

// Side by side where most threads get a set and the plans together are small.
Workers workersFor(const NufftProblem& problem, const NufftOptions& options) {
  constexpr std::int64_t maxPlanBytes = std::int64_t(1) << 26;  // about a core's share of the caches
  constexpr std::int64_t memoryShare = 8;                       // of the machine's, for all plans
  const int threads = options.threads > 0 ? options.threads : hardwareThreads();
  const Workers oneByOne{1, threads}, together{std::min<std::int64_t>(problem.sets, threads), 1};
  if (4 * problem.sets < 3 * threads || threads < minThreadsSideBySide) return oneByOne;
  NufftOptions one = options;
  one.threads = 1;
  one.memoryLimit = 0;
  const std::int64_t each = estimateCpuMemory(problem, one, 0);
  const std::int64_t room = options.memoryLimit > 0 ? options.memoryLimit : memoryCapacity() / memoryShare;
  return each > maxPlanBytes || together.count * each > room ? oneByOne : together;
}

NufftOptions workerOptions(const Workers& workers, const NufftOptions& options) {
  NufftOptions own = options;
  own.threads = workers.threads;
  own.memoryLimit = options.memoryLimit / workers.count;
  return own;
}

template <class Real>
std::unique_ptr<Nufft<Real>> makeWorker(NufftProblem problem, const NufftOptions& options) {
  problem.sets = 0;
  if constexpr (std::is_same_v<Real, float>)
    return makeCpuNufftFloat(problem, options);
  else
    return makeCpuNufftDouble(problem, options);
}

template <class Real>
class CpuPointSets final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  CpuPointSets(const NufftProblem& problem, const NufftOptions& options)
      : problem_(problem),
        options_(optionsForSets(problem.sets, options)),
        workers_(workersFor(problem, options_)) {
    const NufftOptions own = workerOptions(workers_, options_);
    for (std::int64_t w = 0; w < workers_.count; ++w)
      plans_.push_back({makeWorker<Real>(problem, own), -1, {}});
    describe();
  }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return offsets_.empty() ? 0 : offsets_.back(); }

  void setPoints(const PlanPoints& given) override {
    const Span call("set points", SpanKind::call);
    const StageTimer timer(Stage::sort);
    const HostPoints hostPoints(given, problem_, threads());
    const std::int64_t oneSet[] = {0, std::int64_t(given.coordinates.size()) / problem_.dims};
    const PlanPoints points(hostPoints.coordinates(), given.offsets.empty() ? oneSet : given.offsets);
    requireFinitePoints(points, problem_.dims, threads());
    requireRoom(points);
    std::vector<std::int64_t> offsets(points.offsets.begin(), points.offsets.end());
    points_.assign(points.coordinates.begin(), points.coordinates.end());
    offsets_.swap(offsets);  // points and offsets change together, or none of them
    for (Worker& worker : plans_) worker.set = -1;
    describe();
  }

  void forward(const Complex* image, Complex* samples, const Execution&) override {
    run([&](Nufft<Real>& plan, std::int64_t set) {
      plan.forward(image + set * imageLength(), samples + problem_.batch * first(set));
    });
  }

  void adjoint(const Complex* samples, Complex* image, const Execution&) override {
    run([&](Nufft<Real>& plan, std::int64_t set) {
      plan.adjoint(samples + problem_.batch * first(set), image + set * imageLength());
    });
  }

  void setWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
    for (Worker& worker : plans_) worker.set = -1;
  }

  void normal(const Complex* in, Complex* out, const Execution&) override {
    requireWeights(weights_.size(), points());
    run([&](Nufft<Real>& plan, std::int64_t set) {
      plan.normal(in + set * imageLength(), out + set * imageLength());
    });
  }

 private:
  struct Worker {
    std::unique_ptr<Nufft<Real>> plan;
    std::int64_t set = -1;  // whose points it has
    StageTimings timings;
  };

  int threads() const { return int(workers_.count) * workers_.threads; }
  std::int64_t imageLength() const { return problem_.batch * problem_.pixels(); }
  std::int64_t first(std::int64_t set) const { return offsets_[std::size_t(set)]; }

  void requireRoom(const PlanPoints& given) const {
    const double bytes = double(given.coordinates.size_bytes());
    requireMemory(bytes - double(points_.size() * sizeof(double)), "Cannot set the points of a transform",
                  countText(given.sets(), "set", "sets") + " of points", "Set fewer sets together");
  }

  void take(Worker& worker, std::int64_t set) const {
    if (worker.set == set) return;
    worker.set = -1;
    const auto dims = std::size_t(problem_.dims), begin = std::size_t(first(set)),
               count = std::size_t(first(set + 1)) - begin;
    worker.plan->setPoints(std::span(points_).subspan(begin * dims, count * dims));
    const bool weighted =
        std::int64_t(weights_.size()) == points();  // normal() refuses weights of other points
    worker.plan->setWeights(weighted ? std::span(weights_).subspan(begin, count) : std::span<double>());
    worker.set = set;
  }

  template <class Work>
  void run(const Work& work) {
    if (offsets_.empty())
      throw Error("The transform has no points", "none were set, or setting them failed", "Set points first");
    const Span call("sets of points", SpanKind::call);
    const bool watched = isWatched(SpanKind::call);
    std::atomic<std::int64_t> next{0};
    parallelTasks(workers_.count, int(workers_.count), [&](std::int64_t w) {
      Worker& worker = plans_[std::size_t(w)];
      worker.timings = {};
      std::optional<StageRecorder> stages;
      if (watched) stages.emplace(worker.timings);
      for (std::int64_t set = next++; set < problem_.sets; set = next++) {
        take(worker, set);
        work(*worker.plan, set);
      }
    });
    if (watched) tellMean();
    describeMemory();
  }

  // Stages of workers side by side count their mean.
  void tellMean() const {
    StageTimings mean;
    for (const Worker& worker : plans_) mean += worker.timings;
    for (double& s : mean.seconds) s /= double(workers_.count);
    tellStages(mean);
  }

  void describe() {
    info_ = plans_.front().plan->info();
    info_.options.threads = threads();
    info_.options.memoryLimit = options_.memoryLimit;
    info_.description += ", " + countText(problem_.sets, "set", "sets") + " of points, " +
                         (workers_.count > 1 ? std::to_string(workers_.count) + " at a time" : "one by one");
    describeMemory();
  }

  void describeMemory() {
    info_.memory = std::int64_t((points_.size() + weights_.size()) * sizeof(double));
    for (const Worker& worker : plans_) info_.memory += worker.plan->info().memory;
  }

  NufftProblem problem_;
  NufftOptions options_;
  Workers workers_;
  std::vector<Worker> plans_;
  PlanInfo info_;
  std::vector<double> points_, weights_;  // of all sets
  std::vector<std::int64_t> offsets_;     // empty: none were set
};

}  // namespace

template <class Real>
std::unique_ptr<Nufft<Real>> makeCpuPointSets(const NufftProblem& problem, const NufftOptions& options) {
  return std::make_unique<CpuPointSets<Real>>(problem, options);
}
template std::unique_ptr<Nufft<float>> makeCpuPointSets(const NufftProblem&, const NufftOptions&);
template std::unique_ptr<Nufft<double>> makeCpuPointSets(const NufftProblem&, const NufftOptions&);

std::int64_t cpuSetsAtOnce(int threads) {
  constexpr std::int64_t setsPerThread = 2;
  const int all = threads > 0 ? threads : hardwareThreads();
  return all < minThreadsSideBySide ? 1 : setsPerThread * all;
}

std::int64_t estimateCpuPointSets(const NufftProblem& problem, const NufftOptions& options,
                                  std::int64_t points) {
  const NufftOptions asked = optionsForSets(problem.sets, options);
  const Workers workers = workersFor(problem, asked);
  return workers.count * estimateCpuMemory(problem, workerOptions(workers, asked), points / problem.sets) +
         points * problem.dims * std::int64_t(sizeof(double));
}

}  // namespace spokelab
