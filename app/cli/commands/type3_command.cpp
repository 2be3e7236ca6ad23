// type3: values at points in, values at other points out: images that are given as points, and the
// signals that they make.
#include <algorithm>
#include <cmath>
#include <random>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/type3/type3_exact.h"
#include "engine/profile/results/results.h"
#include "engine/recon/field/gdft/gdft_problem.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/images/npy_file.h"

namespace spokelab::cli {
namespace {

constexpr int measuredOutputs = 256;  // of --measure-error

struct Points {
  std::vector<double> coordinates;  // [point, dims]
  int dims = 0;
  std::int64_t count() const { return std::int64_t(coordinates.size()) / dims; }
};

Points readPointsOf(const std::string& file, const Progress& progress) {
  const ArrayFile array(file);
  const std::vector<std::int64_t> shape = rowMajorShape(array.header());
  const std::string problem = "Cannot read " + file + " as points";
  Points points;
  points.dims = shape.size() < 2 ? 1 : int(std::min<std::int64_t>(shape.back(), 4));
  if (shape.empty() || points.dims > 3)
    throw Error(problem, "its shape is " + shapeText(shape),
                "Its last axis (the first of .cfl) holds the one to three coordinates of a point");
  const Buffer<cdouble> values = array.readAll<cdouble>(progress, "Reading points");
  points.coordinates.reserve(values.size());
  for (const cdouble& v : values) {
    if (!std::isfinite(v.real()) || v.imag() != 0)
      throw Error(problem, "a coordinate is not a finite real number",
                  "Repair it in the program that wrote the file");
    points.coordinates.push_back(v.real());
  }
  return points;
}

struct Values {
  Buffer<cdouble> all;              // [batch, point]
  std::vector<std::int64_t> shape;  // [..., point]
  std::int64_t batch = 1;
};

Values readValues(const std::string& file, std::int64_t points, const Progress& progress) {
  const ArrayFile array(file);
  Values values;
  values.shape = rowMajorShape(array.header());
  if (values.shape.empty() || values.shape.back() != points)
    throw Error("Cannot take the values of " + file,
                "its shape is " + shapeText(values.shape) + ", and there are " + countText(points, "point"),
                "Its last axis (the first of .cfl) holds the values of the points");
  values.all = array.readAll<cdouble>(progress, "Reading values");
  values.batch = std::int64_t(values.all.size()) / points;
  return values;
}

template <class Complex>
void writeValues(const std::string& file, const std::vector<std::int64_t>& shape,
                 const std::vector<Complex>& values) {
  writeNpyFile(file, sizeof(Complex) == sizeof(cdouble) ? "<c16" : "<c8", shape,
               [&](ByteSink& sink) { sink.write(values.data(), values.size() * sizeof(Complex)); }, {});
}

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
    recon_.addTo(*app, ReconArguments::Which::type3);
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
    files.writes(output_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.3;
    const Points sources = readPointsOf(sources_, context.progress.part(0, readShare / 3)),
                 targets = readPointsOf(targets_, context.progress.part(readShare / 3, 2 * readShare / 3));
    if (sources.dims != targets.dims)
      throw Error("Cannot transform the values",
                  "the sources have " + countText(sources.dims, "coordinate") + ", the targets " +
                      std::to_string(targets.dims),
                  "Give both the same number of coordinates");
    const Values values = readValues(values_, (adjoint_ ? targets : sources).count(),
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

  // Real numbers of an array of `count`, or none where no file is named.
  static std::vector<double> readReals(const std::string& file, std::int64_t count, const char* what) {
    if (file.empty()) return {};
    const ArrayFile array(file);
    const Buffer<cdouble> all = array.readAll<cdouble>({}, "Reading the field");
    if (std::int64_t(all.size()) != count)
      throw Error("Cannot take " + file + " as the " + what,
                  "it has " + countText(std::int64_t(all.size()), "number") + ", and " +
                      std::to_string(count) + " are needed",
                  "Give a number for each point");
    std::vector<double> values;
    values.reserve(all.size());
    for (const cdouble& v : all) values.push_back(v.real());
    return values;
  }

  // Gdft and GdftR2 ([cudadft] 3.1): the image's coordinates are given, in units of the field of
  // view.
  void sumWithField(CommandContext& context, const Type3Problem& problem, const Points& sources,
                    const Points& targets, const Values& values, const ReconOptions& options,
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
    sums.times = readReals(times_, targets.count(), "times");
    sums.field = readReals(field_, sources.count(), "field");
    sums.decay = readReals(decay_, sources.count(), "decay");
    sums.gradient = readReals(gradient_, problem.dims * sources.count(), "gradient");
    sums.intravoxel = !sums.gradient.empty();
    sums.reproducible = options.nufft.reproducible;
    validate(sums);
    if (problem.precision == Precision::single)
      sumOn<float>(context, sums, values, options, document, progress);
    else
      sumOn<double>(context, sums, values, options, document, progress);
  }

  template <class Real>
  void sumOn(CommandContext& context, const GdftProblem& sums, const Values& values,
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
    document.update({{"plan", plan}, {"backend", backend.name()}, {"seconds", now() - begin}});
    context.say(row("plan", plan));
    context.say(row("time", secondsText(now() - begin)));
    writeValues(output_, outputShape(values, outputCount), out);
  }

  std::vector<std::int64_t> outputShape(const Values& values, std::int64_t points) const {
    std::vector<std::int64_t> shape = values.shape;
    shape.back() = points;
    return shape;
  }

  void sumExactly(CommandContext& context, const Type3Problem& problem, const Points& sources,
                  const Points& targets, const Values& values, const ReconOptions& options,
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
    document["seconds"] = now() - start;
    document["plan"] = "exact sums in double precision";
    context.say(row("plan", "exact sums in double precision"));
    context.say(row("time", secondsText(now() - start)));
    writeValues(output_, outputShape(values, (adjoint_ ? sources : targets).count()), all);
  }

  template <class Real>
  void transform(CommandContext& context, const Type3Problem& problem, const Points& sources,
                 const Points& targets, const Values& values, const ReconOptions& options,
                 nlohmann::json& document, const Progress& progress) const {
    using Complex = std::complex<Real>;
    constexpr double transformShare = 0.7;
    progress.report(0, "Planning");
    std::unique_ptr<Type3Transform<Real>> plan;
    Backend& backend = backendOf(context, options);
    auto& type3Backend = dynamic_cast<Type3Backend&>(backend);
    if constexpr (std::is_same_v<Real, float>)
      plan = type3Backend.type3Float(problem, options.nufft);
    else
      plan = type3Backend.type3Double(problem, options.nufft);
    double begin = now();
    plan->setPoints(sources.coordinates, targets.coordinates);
    const double pointSeconds = now() - begin;
    const std::int64_t outputCount = (adjoint_ ? sources : targets).count();
    const std::vector<Complex> in(values.all.begin(), values.all.end());
    std::vector<Complex> out(std::size_t(problem.batch * outputCount));
    progress.report(transformShare / 2, "Transforming");
    begin = now();
    if (adjoint_)
      plan->adjoint(in.data(), out.data());
    else
      plan->forward(in.data(), out.data());
    const double seconds = now() - begin;
    const Type3Info& info = plan->info();
    context.say(row("plan", info.description));
    std::string error =
        numberText(info.error, 2) + " predicted, " + numberText(options.nufft.accuracy, 2) + " asked for";
    document.update({{"options", toJson(options)},
                     {"plan", info.description},
                     {"backend", info.backend},
                     {"grid", info.grid},
                     {"predictedError", info.error},
                     {"pointSeconds", pointSeconds},
                     {"seconds", seconds}});
    if (measure_) {
      const double measured =
          measuredError(problem, sources, targets, in, out, options, progress.part(transformShare, 1));
      error += ", " + numberText(measured, 2) + " measured";
      document["measuredError"] = measured;
    }
    context.say(row("error", error));
    context.say(row(
        "time", secondsText(pointSeconds) + " for the points, " + secondsText(seconds) + " for the values"));
    writeValues(output_, outputShape(values, outputCount), out);
  }

  // Relative l2 over some outputs of the first image.
  template <class Complex>
  double measuredError(const Type3Problem& problem, const Points& sources, const Points& targets,
                       const std::vector<Complex>& in, const std::vector<Complex>& out,
                       const ReconOptions& options, const Progress& progress) const {
    const std::int64_t inputCount = (adjoint_ ? targets : sources).count(),
                       wanted = (adjoint_ ? sources : targets).count();
    std::vector<std::int64_t> selection(measuredOutputs);
    std::mt19937_64 random(1);
    for (std::int64_t& output : selection) output = std::int64_t(random() % std::uint64_t(wanted));
    const std::vector<cdouble> first(in.begin(), in.begin() + inputCount);
    const auto exact = type3Exact(problem, sources.coordinates, targets.coordinates, first, adjoint_,
                                  selection, options.nufft.threads, progress);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      difference += std::norm(cdouble(out[std::size_t(selection[i])]) - exact[i]);
      norm += std::norm(exact[i]);
    }
    return norm > 0 ? std::sqrt(difference / norm) : 0;
  }

  // The one that was asked for; else the GPU where there is one.
  static Backend& backendOf(CommandContext& context, const ReconOptions& options) {
    Backend* chosen = nullptr;
    for (Backend* backend : backendsFor(context.backends().all(), options.backend, options.devices))
      if (dynamic_cast<Type3Backend*>(backend)) chosen = backend;  // the CPU is first
    if (chosen) return *chosen;
    throw Error("Cannot plan the transform", "transforms of type 3 do not run on \"" + options.backend + "\"",
                "Choose --backend cpu or cuda");
  }

  ReconArguments recon_;
  std::string sources_, targets_, values_, output_, times_, field_, decay_, gradient_, json_;
  std::vector<std::int64_t> voxels_;
  int sign_ = -1;
  bool adjoint_ = false, measure_ = false;
};

}  // namespace

std::unique_ptr<Command> makeType3Command(CLI::App& parent, const std::string& program) {
  return std::make_unique<Type3Command>(parent, program);
}

}  // namespace spokelab::cli
