// type3: values at points in, values at other points out: images as points, and their signals.
#include <algorithm>
#include <cmath>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/points/said_transform.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/type3/type3_exact.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/type3_files.h"
#include "engine/recon/explore/type3_tuning.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"

namespace spokelab::cli {
namespace {

class Type3Command final : public Command {
 public:
  Type3Command(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("type3", "Transform values at points to values at other points");
    app->add_option("SOURCES", sources_,
                    "Points: .npy [..., dim] or .cfl, one to three coordinates in any unit")
        ->type_name("FILE")
        ->required();
    app->add_option("--targets", targets_, "Points, in cycles per that unit")->type_name("FILE")->required();
    app->add_option("--values", values_,
                    "Values of the sources (with --adjoint: of the targets): .npy [..., point] or .cfl")
        ->type_name("FILE")
        ->required();
    app->add_option("-o,--output", output_, "The values at the other points to write: .npy [..., point]")
        ->type_name("FILE")
        ->required()
        ->group("Output");
    app->add_flag("--adjoint", adjoint_,
                  "From the targets to the sources, the conjugate transpose, not scaled");
    app->add_option("--sign", sign_, "Sign of the exponent")
        ->check(CLI::IsMember({-1, 1}))
        ->capture_default_str();
    app->add_flag("--measure-error", measure_,
                  "Measure the error at " + std::to_string(measuredOutputs) + " outputs against exact sums");
    app->add_option("--times", times_,
                    "Times of the targets in s: .npy [point]; sums are then exact, with a field")
        ->type_name("FILE")
        ->group("Field");
    app->add_option("--field", field_, "Field at the sources in rad/s: .npy [point]")
        ->type_name("FILE")
        ->group("Field");
    app->add_option("--decay", decay_, "R2* of the sources in 1/s: .npy [point]")
        ->type_name("FILE")
        ->group("Field");
    app->add_option("--gradient", gradient_,
                    "Field's slope in cycles/s a voxel: .npy [dim, point]; needs --voxels")
        ->type_name("FILE")
        ->group("Field");
    app->add_option("--voxels", voxels_, "Voxels N along each coordinate's unit, for the gradient's sinc")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::PositiveNumber.description(""))
        ->group("Field");
    app->add_flag("--sweep", sweep_, "Time all ratios and machines, say each one's time and error")
        ->group("Tuning");
    recon_.addTo(*app, ReconArguments::Which::type3);
    addCsv(*app, csv_);
    addJson(*app, json_);
    app->footer(
        "y_k = sum over the sources j of c_j e^{sign 2 pi i s_k.x_j}, x the sources, s the "
        "targets.\nExamples:\n  " +
        program + " type3 voxels.npy --values image.npy --targets k.npy -o signal.npy\n  " + program +
        " type3 voxels.npy --adjoint --values signal.npy --targets k.npy -o image.npy --accuracy 1e-6\n  " +
        program +
        " type3 voxels.npy --values image.npy --targets k.npy --times t.npy --field w.npy -o signal.npy");
  }

  void declare(JobFiles& files) const override {
    if (std::filesystem::path(output_).extension() != ".npy")
      throw Error("Cannot write the values to " + output_, "its extension is not .npy",
                  "Name a file that ends in .npy");
    for (const std::string& input : {sources_, targets_, values_}) declareInput(files, input);
    for (const std::string& input : {times_, field_, decay_, gradient_})
      if (!input.empty()) declareInput(files, input);
    recon_.declare(files);
    files.writes(output_);
    files.writes(csv_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.3;
    const PointList sources = readPointList(sources_, context.progress.part(0, readShare / 3)),
                    targets =
                        readPointList(targets_, context.progress.part(readShare / 3, 2 * readShare / 3));
    if (sources.dims != targets.dims)
      throw Error("Cannot transform the values",
                  "the sources have " + countText(sources.dims, "coordinate") + ", the targets " +
                      std::to_string(targets.dims),
                  "Give both the same number of coordinates");
    const PointValues values = readPointValues(values_, (adjoint_ ? targets : sources).count(),
                                               context.progress.part(2 * readShare / 3, readShare));
    const ReconOptions options = recon_.options();
    const Type3Problem problem{sources.dims, options.precision, sign_, values.batch};
    const Progress rest = context.progress.part(readShare, 1);
    nlohmann::json document = {{"output", output_},
                               {"dims", problem.dims},
                               {"sources", sources.count()},
                               {"targets", targets.count()},
                               {"batch", problem.batch},
                               {"sign", sign_},
                               {"direction", adjoint_ ? "adjoint" : "forward"}};
    context.say(row("points", countText(sources.count(), "source") + ", " +
                                  countText(targets.count(), "target") + ", " + std::to_string(problem.dims) +
                                  "-D, " + countText(problem.batch, "image")));
    if (sweep_ && (hasField() || options.exact))
      throw Error("Cannot sweep", "exact sums have no ratios", "Leave --sweep out");
    if (hasField())
      sumWithField(context, problem, sources, targets, values, options, document, rest);
    else if (options.exact)
      sumExactly(context, problem, sources, targets, values, options, document, rest);
    else if (problem.precision == Precision::single)
      transform<float>(context, problem, sources, targets, values, options, document, rest);
    else
      transform<double>(context, problem, sources, targets, values, options, document, rest);
    context.say(row("written", output_));
    context.json(json_, document);
  }

 private:
  bool hasField() const {
    return !times_.empty() || !field_.empty() || !decay_.empty() || !gradient_.empty();
  }

  // Gdft and GdftR2 ([cudadft] 3.1) at given coordinates, in units of the field of view.
  void sumWithField(CommandContext& context, const Type3Problem& problem, const PointList& sources,
                    const PointList& targets, const PointValues& values, const ReconOptions& options,
                    nlohmann::json& document, const Progress& progress) const {
    const std::string what = "Cannot transform the values with a field";
    if (times_.empty()) throw Error(what, "the targets have no times", "Name them: --times FILE");
    if (sign_ != -1) throw Error(what, "its exponent is negative", "Leave --sign out");
    if (measure_) throw Error(what, "these sums are exact", "Leave --measure-error out");
    if (!gradient_.empty() && int(voxels_.size()) != problem.dims)
      throw Error(what,
                  "the gradient needs the number of voxels along each of " + std::to_string(problem.dims) +
                      " coordinates",
                  "Name them: --voxels LIST");
    GdftProblem sums;
    sums.dims = problem.dims;
    for (std::size_t d = 0; d < voxels_.size(); ++d) sums.matrix[d] = voxels_[d];
    sums.coordinates = sources.coordinates;
    sums.points = targets.coordinates;
    sums.times = readPointReals(times_, targets.count(), "times");
    sums.field = readPointReals(field_, sources.count(), "field");
    sums.decay = readPointReals(decay_, sources.count(), "decay");
    sums.gradient = readPointReals(gradient_, problem.dims * sources.count(), "gradient");
    sums.intravoxel = !sums.gradient.empty();
    sums.reproducible = options.nufft.reproducible;
    validate(sums);
    if (problem.precision == Precision::single)
      sumOn<float>(context, sums, values, options, document, progress);
    else
      sumOn<double>(context, sums, values, options, document, progress);
  }

  template <class Real>
  void sumOn(CommandContext& context, const GdftProblem& sums, const PointValues& values,
             const ReconOptions& options, nlohmann::json& document, const Progress& progress) const {
    using Complex = std::complex<Real>;
    Backend& backend = backendOf(context, options);
    const auto transform = backend.gdft<Real>(sums, options.nufft.threads);
    const std::int64_t outputCount = adjoint_ ? sums.pixels() : sums.samples();
    const std::vector<Complex> in(values.all.begin(), values.all.end());
    std::vector<Complex> out(std::size_t(values.batch * outputCount));
    const double begin = now();
    if (adjoint_)
      transform->adjoint(in.data(), out.data(), values.batch, {}, progress);
    else
      transform->forward(in.data(), out.data(), values.batch, {}, progress);
    const std::string plan = std::string("exact sums with ") +
                             (sums.intravoxel ? "field and in-voxel gradient" : "field") + ", " +
                             backend.name();
    document["backend"] = backend.name();
    saySums(context, plan, now() - begin, document);
    writePointValues(output_, values, outputCount, out);
  }

  void sumExactly(CommandContext& context, const Type3Problem& problem, const PointList& sources,
                  const PointList& targets, const PointValues& values, const ReconOptions& options,
                  nlohmann::json& document, const Progress& progress) const {
    const double start = now();
    const std::int64_t inputCount = (adjoint_ ? targets : sources).count();
    std::vector<cdouble> all;
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      const auto one = type3Exact(
          problem, sources.coordinates, targets.coordinates,
          {values.all.data() + b * inputCount, std::size_t(inputCount)}, adjoint_, {}, options.nufft.threads,
          progress.part(double(b) / double(problem.batch), double(b + 1) / double(problem.batch)));
      all.insert(all.end(), one.begin(), one.end());
    }
    saySums(context, "exact sums in double precision", now() - start, document);
    writePointValues(output_, values, (adjoint_ ? sources : targets).count(), all);
  }

  Type3Tuning tuningOf(const Type3Problem& problem, const PointList& sources, const PointList& targets,
                       const ReconOptions& options) const {
    Type3Tuning tuning;
    tuning.problem = problem;
    tuning.sources = sources.coordinates;
    tuning.targets = targets.coordinates;
    tuning.options = options.nufft;
    tuning.effort = options.effort;
    tuning.workload = {adjoint_ ? Direction::adjoint : Direction::forward,
                       options.tuning.reuse > 0 ? options.tuning.reuse : 1, 1, false};
    tuning.trials = options.tuning.trials;
    tuning.timeLimit = options.tuning.timeLimit;
    tuning.measureError = sweep_;
    return tuning;
  }

  // The fastest plan; all of them in words and files where they are asked for.
  TuneResult tunedPlan(CommandContext& context, const std::vector<Backend*>& backends,
                       const Type3Tuning& tuning, nlohmann::json& document, const Progress& progress) {
    progress.report(0, "Tuning");
    TuneResult tuned = sweep_ ? sweepType3(backends, tuning, progress)
                              : tuneType3(backends, tuning, recon_.wisdom(), progress);
    if (tuned.cancelled) throw Cancelled{};
    document["tuning"] = toJson(tuned);
    if (sweep_) sayCandidates(context, tuned);
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(tuned));
    if (tuned.best < 0)
      throw Error("Cannot plan the transform", tuned.reason, "Ask for less accuracy, or check the units");
    return tuned;
  }

  template <class Real>
  void transform(CommandContext& context, const Type3Problem& problem, const PointList& sources,
                 const PointList& targets, const PointValues& values, const ReconOptions& options,
                 nlohmann::json& document, const Progress& progress) {
    using Complex = std::complex<Real>;
    constexpr double tuningShare = 0.4, transformShare = 0.7;
    const Type3Tuning tuning = tuningOf(problem, sources, targets, options);
    const std::vector<Backend*> backends =
        backendsFor(context.backends().all(), options.backend, options.devices);
    const TuneResult tuned = tunedPlan(context, backends, tuning, document, progress.part(0, tuningShare));
    const Candidate& best = tuned.candidates[std::size_t(tuned.best)];
    const std::unique_ptr<Type3Transform<Real>> plan = makeType3<Real>(backends, tuning, best);
    SaidTransform said{.asked = options.nufft.accuracy};
    double begin = now();
    plan->setPoints(sources.coordinates, targets.coordinates);
    said.pointSeconds = now() - begin;
    const std::int64_t outputCount = (adjoint_ ? sources : targets).count();
    const std::vector<Complex> in(values.all.begin(), values.all.end());
    std::vector<Complex> out(std::size_t(problem.batch * outputCount));
    progress.report(tuningShare, "Transforming");
    begin = now();
    if (adjoint_)
      plan->adjoint(in.data(), out.data());
    else
      plan->forward(in.data(), out.data());
    said.seconds = now() - begin;
    const Type3Info& info = plan->info();
    context.say(row("plan", info.description));
    context.say(row("why", tuned.reason));
    document.update({{"options", toJson(options)},
                     {"plan", info.description},
                     {"backend", info.backend},
                     {"grid", info.grid}});
    said.predictedError = info.error;
    if (measure_)
      said.measuredError =
          measuredError(problem, sources, targets, in, out, options, progress.part(transformShare, 1));
    sayTransform(context, said, document);
    writePointValues(output_, values, outputCount, out);
  }

  // Relative l2 over some outputs of the first image.
  template <class Complex>
  double measuredError(const Type3Problem& problem, const PointList& sources, const PointList& targets,
                       const std::vector<Complex>& in, const std::vector<Complex>& out,
                       const ReconOptions& options, const Progress& progress) const {
    const std::int64_t inputCount = (adjoint_ ? targets : sources).count(),
                       wanted = (adjoint_ ? sources : targets).count();
    const std::vector<std::int64_t> selection = someOutputs(wanted);
    const std::vector<cdouble> first(in.begin(), in.begin() + inputCount);
    return errorAt(selection, out,
                   type3Exact(problem, sources.coordinates, targets.coordinates, first, adjoint_, selection,
                              options.nufft.threads, progress));
  }

  // The one that was asked for; else the GPU where there is one.
  static Backend& backendOf(CommandContext& context, const ReconOptions& options) {
    Backend* chosen = nullptr;
    for (Backend* backend : backendsFor(context.backends().all(), options.backend, options.devices))
      if (backend->hasType3()) chosen = backend;  // the CPU is first
    if (chosen) return *chosen;
    throw Error("Cannot plan the transform", "transforms of type 3 do not run on \"" + options.backend + "\"",
                "Choose --backend cpu or cuda");
  }

  ReconArguments recon_;
  std::string sources_, targets_, values_, output_, times_, field_, decay_, gradient_, csv_, json_;
  std::vector<std::int64_t> voxels_;
  int sign_ = -1;
  bool adjoint_ = false, measure_ = false, sweep_ = false;
};

}  // namespace

std::unique_ptr<Command> makeType3Command(CLI::App& parent, const std::string& program) {
  return std::make_unique<Type3Command>(parent, program);
}

}  // namespace spokelab::cli
