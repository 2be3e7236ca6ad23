// CG-SENSE in 3-D on the GPU beside the CPU of the same machine: 240^3, 8 modelled coils, radial,
// 512 samples x 8,000 readouts, 10 iterations at an accuracy of 1e-3. Wall time, in parts: planning
// (transforms, weights, maps), the right side (samples to the device and their adjoint), iterations
// (the image back on the host included). Data are the exact signal's, of a voxelised object, by a
// NUFFT of accuracy 1e-5; the GPU's images are compared with the CPU's and with the object.
//
//   bench_gpu_iterative MODULE [--size N] [--coils C] [--readouts R] [--iterations K] [--no-cpu] [--json FILE]
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numbers>

#include <nlohmann/json.hpp>

#include "engine/core/simd/cpu_features.h"
#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "engine/recon/density/density.h"
#include "engine/recon/density/radial_weights.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/gpu_module.h"
#include "tests/bench/result_text.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

constexpr double pi = std::numbers::pi;

struct Arguments {
  std::string module, json;
  std::int64_t size = 240, coils = 8, readouts = 8000, samples = 512;
  int iterations = 10;
  bool cpu = true;
};

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::runtime_error(key + " needs a value");
      return argv[++i];
    };
    if (key == "--json")
      a.json = value();
    else if (key == "--size")
      a.size = std::stoll(value());
    else if (key == "--coils")
      a.coils = std::stoll(value());
    else if (key == "--readouts")
      a.readouts = std::stoll(value());
    else if (key == "--iterations")
      a.iterations = std::stoi(value());
    else if (key == "--no-cpu")
      a.cpu = false;
    else
      a.module = key;
  }
  if (a.module.empty()) throw std::runtime_error("usage: bench_gpu_iterative MODULE [options]");
  return a;
}

struct Experiment {
  SenseProblem problem;
  std::vector<cfloat> truth;
  std::vector<std::vector<cfloat>> data;
};

// Lines through the centre, over the sphere by the golden ratio; n/2 cycles/FOV at their ends.
Trajectory radial(const Arguments& a) {
  Trajectory t;
  t.dims = 3;
  constexpr double golden = 2.399963229728653;
  for (std::int64_t line = 0; line < a.readouts; ++line) {
    t.shotOffsets.push_back(line * a.samples);
    const double z = 1 - (2 * double(line) + 1) / double(a.readouts), r = std::sqrt(1 - z * z),
                 turn = golden * double(line);
    for (std::int64_t s = 0; s < a.samples; ++s) {
      const double k = (double(s) / double(a.samples) - 0.5) * double(a.size);
      t.points.insert(t.points.end(), {k * r * std::cos(turn), k * r * std::sin(turn), k * z});
    }
  }
  t.shotOffsets.push_back(a.readouts * a.samples);
  return t;
}

// A ball with smaller balls in it, and coils around it.
Experiment makeExperiment(const Arguments& a, Backend& device) {
  Experiment e;
  SenseProblem& p = e.problem;
  const std::int64_t n = a.size, pixels = n * n * n;
  p.dims = 3;
  p.matrix = {n, n, n};
  const Trajectory trajectory = radial(a);
  p.points.assign(trajectory.points.begin(), trajectory.points.end());
  p.shotOffsets = trajectory.shotOffsets;
  Buffer<double> weights;
  if (!radialWeights(trajectory, weights, p.matrix)) throw std::runtime_error("radial weights are missing");
  p.weights = std::move(weights);
  e.truth.resize(std::size_t(pixels));
  p.maps.resize(std::size_t(a.coils * pixels));
  parallelTasks(n, 0, [&](std::int64_t iz) {
    const double z = double(iz) / double(n) - 0.5;
    for (std::int64_t iy = 0; iy < n; ++iy)
      for (std::int64_t ix = 0; ix < n; ++ix) {
        const double x = double(ix) / double(n) - 0.5, y = double(iy) / double(n) - 0.5;
        const auto i = std::size_t((iz * n + iy) * n + ix);
        double v = x * x + y * y + z * z < 0.16 ? 1 : 0;
        for (int b = 0; b < 6; ++b) {
          const double u = x - 0.25 * std::cos(b), w = y - 0.25 * std::sin(b), q = z - 0.04 * (b - 2.5);
          if (u * u + w * w + q * q < 0.0004 * (b + 1)) v += 0.3;
        }
        e.truth[i] = cfloat(float(v), 0);
        double square = 0;
        for (std::int64_t c = 0; c < a.coils; ++c) {
          const double angle = 2 * pi * double(c) / double(a.coils);
          const cdouble map = std::polar(std::exp(-3 * (std::pow(x - 0.6 * std::cos(angle), 2) +
                                                        std::pow(y - 0.6 * std::sin(angle), 2))),
                                         2 * x * std::cos(angle) + z);
          square += std::norm(map);
          p.maps[std::size_t(c * pixels) + i] = cfloat(map);
        }
        for (std::int64_t c = 0; c < a.coils; ++c)
          p.maps[std::size_t(c * pixels) + i] *= float(1 / std::sqrt(square));
      }
  });
  NufftProblem nufft{3, p.matrix, Precision::single, -1, 1};
  NufftOptions options;
  options.accuracy = 1e-5;
  options.alpha = 1.5;
  const auto plan = device.plan<float>(nufft, options);
  std::vector<double> points(p.points.begin(), p.points.end());
  for (double& k : points) k /= double(n);
  plan->setPoints(points);
  std::vector<cfloat> coilImage(e.truth.size());
  for (std::int64_t c = 0; c < a.coils; ++c) {
    for (std::size_t i = 0; i < coilImage.size(); ++i)
      coilImage[i] = e.truth[i] * p.maps[std::size_t(c * pixels) + i];
    e.data.emplace_back(std::size_t(a.readouts * a.samples));
    plan->forward(coilImage.data(), e.data.back().data(), {});
  }
  for (const auto& coil : e.data) p.coils.push_back(coil.data());
  p.nufft.accuracy = 1e-3;
  return e;
}

double apart(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  return std::sqrt(difference / norm);
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments a = parse(argc, argv);
  const auto device = loadCudaModule(a.module);
  const auto cpu = makeCpuBackend();
  const std::string date = timeNow();
  Experiment e = makeExperiment(a, *device);
  json report{{"device", device->badge()},
              {"software", device->fingerprint()},
              {"cpu", processorName()},
              {"threads", hardwareThreads()},
              {"commit", versionCommit()},
              {"date", date},
              {"matrix", a.size},
              {"coils", a.coils},
              {"samples", a.samples * a.readouts},
              {"iterations", a.iterations},
              {"cases", json::array()}};
  std::vector<cfloat> reference;
  double worst = 0;
  const auto solve = [&](Backend& backend, TransformKind kind, const char* name, bool twice) {
    constexpr double alpha = 1.25;
    e.problem.transform = kind;
    e.problem.nufft.alpha = alpha;
    e.problem.nufft.normal = kind == TransformKind::toeplitz ? NormalMethod::toeplitz : NormalMethod::gridded;
    const IterationOptions options{a.iterations, 1e-4, 0, Regularization::tikhonov};
    if (twice)
      backend.solveSense(e.problem, options, {}, {});  // the first: device code is loaded, memory is taken
    const SenseSolution s = backend.solveSense(e.problem, options, {}, {});
    if (reference.empty()) reference = s.image;
    const double difference = apart(s.image, reference), error = apart(s.image, e.truth);
    worst = std::max(worst, difference);
    std::printf(
        "%-14s planning %.3f s, right side %.3f s, %d iterations %.3f s; residual %.2e, from the first %.1e, "
        "from the object %.4f, arrays moved %lld; %s\n",
        name, s.planningSeconds, s.rightSideSeconds, int(s.residuals.size()), s.iterationSeconds,
        s.residuals.empty() ? 0 : s.residuals.back(), difference, error,
        static_cast<long long>(s.arraysMoved), s.transform.c_str());
    for (const std::string& note : s.notes) std::printf("  %s\n", note.c_str());
    std::fflush(stdout);
    report["cases"].push_back({{"case", name},
                               {"transform", s.transform},
                               {"planning s", s.planningSeconds},
                               {"right side s", s.rightSideSeconds},
                               {"iterations s", s.iterationSeconds},
                               {"seconds", s.seconds},
                               {"residuals", s.residuals},
                               {"arrays moved", s.arraysMoved},
                               {"from the first case", difference},
                               {"from the object", error}});
    if (!a.json.empty()) std::ofstream(a.json) << resultText(report) << "\n";
  };
  solve(*device, TransformKind::nufft, "GPU, gridded", true);
  solve(*device, TransformKind::toeplitz, "GPU, Toeplitz", true);
  if (a.cpu) {
    solve(*cpu, TransformKind::nufft, "CPU, gridded", false);
    solve(*cpu, TransformKind::toeplitz, "CPU, Toeplitz", false);
  }
  constexpr double agreement = 5e-3;  // of images at 1e-3 a transform
  if (!(worst < agreement)) std::printf("the images DIFFER: %.2e\n", worst);
  return worst < agreement ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 1;
}
