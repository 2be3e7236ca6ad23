// nufft: an array of 1 to 8 dimensions in, its transform at points out, and back. Up to three
// dimensions are tuned; beyond them the CPU takes one dimension off after the other.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/commands/points/said_transform.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/exact/nudft_many.h"
#include "engine/nufft/plan/many/many_dims.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/type3_files.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/images/npy_file.h"

namespace spokelab::cli {
namespace {

struct InputArray {
  std::vector<std::int64_t> lead;  // axes of the batch
  Buffer<cdouble> values;
};

class NufftCommand final : public Command {
 public:
  NufftCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("nufft", "Transform an array of 1 to 8 dimensions at points, or back");
    app->add_option(
           "POINTS", points_,
           "Points in cycles/pixel: .npy [..., dim] or .cfl, a column for x, y, z, ... (the last axis of "
           "the image first)")
        ->type_name("FILE")
        ->required();
    app->add_option("--image", image_,
                    "Images to transform: .npy [..., z, y, x] or .cfl; axes before them are a batch")
        ->type_name("FILE");
    app->add_option("--samples", samples_,
                    "Samples of which the adjoint makes images: .npy [..., point] or .cfl")
        ->type_name("FILE");
    app->add_option("--size", size_, "Pixels along x, y, z, ... of the images that --samples make")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::PositiveNumber.description(""));
    app->add_option("-o,--output", output_, "File to write: .npy [..., point] or [..., z, y, x]")
        ->type_name("FILE")
        ->required()
        ->group("Output");
    app->add_option("--sign", sign_, "Sign of the forward exponent")
        ->check(CLI::IsMember({-1, 1}))
        ->capture_default_str();
    app->add_flag("--measure-error", measure_,
                  "Measure the error at " + std::to_string(measuredOutputs) + " outputs against exact sums");
    app->add_flag("--sweep", sweep_, "Up to three dimensions: time all ratios, say each one's time and error")
        ->group("Tuning");
    recon_.addTo(*app, ReconArguments::Which::transform);
    addCsv(*app, csv_);
    addJson(*app, json_);
    app->footer(
        "y_j = sum over the pixels n of f_n e^{sign 2 pi i n.k_j}, n from -floor(N/2); not scaled. Points that are "
        "all pairs of two lists (the same places at each time) are found and take less time.\nExamples:\n  " +
        program + " nufft points.npy --image volumes.npy -o samples.npy --accuracy 1e-5\n  " + program +
        " nufft points.npy --samples samples.npy --size 64,64,32,20 -o volumes.npy\n  " + program +
        " nufft line.npy --image line-image.npy -o y.npy --sweep --csv sweep.csv");
  }

  void declare(JobFiles& files) const override {
    if (std::filesystem::path(output_).extension() != ".npy")
      throw Error("Cannot write the values to " + output_, "its extension is not .npy",
                  "Name a file that ends in .npy");
    declareInput(files, points_);
    for (const std::string& input : {image_, samples_})
      if (!input.empty()) declareInput(files, input);
    recon_.declare(files);
    for (const std::string& file : {output_, csv_, json_}) files.writes(file);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.2;
    if (image_.empty() == samples_.empty())
      throw Error("Cannot transform",
                  "it transforms either an image or samples, and the options name both or neither",
                  "Name --image FILE, or --samples FILE with --size LIST");
    const PointList points = readPointList(points_, context.progress.part(0, readShare / 2), maxDims);
    const ReconOptions options = recon_.options();
    ManyDimsProblem problem;
    problem.precision = options.precision;
    problem.sign = sign_;
    problem.measure = options.measure;
    const InputArray in = image_.empty() ? samplesFor(points, problem, context.progress)
                                         : imagesFor(points, problem, context.progress);
    foldedProblem(problem);  // throws for sizes that cannot be had
    nlohmann::json document = {{"output", output_},
                               {"dims", problem.dims()},
                               {"size", problem.size},
                               {"points", points.count()},
                               {"batch", problem.batch},
                               {"sign", sign_},
                               {"direction", image_.empty() ? "adjoint" : "forward"}};
    context.say(row("points", countText(points.count(), "point") + ", " + std::to_string(problem.dims()) +
                                  "-D, " + countText(problem.batch, "image") + " of " +
                                  sizeText(problem.size, problem.dims(), " x ")));
    const Progress rest = context.progress.part(readShare, 1);
    if (options.exact)
      sumExactly(context, problem, points, in, options, document, rest);
    else if (problem.precision == Precision::single)
      transform<float>(context, problem, points, in, options, document, rest);
    else
      transform<double>(context, problem, points, in, options, document, rest);
    context.say(row("written", output_));
    context.json(json_, document);
  }

 private:
  bool isForward() const { return !image_.empty(); }

  InputArray imagesFor(const PointList& points, ManyDimsProblem& problem, const Progress& progress) const {
    const ArrayFile array(image_);
    InputArray in;
    in.lead = rowMajorShape(array.header());
    if (int(in.lead.size()) < points.dims)
      throw Error("Cannot transform " + image_,
                  "its shape is " + shapeText(in.lead) + ", and the points have " +
                      countText(points.dims, "coordinate"),
                  "Give an image with an axis for each coordinate");
    problem.size.assign(in.lead.rbegin(), in.lead.rbegin() + points.dims);
    in.lead.resize(in.lead.size() - std::size_t(points.dims));
    in.values = array.readAll<cdouble>(progress, "Reading images");
    problem.batch = batchOf(in.lead);
    return in;
  }

  InputArray samplesFor(const PointList& points, ManyDimsProblem& problem, const Progress& progress) const {
    if (int(size_.size()) != points.dims)
      throw Error("Cannot transform " + samples_,
                  "the points have " + countText(points.dims, "coordinate") + ", and --size has " +
                      countText(std::int64_t(size_.size()), "number"),
                  "Name one size a coordinate: --size NX,NY,NZ,...");
    problem.size = size_;
    PointValues samples = readPointValues(samples_, points.count(), progress);
    InputArray in{std::move(samples.shape), std::move(samples.all)};
    in.lead.pop_back();
    problem.batch = batchOf(in.lead);
    return in;
  }

  static std::int64_t batchOf(const std::vector<std::int64_t>& lead) {
    std::int64_t batch = 1;
    for (const std::int64_t n : lead) batch *= n;
    return batch;
  }

  std::int64_t outputCount(const ManyDimsProblem& problem, const PointList& points) const {
    return isForward() ? points.count() : foldedProblem(problem).pixels();
  }

  std::vector<cdouble> exactly(const ManyDimsProblem& problem, const PointList& points,
                               std::span<const cdouble> one, std::span<const std::int64_t> selection,
                               int threads, const Progress& progress) const {
    return isForward() ? nudftManyForward(problem.size, problem.sign, points.coordinates, one, selection,
                                          threads, progress)
                       : nudftManyAdjoint(problem.size, problem.sign, points.coordinates, one, selection,
                                          threads, progress);
  }

  void sumExactly(CommandContext& context, const ManyDimsProblem& problem, const PointList& points,
                  const InputArray& in, const ReconOptions& options, nlohmann::json& document,
                  const Progress& progress) const {
    const double start = now();
    const std::size_t each = in.values.size() / std::size_t(problem.batch);
    std::vector<cdouble> all;
    for (std::int64_t b = 0; b < problem.batch; ++b) {
      const auto one = exactly(problem, points, {in.values.data() + std::size_t(b) * each, each}, {},
                               options.nufft.threads, progress);
      all.insert(all.end(), one.begin(), one.end());
    }
    saySums(context, "exact sums in double precision", now() - start, document);
    write(problem, points, in, all);
  }

  template <class Real>
  std::unique_ptr<Nufft<Real>> planFor(CommandContext& context, const ManyDimsProblem& problem,
                                       const PointList& points, const ReconOptions& options,
                                       nlohmann::json& document, const Progress& progress) {
    const std::vector<Backend*> backends =
        backendsFor(context.backends().all(), options.backend, options.devices);
    if (problem.dims() > 3) {
      if (sweep_)
        throw Error("Cannot sweep", "plans of more than three dimensions are not timed", "Leave --sweep out");
      if (options.backend != "auto" && options.backend != "cpu")
        throw Error("Cannot plan the transform",
                    "transforms of more than three dimensions run on the CPU alone", "Use --backend cpu");
      return makeManyDims<Real>(problem, options.nufft);
    }
    const NufftProblem folded = foldedProblem(problem);
    Workload workload;
    workload.direction = isForward() ? Direction::forward : Direction::adjoint;
    const ScanProblem scanProblem{
        folded, folded, 1, {points.coordinates.begin(), points.coordinates.end()}, workload};
    TuneRequest request = tuneRequest(scanProblem, options);
    request.measureError = sweep_;
    const TuneResult tuned =
        sweep_ ? sweepByPolicy(backends, request, SweepArguments().policy(request), progress)
               : tune(std::vector<NufftBackend*>(backends.begin(), backends.end()), request, recon_.wisdom(),
                      progress);
    if (tuned.cancelled) throw Cancelled{};
    if (sweep_) sayCandidates(context, tuned);
    document["tuning"] = toJson(tuned);
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(tuned));
    if (tuned.best < 0) throw Error("Cannot plan the transform", tuned.reason, "Ask for less accuracy");
    const Candidate& best = tuned.candidates[std::size_t(tuned.best)];
    context.say(row("why", tuned.reason));
    return backendNamed(backends, best.backend)->template plan<Real>(folded, best.options);
  }

  template <class Real>
  void transform(CommandContext& context, const ManyDimsProblem& problem, const PointList& points,
                 const InputArray& in, const ReconOptions& options, nlohmann::json& document,
                 const Progress& progress) {
    using Complex = std::complex<Real>;
    constexpr double planShare = 0.4, transformShare = 0.7;
    const auto plan = planFor<Real>(context, problem, points, options, document, progress.part(0, planShare));
    SaidTransform said{.asked = options.nufft.accuracy};
    double begin = now();
    plan->setPoints(points.coordinates);
    said.pointSeconds = now() - begin;
    const std::vector<Complex> from(in.values.begin(), in.values.end());
    std::vector<Complex> out(std::size_t(problem.batch * outputCount(problem, points)));
    progress.report(planShare, "Transforming");
    begin = now();
    isForward() ? plan->forward(from.data(), out.data()) : plan->adjoint(from.data(), out.data());
    said.seconds = now() - begin;
    const PlanInfo& info = plan->info();
    context.say(row("plan", info.description));
    document.update({{"options", toJson(options)}, {"plan", info.description}, {"backend", info.backend}});
    said.predictedError = info.error.relativeL2;
    if (measure_)
      said.measuredError =
          measuredError(problem, points, in, out, options.nufft.threads, progress.part(transformShare, 1));
    sayTransform(context, said, document);
    write(problem, points, in, out);
  }

  // Relative l2 over some outputs of the first image.
  template <class Complex>
  double measuredError(const ManyDimsProblem& problem, const PointList& points, const InputArray& in,
                       const std::vector<Complex>& out, int threads, const Progress& progress) const {
    const std::int64_t outputs = outputCount(problem, points);
    if (outputs == 0) return 0;
    const std::vector<std::int64_t> selection = someOutputs(outputs);
    const std::size_t each = in.values.size() / std::size_t(problem.batch);
    return errorAt(selection, out,
                   exactly(problem, points, {in.values.data(), each}, selection, threads, progress));
  }

  template <class Complex>
  void write(const ManyDimsProblem& problem, const PointList& points, const InputArray& in,
             const std::vector<Complex>& values) const {
    std::vector<std::int64_t> shape = in.lead;
    if (isForward())
      shape.push_back(points.count());
    else
      shape.insert(shape.end(), problem.size.rbegin(), problem.size.rend());
    writeNpyFile(output_, std::is_same_v<Complex, cdouble> ? "<c16" : "<c8", shape,
                 [&](ByteSink& sink) { sink.write(values.data(), values.size() * sizeof(Complex)); }, {});
  }

  ReconArguments recon_;
  std::string points_, image_, samples_, output_, csv_, json_;
  std::vector<std::int64_t> size_;
  int sign_ = -1;
  bool measure_ = false, sweep_ = false;
};

}  // namespace

std::unique_ptr<Command> makeNufftCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<NufftCommand>(parent, program);
}

}  // namespace spokelab::cli
