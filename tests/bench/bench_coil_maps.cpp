// Coil maps and the whole SENSE job of one 2-D scan, beside BART's where its program is installed:
// ESPIRiT from the same calibration samples in turns with `bart ecalib`, and from samples to image
// in turns with `bart ecalib` and `bart pics`; medians. BART's times hold starting its programs and
// their files (on /dev/shm or --folder), ours hold neither. The answers are compared by the angle
// between the maps of each pixel, and by the NRMSE of our SENSE images with either's maps. Each
// image is also put through its maps and exact enough transforms to samples again: the difference
// to the measured samples, without weights as `pics` minimises it, is its residual, and our job
// without weights is timed with the iterations that reach the residual of BART.
//
//   bench_coil_maps SCAN [--rounds N] [--iterations N] [--json FILE]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/measure/rank_test.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/coil_maps.h"
#include "engine/recon/density/density.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/read/read_scan.h"
#include "tests/bench/bench_program.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string scan, json, folder = "/dev/shm";
  int rounds = 5, iterations = 20;
};

void writeCfl(const fs::path& name, const std::vector<std::int64_t>& dims, const cfloat* values) {
  std::int64_t count = 1;
  std::ofstream header(name.string() + ".hdr");
  header << "# Dimensions\n";
  for (const std::int64_t d : dims) header << d << ' ', count *= d;
  header << '\n';
  std::ofstream(name.string() + ".cfl", std::ios::binary)
      .write(reinterpret_cast<const char*>(values), std::streamsize(count * std::int64_t(sizeof(cfloat))));
}

std::vector<cfloat> readCfl(const fs::path& name, std::int64_t count) {
  std::vector<cfloat> values(static_cast<std::size_t>(count));
  std::ifstream(name.string() + ".cfl", std::ios::binary)
      .read(reinterpret_cast<char*>(values.data()), std::streamsize(count * std::int64_t(sizeof(cfloat))));
  return values;
}

template <class Work>
double secondsOf(const Work& work) {
  const double start = now();
  work();
  return now() - start;
}

void bart(const std::string& arguments) {
  if (std::system(("bart " + arguments + " > /dev/null").c_str()) != 0)
    throw Error("Cannot compare with BART", "bart " + arguments + " failed", "Run it by hand");
}

class MapBench {
 public:
  explicit MapBench(const Arguments& arguments)
      : arguments_(arguments),
        backend_(makeCpuBackend()),
        scan_(readScan(arguments.scan, {}, {})),
        folder_(fs::path(arguments.folder) / "spokelab-bench-coil-maps") {
    const Trajectory& t = scan_->trajectory(0);
    if (t.dims != 2) throw Error("Cannot compare", "the scan is not 2-D", "Use another");
    for (int c = 0; c < scan_->coils; ++c) samples_.push_back(scan_->data(0, 0, c));
    density_ = densityWeights(t, scan_->geometry.matrix, {}, *backend_, {}).values.own();
    fs::create_directories(folder_);
  }
  ~MapBench() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  MapBench(const MapBench&) = delete;
  MapBench& operator=(const MapBench&) = delete;

  json run() {
    const bool peer = std::system("bart version > /dev/null 2>&1") == 0;
    json report = machineReport();
    report.update({{"scan", scan_->name},
                   {"coils", scan_->coils},
                   {"matrix", scan_->geometry.matrix},
                   {"threads", hardwareThreads()},
                   {"rounds", arguments_.rounds},
                   {"iterations", arguments_.iterations}});
    std::vector<double> maps, job, theirMaps, theirJob;
    reconstruct({});  // plans are remembered
    if (peer) writePeerInputs();
    for (int round = 0; round < arguments_.rounds; ++round) {
      maps.push_back(secondsOf([&] { estimate(); }));
      if (peer) theirMaps.push_back(secondsOf([&] { runEcalib(); }));
      job.push_back(secondsOf([&] { reconstruct({}); }));
      if (peer) theirJob.push_back(theirMaps.back() + secondsOf([&] { runPics(); }));
    }
    report["maps_seconds"] = medianOf(maps);
    report["job_seconds"] = medianOf(job);
    report["maps_all"] = maps;
    report["job_all"] = job;
    if (peer) {
      report["bart_maps_seconds"] = medianOf(theirMaps);
      report["bart_job_seconds"] = medianOf(theirJob);
      report["bart_maps_all"] = theirMaps;
      report["bart_job_all"] = theirJob;
      report["maps_faster"] = medianOf(theirMaps) / medianOf(maps);
      report["job_faster"] = medianOf(theirJob) / medianOf(job);
      compare(report);
    }
    return report;
  }

 private:
  CentreImages centre() const {
    const Trajectory& t = scan_->trajectory(0);
    return centreImages(*backend_, {t.dims, matrix(), t.points, samples_}, density_, options_.calibration,
                        centreOversampling(options_.method), {}, {});
  }
  Index3 matrix() const { return {scan_->geometry.matrix[0], scan_->geometry.matrix[1], 1}; }
  std::vector<cfloat> estimate() const {
    return estimateCoilMaps(centre(), scan_->coils, matrix(), 2, options_, {});
  }

  Reconstruction reconstruct(const std::string& mapFile) {
    ReconOptions o;
    o.iterative.method = ReconMethod::sense;
    o.iterative.solver.iterations = iterations_;
    o.iterative.dataWeights = weights_;
    o.iterative.coilMaps = mapFile;
    return spokelab::reconstruct({backend_.get()}, *scan_, o, &wisdom_, {});
  }

  void writePeerInputs() const {
    const Trajectory& t = scan_->trajectory(0);
    const std::int64_t shots = t.shots(), length = t.samples() / shots, coils = scan_->coils;
    std::vector<cfloat> points, samples;
    for (std::int64_t j = 0; j < t.samples(); ++j)
      for (std::size_t d = 0; d < 3; ++d)
        points.emplace_back(d < 2 ? float(t.points[std::size_t(j) * 2 + d]) : 0.0F);
    for (const cfloat* s : samples_) samples.insert(samples.end(), s, s + t.samples());
    writeCfl(folder_ / "traj", {3, length, shots}, points.data());
    writeCfl(folder_ / "samples", {1, length, shots, coils}, samples.data());
    // The calibration region that our estimate uses, in the middle of an empty k-space.
    const CentreImages images = centre();
    const std::int64_t width = options_.calibration * 3 / 4;
    const Index3 n = matrix();
    const CalibrationData data =
        calibrationData(images.images.data(), scan_->coils, images.size, {width, width, 1}, {});
    std::vector<cfloat> kspace(std::size_t(product(n) * coils));
    for (std::int64_t c = 0; c < coils; ++c)
      for (std::int64_t y = 0; y < width; ++y)
        for (std::int64_t x = 0; x < width; ++x)
          kspace[std::size_t((c * n[1] + y + n[1] / 2 - width / 2) * n[0] + x + n[0] / 2 - width / 2)] =
              data.values[std::size_t((c * width + y) * width + x)];
    writeCfl(folder_ / "calibration", {n[0], n[1], 1, coils}, kspace.data());
  }

  std::string at(const char* name) const { return (folder_ / name).string(); }
  void runEcalib() const {
    bart("ecalib -m1 -k6 -r" + std::to_string(options_.calibration * 3 / 4) + " -c" +
         std::to_string(options_.crop) + ' ' + at("calibration") + ' ' + at("maps"));
  }
  void runPics() const {
    bart("pics -l2 -r0.001 -i" + std::to_string(arguments_.iterations) + " -t " + at("traj") + ' ' +
         at("samples") + ' ' + at("maps") + ' ' + at("image"));
  }

  // The angle between our maps and theirs where both have one, and what it does to the image.
  void compare(json& report) {
    const std::int64_t pixels = product(matrix());
    const std::vector<cfloat> ours = estimate(), theirs = readCfl(folder_ / "maps", pixels * scan_->coils);
    std::vector<double> angles;
    std::int64_t onlyOurs = 0, onlyTheirs = 0;
    for (std::int64_t i = 0; i < pixels; ++i) {
      cdouble along = 0;
      double a = 0, b = 0;
      for (std::int64_t c = 0; c < scan_->coils; ++c) {
        const cdouble x(ours[std::size_t(c * pixels + i)]), y(theirs[std::size_t(c * pixels + i)]);
        along += std::conj(x) * y;
        a += std::norm(x);
        b += std::norm(y);
      }
      onlyOurs += a > 0 && b == 0;
      onlyTheirs += a == 0 && b > 0;
      if (a > 0 && b > 0)
        angles.push_back(std::asin(std::sqrt(std::max(0.0, 1 - std::norm(along) / (a * b)))));
    }
    std::sort(angles.begin(), angles.end());
    const auto quantile = [&](double q) { return angles[std::size_t(q * double(angles.size() - 1))]; };
    report["angle_rad"] = {{"median", quantile(0.5)}, {"p95", quantile(0.95)}, {"p99", quantile(0.99)}};
    report["pixels"] = {{"both", angles.size()}, {"only_ours", onlyOurs}, {"only_theirs", onlyTheirs}};
    compareResiduals(ours, theirs, report);
    report["image_nrmse"] = nrmse(*reconstruct({}).image, *reconstruct(at("maps.cfl")).image);
  }

  // |y - s A C x| / |y| of an image x with maps C; s: the scale that fits best.
  double residualOf(const std::vector<cfloat>& image, const std::vector<cfloat>& maps) const {
    const Trajectory& t = scan_->trajectory(0);
    const std::int64_t pixels = product(matrix()), samples = t.samples();
    NufftProblem problem;
    problem.dims = 2;
    problem.size = matrix();
    problem.batch = scan_->coils;
    NufftOptions options;
    options.accuracy = 1e-5;
    options.alpha = 2;
    std::vector<double> points(t.points.begin(), t.points.end());
    for (std::size_t j = 0; j < points.size(); ++j) points[j] /= double(problem.size[j % 2]);
    std::vector<cfloat> coilImages(maps.size()), predicted(std::size_t(samples * scan_->coils));
    for (std::size_t i = 0; i < maps.size(); ++i) coilImages[i] = maps[i] * image[i % std::size_t(pixels)];
    const auto plan = backend_->plan<float>(problem, options);
    plan->setPoints(points);
    plan->forward(coilImages.data(), predicted.data());
    cdouble along = 0;
    double of = 0, whole = 0;
    for (std::int64_t c = 0; c < scan_->coils; ++c)
      for (std::int64_t j = 0; j < samples; ++j) {
        const cdouble p(predicted[std::size_t(c * samples + j)]), y(samples_[std::size_t(c)][j]);
        along += std::conj(p) * y;
        of += std::norm(p);
        whole += std::norm(y);
      }
    return std::sqrt(std::max(0.0, 1 - std::norm(along) / (of * whole)));
  }

  // Our job with the iterations that reach the residual of BART.
  void compareResiduals(const std::vector<cfloat>& ours, const std::vector<cfloat>& theirs, json& report) {
    const double target = residualOf(readCfl(folder_ / "image", product(matrix())), theirs);
    report["bart_residual"] = target;
    report["our_residual"] = residualOf(imageValues(), ours);
    constexpr int maxIterations = 60, step = 5;
    const int asked = std::exchange(iterations_, step);
    weights_ = DataWeights::none;
    double residual = 1;
    for (;; iterations_ += step) {
      residual = residualOf(imageValues(), ours);
      if (residual <= target || iterations_ == maxIterations) break;
    }
    std::vector<double> seconds;
    for (int round = 0; round < arguments_.rounds; ++round)
      seconds.push_back(secondsOf([&] { reconstruct({}); }));
    report["equal_residual"] = {{"iterations", iterations_},
                                {"reached", residual <= target},
                                {"residual", residual},
                                {"job_seconds", medianOf(seconds)},
                                {"job_faster", report["bart_job_seconds"].get<double>() / medianOf(seconds)}};
    iterations_ = asked;
    weights_ = DataWeights::density;
  }
  std::vector<cfloat> imageValues() {
    const auto image = reconstruct({}).image;
    return {image->data.begin(), image->data.end()};
  }

  const Arguments& arguments_;
  int iterations_ = arguments_.iterations;  // of our SENSE
  DataWeights weights_ = DataWeights::density;
  std::unique_ptr<Backend> backend_;
  std::shared_ptr<const Scan> scan_;
  fs::path folder_;
  std::vector<const cfloat*> samples_;
  Buffer<double> density_;
  CoilMapOptions options_;
  Wisdom wisdom_{""};
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "Coil maps and SENSE of a 2-D scan, beside BART",
      [&](CLI::App& app) {
        app.add_option("scan", arguments.scan, "The scan")->required();
        app.add_option("--rounds", arguments.rounds, "Turns")->check(CLI::PositiveNumber);
        app.add_option("--iterations", arguments.iterations, "Of SENSE")->check(CLI::PositiveNumber);
        app.add_option("--folder", arguments.folder, "Where BART's files go");
        addJson(app, arguments.json);
      },
      [&] {
        const json report = MapBench(arguments).run();
        std::printf("%s\n", report.dump(1).c_str());
        save(arguments.json, report);
      });
}
