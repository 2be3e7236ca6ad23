// Several GPUs of one machine against one: whole jobs from the samples in memory to the image in
// memory, wisdom warm, on 1 ... all devices in turns (gridding of frames, SENSE of frames, SENSE of
// one volume whose coils are divided), and weak scaling of single transforms: each device has a
// separate problem ([cufinufft] Fig. 9; resources/developer/papers.md). Efficiency of n devices:
// T(1) / (n T(n)) of jobs, T(1) / T(n) of weak scaling. Images are compared with one device's.
//
// With --spans one more job of each kind is traced: the seconds of its parts, of each device and of
// the thread that leads it.
//
//   bench_devices --module FILE [--volume N] [--coils N] [--frames N] [--points N] [--rounds N] [--spans]
//                 [--json FILE]
#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "engine/core/measure/rank_test.h"
#include "engine/core/measure/trace_json.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/gpu_module.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments {
  std::string module, json;
  int volume = 240, coils = 32, frames = 960, rounds = 3, side = 192;
  double acceleration = 4;
  bool spans = false;
};

struct Job {
  std::string name;
  std::shared_ptr<const Scan> scan;
  ReconOptions options;
};

std::shared_ptr<const Scan> framesOf(const Arguments& arguments, int matrix, int spokes, int coils) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {matrix, matrix, 1};
  options.trajectory.shots = spokes;
  options.coils = coils;
  options.frames = arguments.frames;
  return simulate(options, {});
}

std::shared_ptr<const Scan> volumeOf(const Arguments& arguments) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::radial3d;
  options.trajectory.matrix = {arguments.volume, arguments.volume, arguments.volume};
  options.trajectory.acceleration = arguments.acceleration;
  options.coils = arguments.coils;
  return simulate(options, {});
}

std::vector<Job> jobsOf(const Arguments& arguments) {
  constexpr int framePixels = 256, frameSpokes = 64, frameCoils = 10, iterations = 10;
  std::vector<Job> jobs;
  if (arguments.frames > 0) {
    const auto scan = framesOf(arguments, framePixels, frameSpokes, frameCoils);
    jobs.push_back({"gridding, frames", scan, {}});
    ReconOptions sense;
    sense.iterative.method = ReconMethod::sense;
    sense.iterative.solver.iterations = iterations;
    jobs.push_back({"SENSE, frames", scan, sense});
  }
  if (arguments.volume > 0) {
    ReconOptions sense;
    sense.iterative.method = ReconMethod::sense;
    sense.iterative.solver.iterations = iterations;
    jobs.push_back({"SENSE, coils", volumeOf(arguments), sense});
  }
  return jobs;
}

json partsOf(const std::vector<Reconstruction>& jobs) {
  json parts;
  for (std::size_t s = 0; s < jobStageCount; ++s) {
    std::vector<double> seconds;
    for (const Reconstruction& job : jobs) seconds.push_back(job.account.seconds[s]);
    if (medianOf(seconds) > 0) parts[std::string(jobStageNames[s])] = medianOf(seconds);
  }
  return parts;
}

class DeviceBench {
 public:
  explicit DeviceBench(const Arguments& arguments)
      : arguments_(arguments), backend_(loadCudaModule(arguments.module)), count_(backend_->deviceCount()) {}

  json run() {
    json report = machineReport();
    report["gpu"] = backend_->fingerprint();
    for (const DeviceState& device : backend_->deviceStates()) report["devices"].push_back(device.name);
    report["rounds"] = arguments_.rounds;
    for (const Job& job : jobsOf(arguments_)) runJob(job, report);
    if (arguments_.side > 0)
      for (const bool adjoint : {true, false}) weakScaling(adjoint, report);
    return report;
  }

 private:
  static std::string listOf(int devices) { return devices == 1 ? "0" : "0-" + std::to_string(devices - 1); }

  void runJob(const Job& job, json& report) {
    Wisdom wisdom("");
    std::map<int, std::vector<Reconstruction>> done;
    std::shared_ptr<const Image> reference;
    std::map<int, double> different;
    for (int round = 0; round <= arguments_.rounds; ++round)
      for (int n = 1; n <= count_; ++n) {
        ReconOptions options = job.options;
        options.devices = listOf(n);
        Reconstruction result = reconstruct({backend_.get()}, *job.scan, options, &wisdom, {});
        if (!reference) reference = result.image;
        if (round == 0) different[n] = nrmse(*result.image, *reference);
        result.image.reset();
        if (round > 0) done[n].push_back(std::move(result));  // the first one tunes and loads code
      }
    std::map<int, double> median;
    for (const auto& [n, results] : done) {
      std::vector<double> seconds;
      for (const Reconstruction& result : results) seconds.push_back(result.seconds);
      median[n] = medianOf(seconds);
      json row = {
          {"job", job.name},
          {"matrix", job.scan->geometry.matrix},
          {"coils", job.scan->coils},
          {"frames", job.scan->frames},
          {"samples", job.scan->trajectory(0).samples()},
          {"devices", n},
          {"divided", results.back().divided},
          {"job seconds", median[n]},
          {"all", seconds},
          {"efficiency", median[1] / (n * median[n])},
          {"nrmse to one device", different[n]},
          {"transform", results.back().iterations.empty() ? results.back().plan.description
                                                          : results.back().iterations.front().transform},
          {"notes", results.back().notes},
          {"parts", partsOf(results)}};
      for (const RankAccount& rank : results.back().ranks) row["seconds of each"].push_back(rank.seconds);
      if (arguments_.spans) row["spans"] = spansOf(job, n, wisdom);
      tell(std::move(row), report);
    }
  }

  // By track and name: seconds in all spans of that name, and how many there are.
  json spansOf(const Job& job, int devices, Wisdom& wisdom) {
    ReconOptions options = job.options;
    options.devices = listOf(devices);
    TraceRecorder recorder;
    {
      const SpanScope scope(&recorder);
      reconstruct({backend_.get()}, *job.scan, options, &wisdom, {});
    }
    json spans;
    const Trace trace = recorder.take();
    for (const TraceSpan& span : trace.spans) {
      if (span.kind == SpanKind::iteration || span.kind == SpanKind::work) continue;
      const std::string track = trackName(trace, span.track);
      json& sum = spans[track.empty() ? "job" : track][span.name];
      if (sum.is_null()) sum = {{"seconds", 0.0}, {"count", 0}};
      sum["seconds"] = sum["seconds"].get<double>() + span.end - span.begin;
      sum["count"] = sum["count"].get<int>() + 1;
    }
    return spans;
  }

  // Points set and one transform, from host memory to host memory, on each device at the same time.
  // The slowest device counts, in each of the two steps and in all.
  void weakScaling(bool adjoint, json& report) {
    const std::int64_t n = arguments_.side, points = n * n * n;
    const NufftProblem problem{.dims = 3, .size = {n, n, n}};
    NufftOptions options;
    options.accuracy = 1e-3;
    double alone = 0;
    for (int devices = 1; devices <= count_; ++devices) {
      std::barrier start(devices);
      const auto rounds = std::size_t(arguments_.rounds) + 1;
      std::vector<double> setting(rounds), transforming(rounds), whole(rounds);
      std::mutex mutex;
      std::vector<std::jthread> threads;
      for (int d = 0; d < devices; ++d)
        threads.emplace_back([&, d] {
          const PoolLane lane(d);
          const auto plan = backend_->device(d).plan<float>(problem, options);
          std::mt19937 random(unsigned(d) + 1);
          std::uniform_real_distribution<double> place(-0.5, 0.5);
          std::vector<double> places(std::size_t(3 * points));
          for (double& k : places) k = place(random);
          Buffer<cfloat> samples(std::size_t(points), cfloat(1)), image(std::size_t(points), cfloat(1));
          for (std::size_t round = 0; round < rounds; ++round) {
            start.arrive_and_wait();
            const double begun = now();
            plan->setPoints(places);
            const double set = now();
            if (adjoint)
              plan->adjoint(samples.data(), image.data());
            else
              plan->forward(image.data(), samples.data());
            const double done = now();
            const std::lock_guard lock(mutex);
            setting[round] = std::max(setting[round], set - begun);
            transforming[round] = std::max(transforming[round], done - set);
            whole[round] = std::max(whole[round], done - begun);
          }
        });
      threads.clear();
      // The first round loads code and makes page-locked memory.
      const auto median = [](const std::vector<double>& all) {
        return medianOf({all.begin() + 1, all.end()});
      };
      const double seconds = median(whole);
      if (devices == 1) alone = seconds;
      tell({{"job", adjoint ? "weak scaling, type 1" : "weak scaling, type 2"},
            {"matrix", problem.size},
            {"points of each", points},
            {"devices", devices},
            {"points seconds", median(setting)},
            {"transform seconds", median(transforming)},
            {"seconds", seconds},
            {"efficiency", alone / seconds}},
           report);
    }
  }

  static void tell(json row, json& report) {
    std::printf("%s\n", row.dump().c_str());
    std::fflush(stdout);
    report["rows"].push_back(std::move(row));
  }

  const Arguments& arguments_;
  std::unique_ptr<Backend> backend_;
  int count_;
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Several GPUs of one machine against one",
      [&](CLI::App& app) {
        app.add_option("--module", arguments.module, "The CUDA module")->required();
        app.add_option("--volume", arguments.volume, "Pixels an axis of the volume; 0: none")
            ->capture_default_str();
        app.add_option("--coils", arguments.coils, "Of the volume")->capture_default_str();
        app.add_option("--acceleration", arguments.acceleration, "Of the volume")->capture_default_str();
        app.add_option("--frames", arguments.frames, "Of jobs that divide frames; 0: none")
            ->capture_default_str();
        app.add_option("--points", arguments.side, "Cube root of a transform's points and pixels; 0: none")
            ->capture_default_str();
        app.add_option("--rounds", arguments.rounds, "Jobs that are timed")->check(CLI::PositiveNumber);
        app.add_flag("--spans", arguments.spans, "Trace one more job of each kind");
        addJson(app, arguments.json);
      },
      [&] { save(arguments.json, DeviceBench(arguments).run()); });
}
