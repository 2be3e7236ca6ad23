#include "engine/nufft/tune/plugins/trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "engine/core/error.h"
#include "engine/core/modules/cuda_module.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_nufft.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/nufft/tune/measure_error.h"

namespace spokelab {
namespace {

constexpr std::array<double, 3> tightenings = {1, 1.0 / 3, 0.1};  // of the accuracy asked for
constexpr std::size_t maxTrialPoints = 1 << 18;
constexpr std::int64_t maxTrialBatch = 4;
constexpr unsigned trialSeed = 20;
// The trial measures several errors, so each uses only a part of the tuner's outputs.
constexpr int outputShare = 3, minOutputs = 4;
// Two results within the accuracy differ by at most twice the accuracy; the rest allows for chance.
constexpr double batchTolerance = 4;
constexpr const char* otherBackend = "Choose another backend";

// The plug-in as a backend in the child process, which reports each step.
class TrialBackend final : public NufftBackend {
 public:
  TrialBackend(PluginInfo info, int socket)
      : info_(std::move(info)), code_(std::make_shared<const PluginCode>(info_.code)), socket_(socket) {}
  std::string name() const override { return info_.name; }
  std::string badge() const override { return info_.title(); }
  std::string fingerprint() const override { return info_.fingerprint(); }
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override { return {}; }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const override {
    return {};
  }
  std::int64_t estimateMemory(const NufftProblem&, const NufftOptions&, std::int64_t) const override {
    return 0;
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    if (p.precision == Precision::single) return makePluginNufft<float>(code_, info_, p, o, watcher());
    return makePluginNufft<double>(code_, info_, p, o, watcher());
  }
  PluginInfo describe() const {
    PluginInfo told = code_->describe(info_.file);
    told.onGpu = info_.onGpu;
    return told;
  }

 private:
  PluginWatcher watcher() const {
    return [socket = socket_](const char* step) { tellPluginStep(socket, step); };
  }

  PluginInfo info_;
  std::shared_ptr<const PluginCode> code_;
  int socket_;
};

template <class Real>
double difference(const std::complex<Real>* a, const std::complex<Real>* b, std::int64_t count,
                  double inputNorm) {
  double error = 0, norm = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    error += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  const double scale = std::max(norm, double(count) * inputNorm);
  return scale > 0 ? std::sqrt(error / scale) : 0;
}

// Runs a batch once, timed, then its images one by one. Returns the largest difference of an image.
template <class Real>
double compareBatch(NufftBackend& backend, const NufftProblem& problem, const NufftOptions& options,
                    std::span<const double> points, bool adjoint, PluginTrial& trial) {
  using Complex = std::complex<Real>;
  double start = now();
  const auto plan = backend.plan<Real>(problem, options);
  trial.planSeconds = now() - start;
  start = now();
  plan->setPoints(points);
  trial.pointsSeconds = now() - start;
  const std::int64_t count = plan->points(), pixels = problem.pixels();
  const std::int64_t inputs = adjoint ? count : pixels, outputs = adjoint ? pixels : count;
  std::mt19937 random(trialSeed);
  std::normal_distribution<double> normal(0, 1);
  std::vector<Complex> from(std::size_t(problem.batch * inputs)), to(std::size_t(problem.batch * outputs));
  for (Complex& v : from) v = {Real(normal(random)), Real(normal(random))};
  const auto run = [&](Nufft<Real>& with, const Complex* in, Complex* out) {
    adjoint ? with.adjoint(in, out) : with.forward(in, out);
  };
  start = now();
  run(*plan, from.data(), to.data());
  trial.executionSeconds += now() - start;
  if (problem.batch == 1) return 0;
  NufftProblem one = problem;
  one.batch = 1;
  const auto single = backend.plan<Real>(one, options);
  single->setPoints(points);
  std::vector<Complex> alone(static_cast<std::size_t>(outputs));
  double worst = 0;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    const Complex* in = from.data() + b * inputs;
    run(*single, in, alone.data());
    double inputNorm = 0;
    for (std::int64_t i = 0; i < inputs; ++i) inputNorm += std::norm(cdouble(in[i]));
    const double d = difference(to.data() + b * outputs, alone.data(), outputs, inputNorm);
    worst = d <= worst ? worst : d;  // also takes NaN
  }
  return worst;
}

void tryInChild(ChildArguments& arguments, int socket, int) {
  std::string file, code, cudaModule;
  NufftProblem problem;
  NufftOptions options;
  Direction direction = Direction::both;
  std::vector<double> points;
  arguments.take(file);
  arguments.take(code);
  arguments.take(cudaModule);
  arguments.take(problem);
  arguments.take(options);
  arguments.take(direction);
  arguments.take(points);
  PluginInfo info;
  info.file = file;
  info.code = code;
  info.onGpu = !cudaModule.empty();
  if (info.onGpu) useCudaModule(cudaModule);
  tellPluginStep(socket, "load");
  info = TrialBackend(info, socket).describe();
  TrialBackend backend(info, socket);
  tellPluginStep(socket, nullptr);

  PluginTrial trial;
  const double requestedAccuracy = options.accuracy;
  const std::int64_t count = std::int64_t(points.size()) / problem.dims;
  const int outputs = std::max(minOutputs, affordableOutputs(problem, count) / outputShare);
  trial.measuredError = HUGE_VAL;
  for (const double tightening : tightenings) {
    options.accuracy = requestedAccuracy * tightening;
    double error = 0;
    try {
      error = measureError(backend, problem, options, points, {}, direction, outputs, trialSeed, {});
    } catch (const Error&) {
      if (trial.accuracy == 0) throw;
      break;  // the plug-in refused a tighter accuracy
    }
    if (!(error < trial.measuredError)) continue;
    trial.measuredError = error;
    trial.accuracy = options.accuracy;
    if (error <= requestedAccuracy) break;
  }
  if (!(trial.measuredError <= requestedAccuracy))
    throw Error("",
                "its error is " +
                    (std::isinf(trial.measuredError) ? std::string("no number")
                                                     : scientificText(trial.measuredError, 1)) +
                    " where " + scientificText(requestedAccuracy, 1) + " was asked for",
                otherBackend);
  options.accuracy = trial.accuracy;
  for (const bool adjoint : {false, true}) {
    if (direction == (adjoint ? Direction::forward : Direction::adjoint)) continue;
    const double apart = problem.precision == Precision::single
                             ? compareBatch<float>(backend, problem, options, points, adjoint, trial)
                             : compareBatch<double>(backend, problem, options, points, adjoint, trial);
    if (!(apart <= batchTolerance * requestedAccuracy))
      throw Error("",
                  "the images of a batch differ by " + scientificText(apart, 1) +
                      " from the same images one by one, where " + scientificText(requestedAccuracy, 1) +
                      " was asked for",
                  otherBackend);
  }
  ChildArguments result;
  result.put(trial);
  tellPluginResult(socket, result);
}

}  // namespace

PluginTrial tryPlugin(const PluginInfo& info, const TuneRequest& request, double alpha, double seconds,
                      const Progress& progress) {
  NufftProblem problem = request.problem;
  problem.batch = std::min(problem.batch, maxTrialBatch);
  NufftOptions options;
  options.accuracy = transformAccuracy(pluginOptions(request));
  options.alpha = alpha;
  options.threads = request.options.threads;
  const Direction requestedDirection = request.workload.direction;
  const Direction direction = requestedDirection == Direction::normal ? Direction::both : requestedDirection;
  const auto dims = std::size_t(problem.dims);
  const std::size_t count = request.points.size() / dims;
  const std::size_t stride = std::max<std::size_t>(1, (count + maxTrialPoints - 1) / maxTrialPoints);
  std::vector<double> points;
  points.reserve(count / stride * dims + dims);
  for (std::size_t j = 0; j < count; j += stride)
    points.insert(points.end(), request.points.begin() + std::ptrdiff_t(j * dims),
                  request.points.begin() + std::ptrdiff_t((j + 1) * dims));
  ChildArguments arguments;
  arguments.put(info.file.string());
  arguments.put(info.code.string());
  arguments.put(info.onGpu ? cudaModuleFile().string() : std::string());
  arguments.put(problem);
  arguments.put(options);
  arguments.put(direction);
  arguments.put(points);
  ChildArguments told = runPluginChild("Cannot use the plug-in " + info.title(), arguments, tryInChild,
                                       seconds, options.threads, progress);
  PluginTrial trial;
  told.take(trial);
  return trial;
}

}  // namespace spokelab
