// Measures the transforms of a grid's lines (LinesFft) beside FFTW planned by its cost model, in
// turns, for the lengths of usual grids: batches of 16 lines as the pruned transforms have them, and
// single lines. In a build with -DSPOKELAB_FFT=ducc that is DUCC beside FFTW. Both results are
// compared first.
//   bench_bench_lines_fft [--repeats 31] [--json FILE]
#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iomanip>
#include <random>

#include "engine/core/measure/rank_test.h"
#include "engine/core/stage_timer.h"
#include "engine/nufft/fft/lines_fft.h"
#include "tests/bench/bench_program.h"

namespace {

using namespace spokelab;

constexpr int linesOfBlock = 16;
const std::vector<int> blockLengths = {32,  54,  64,  80,  96,  108, 128, 160, 180, 192, 216, 240, 256, 270,
                                       288, 320, 360, 384, 400, 432, 480, 512, 540, 576, 640, 768, 1024};
const std::vector<int> singleLengths = {256, 1000, 4096, 32768, 262144};

template <class Real>
struct Peer;
template <>
struct Peer<float> {
  using Plan = fftwf_plan;
  static Plan make(int n, int lines, int distance, void* from, void* to) {
    return fftwf_plan_many_dft(1, &n, lines, static_cast<fftwf_complex*>(from), nullptr, 1, distance,
                               static_cast<fftwf_complex*>(to), nullptr, 1, distance, -1, FFTW_ESTIMATE);
  }
  static void run(Plan plan) { fftwf_execute(plan); }
  static void end(Plan plan) { fftwf_destroy_plan(plan); }
};
template <>
struct Peer<double> {
  using Plan = fftw_plan;
  static Plan make(int n, int lines, int distance, void* from, void* to) {
    return fftw_plan_many_dft(1, &n, lines, static_cast<fftw_complex*>(from), nullptr, 1, distance,
                              static_cast<fftw_complex*>(to), nullptr, 1, distance, -1, FFTW_ESTIMATE);
  }
  static void run(Plan plan) { fftw_execute(plan); }
  static void end(Plan plan) { fftw_destroy_plan(plan); }
};

struct Row {
  std::string precision;
  int length, lines;
  double ours, peer, ratio, difference;  // seconds; ratio: median of the turns' ratios
};

template <class Real>
Row measure(const std::string& precision, int length, int lines, int repeats) {
  using Complex = std::complex<Real>;
  constexpr int cellsPerCacheLine = 64 / int(sizeof(Complex));
  const int distance =
      lines == 1 ? length : ((length + cellsPerCacheLine - 1) / cellsPerCacheLine | 1) * cellsPerCacheLine;
  const auto numbers = std::size_t(lines) * std::size_t(distance);
  // Like the pruned transforms: beside the block where both fit into the cache.
  const bool inPlace = lines == 1 || !fitsTwice(std::int64_t(numbers * sizeof(Complex)));
  const FftTarget target = inPlace ? FftTarget::inPlace : FftTarget::otherArray;
  Buffer<Complex> input(numbers), from(numbers), other(numbers);
  Complex* const to = inPlace ? from.data() : other.data();
  std::minstd_rand random(1);
  std::normal_distribution<Real> normal;
  for (Complex& value : input) value = {normal(random), normal(random)};

  const auto plan = Peer<Real>::make(length, lines, distance, from.data(), to);
  const LinesFft<Real> ours(length, lines, distance, -1, 1, target);
  from = input;
  Peer<Real>::run(plan);
  const std::vector<Complex> expected(to, to + numbers);
  from = input;
  ours.execute(from.data(), to);
  double difference = 0, norm = 0;
  for (int line = 0; line < lines; ++line)
    for (int i = 0; i < length; ++i) {
      const auto at = std::size_t(line) * std::size_t(distance) + std::size_t(i);
      difference += std::norm(std::complex<double>(to[at]) - std::complex<double>(expected[at]));
      norm += std::norm(std::complex<double>(expected[at]));
    }

  const int calls = std::max(1, int(2e6 / (double(length) * lines * std::log2(length))));
  const auto timed = [&](const auto& run) {
    double seconds = 0;
    for (int done = 0; done < calls;) {
      from = input;  // in place, values would grow without bound
      const double start = now();
      for (int i = 0; i < 4 && done < calls; ++i, ++done) run();
      seconds += now() - start;
    }
    return seconds / calls;
  };
  std::vector<double> peer, own, ratios;
  for (int i = 0; i < repeats; ++i) {
    peer.push_back(timed([&] { Peer<Real>::run(plan); }));
    own.push_back(timed([&] { ours.execute(from.data(), to); }));
    ratios.push_back(own.back() / peer.back());
  }
  Peer<Real>::end(plan);
  return {precision,
          length,
          lines,
          medianOf(own),
          medianOf(peer),
          medianOf(ratios),
          std::sqrt(difference / norm)};
}

}  // namespace

int main(int argc, char** argv) {
  std::string json;
  int repeats = 31;
  return bench::benchMain(
      argc, argv, "Transforms of lines beside FFTW's estimated plans",
      [&](CLI::App& app) {
        app.add_option("--repeats", repeats, "Turns of each case")->check(CLI::PositiveNumber);
        bench::addJson(app, json);
      },
      [&] {
        nlohmann::json report = bench::machineReport();
        report["library"] = fftVersion();
        report["peer"] = std::string(fftw_version) + ", FFTW_ESTIMATE";
        double logs = 0, cases = 0;
        const auto add = [&](const Row& row) {
          report["rows"].push_back({{"precision", row.precision},
                                    {"length", row.length},
                                    {"lines", row.lines},
                                    {"seconds", row.ours},
                                    {"peer_seconds", row.peer},
                                    {"ratio", row.ratio},
                                    {"difference", row.difference}});
          std::cout << row.precision << ' ' << row.length << " x " << row.lines << ": "
                    << std::setprecision(3) << row.ours * 1e6 << " us, FFTW " << row.peer * 1e6
                    << " us, ratio " << row.ratio << '\n';
          if (row.lines == 1) return;
          logs += std::log(row.ratio);
          cases += 1;
        };
        for (const int lines : {linesOfBlock, 1})
          for (const int length : lines == 1 ? singleLengths : blockLengths) {
            add(measure<float>("float", length, lines, repeats));
            add(measure<double>("double", length, lines, repeats));
          }
        report["ratio_of_blocks"] = std::exp(logs / cases);  // geometric mean
        std::cout << "blocks, geometric mean: " << std::exp(logs / cases) << '\n';
        bench::save(json, report);
      });
}
