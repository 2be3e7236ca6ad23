// Measures the opening of a large scan over the time for reading its bytes; memory beside the scan;
// the latency of a cancel. Both files (ISMRMRD, and a description with .npy) hold the same scan;
// caches are dropped for the file before each run, and the runs take turns.
//   bench_bench_read_scan FOLDER [GB] [repeats]
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/measure/rank_test.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/cpu_badge.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"

namespace {

using namespace spokelab;
namespace fs = std::filesystem;

constexpr int shots = 1600, samples = 512, coils = 16;

std::shared_ptr<Scan> largeScan(double bytes) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {samples / 2, samples / 2, 1};
  o.trajectory.shots = shots;
  o.trajectory.samplesPerShot = samples;
  auto scan = std::make_shared<Scan>(*simulate(o, Progress()));
  const std::size_t frame = std::size_t(shots) * samples * coils;
  scan->coils = coils;
  scan->frames = int(bytes / double(frame * sizeof(cfloat)));
  scan->samples.clear();
  scan->noise.clear();
  for (int f = 0; f < scan->frames; ++f) {
    Buffer<cfloat>& out = scan->samples.emplace_back(frame);
    for (std::size_t i = 0; i < frame; ++i)
      out[i] = cfloat(float((i * 2654435761U + unsigned(f)) >> 16), float(i % 77));
  }
  return scan;
}

void writeArrays(const Scan& scan, const fs::path& folder) {
  const auto header = [](const std::string& type, const std::string& shape) {
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    text.append(63 - (text.size() + 10) % 64, ' ');
    text += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + char(text.size()) + char(0) + text;
  };
  const std::string points = std::to_string(shots) + ", " + std::to_string(samples);
  std::ofstream ksp(folder / "large-ksp.npy", std::ios::binary),
      traj(folder / "large-traj.npy", std::ios::binary);
  ksp << header("<c8",
                "(" + std::to_string(scan.frames) + ", " + std::to_string(coils) + ", " + points + ")");
  for (const auto& frame : scan.samples)
    ksp.write(reinterpret_cast<const char*>(frame.data()), std::streamsize(frame.size() * sizeof(cfloat)));
  const auto& k = scan.trajectory(0).points;
  traj << header("<f8", "(" + points + ", 2)");
  traj.write(reinterpret_cast<const char*>(k.data()), std::streamsize(k.size() * sizeof(double)));
  std::ofstream(folder / "large.json")
      << R"({"spokelab-scan": 1, "samples": {"file": "large-ksp.npy", "axes": ["frame", "coil", "shot", "sample"]},
             "trajectory": {"file": "large-traj.npy", "unit": "cycles/FOV"}, "matrix": [256, 256]})";
}

void dropCache(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY);
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

double readBytes(const fs::path& file) {
  dropCache(file);
  std::vector<char> piece(4 << 20);
  const double start = now();
  const int fd = ::open(file.c_str(), O_RDONLY);
  while (::read(fd, piece.data(), piece.size()) > 0) continue;
  ::close(fd);
  return now() - start;
}

double openScan(const fs::path& scanFile, const fs::path& dataFile) {
  dropCache(dataFile);
  const double start = now();
  const auto scan = readScan(scanFile, ReadOptions(), Progress());
  return now() - start;
}

double residentBytes() {  // most so far
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) * 1024;
}

// The longest time from the request to the end, over requests all along the reading.
double cancelLatency(const fs::path& file, double seconds) {
  double worst = 0;
  for (int i = 1; i < 8; ++i) {
    std::stop_source stop;
    double asked = 0;
    std::jthread clock([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds * i / 8));
      asked = now();
      stop.request_stop();
    });
    try {
      (void)readScan(file, ReadOptions(), Progress(stop.get_token()));
    } catch (const Cancelled&) {
      worst = std::max(worst, now() - asked);
    }
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [GB] [repeats]\n", argv[0]);
    return 2;
  }
  const fs::path folder = argv[1];
  const double gigabytes = argc > 2 ? std::atof(argv[2]) : 4;
  const int repeats = argc > 3 ? std::atoi(argv[3]) : 3;
  const fs::path h5 = folder / "large.h5", ksp = folder / "large-ksp.npy", json = folder / "large.json";
  try {
    {
      const auto scan = largeScan(gigabytes * 1e9);
      writeScan(*scan, h5, Progress());
      writeArrays(*scan, folder);
    }
    double load[1] = {0};
    getloadavg(load, 1);
    nlohmann::json result = {{"device", cpuBadge()},
                             {"fingerprint", cpuFingerprint()},
                             {"gigabytes", gigabytes},
                             {"repeats", repeats},
                             {"cache", "dropped before each run"},
                             {"load_before", load[0]},
                             {"files", nlohmann::json::array()}};
    struct Case {
      const char* name;
      fs::path scan, data;
    };
    const std::vector<Case> cases = {{"ISMRMRD", h5, h5}, {"npy", json, ksp}};
    for (std::size_t c = 0; c < cases.size(); ++c) {
      std::vector<double> bytes, open, ratio;
      for (int r = 0; r < repeats; ++r) {
        bytes.push_back(readBytes(cases[c].data));
        open.push_back(openScan(cases[c].scan, cases[c].data));
        ratio.push_back(open.back() / bytes.back());
      }
      const double latency = cancelLatency(cases[c].scan, medianOf(open));
      result["files"].push_back({{"format", cases[c].name},
                                 {"bytes_s", medianOf(bytes)},
                                 {"open_s", medianOf(open)},
                                 {"ratio", medianOf(ratio)},
                                 {"ratio_lowest", *std::min_element(ratio.begin(), ratio.end())},
                                 {"ratio_highest", *std::max_element(ratio.begin(), ratio.end())},
                                 {"cancel_s", latency}});
    }
    getloadavg(load, 1);
    result["load_after"] = load[0];
    result["peak_resident_GB"] = residentBytes() / 1e9;
    std::printf("%s\n", result.dump(2).c_str());
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  for (const char* name : {"large.h5", "large-ksp.npy", "large-traj.npy", "large.json"})
    fs::remove(folder / name);
  return 0;
}
