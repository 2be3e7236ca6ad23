// Measures a call's cost beside the work: the same small forward transform called on the engine's
// own
// interface (C++), through libspokelab.so (C), and from Python with out=, in turns. Also making a
// plan, and a larger transform, where the ways should not differ.
//
//   bench_overhead [--rounds N] [--python EXECUTABLE] [--json FILE]
//
// Python is measured where --python (with its PYTHONPATH) finds the package; it is a process that
// waits for its turn. Exit status 1: a call of the small transform costs more than maxAboveCpp
// allows.
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>

#include "app/api/spokelab.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/overhead/python_process.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Case {
  const char* name;
  std::int64_t n, points;
  int calls;  // in one round
};
constexpr Case cases[] = {{"4 x 4, 10 points", 4, 10, 20000}, {"256 x 256, 50000 points", 256, 50000, 20}};
constexpr double accuracy = 1e-4;
// Bounds of a call's cost above C++, in us.
constexpr std::pair<const char*, double> maxAboveCpp[] = {{"c_above_cpp_us", 3}, {"python_above_cpp_us", 15}};

std::vector<double> pointsOf(const Case& c) {
  std::vector<double> points;
  constexpr double golden = 0.6180339887498949, silver = 0.41421356237309503;  // irrational: spread evenly
  for (std::int64_t j = 0; j < c.points; ++j) {
    points.push_back(std::remainder(golden * double(j), 1.0));
    points.push_back(std::remainder(silver * double(j), 1.0));
  }
  return points;
}

double microseconds(int calls, const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  constexpr double perSecond = 1e6;
  return perSecond * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

void require(spokelab_status status) {
  if (status != SPOKELAB_OK) throw std::runtime_error(spokelab_error_text());
}

struct Way {
  const char* name;
  std::function<double()> measure;  // microseconds a call
  std::vector<double> rounds;
};

json summary(Way& way) {
  std::sort(way.rounds.begin(), way.rounds.end());
  const std::size_t n = way.rounds.size();
  return {{"median_us", way.rounds[n / 2]}, {"quartiles_us", {way.rounds[n / 4], way.rounds[3 * n / 4]}}};
}

json run(const Case& c, int rounds, const std::string& python) {
  const std::vector<double> points = pointsOf(c);
  const std::array<std::int64_t, 2> size{c.n, c.n};
  std::vector<cfloat> image(std::size_t(c.n * c.n), cfloat(1)), samples(std::size_t(c.points)),
      again(samples);

  const auto cpu = makeCpuBackend();
  NufftProblem problem;
  problem.size = {c.n, c.n, 1};
  NufftOptions options;
  options.accuracy = accuracy;
  options.threads = 1;
  const auto own = cpu->plan<float>(problem, options);
  own->setPoints(points);

  spokelab_context* context = nullptr;
  spokelab_options* texts = nullptr;
  spokelab_plan* plan = nullptr;
  require(spokelab_context_create(nullptr, &context));
  require(spokelab_options_create(&texts));
  require(spokelab_options_set(texts, "accuracy", "1e-4"));
  require(spokelab_options_set(texts, "threads", "1"));
  require(spokelab_plan_create(context, 2, size.data(), -1, SPOKELAB_SINGLE, 1, texts, &plan));
  require(spokelab_plan_set_points(plan, c.points, points.data()));

  std::vector<Way> ways;
  ways.push_back({"cpp",
                  [&] { return microseconds(c.calls, [&] { own->forward(image.data(), samples.data()); }); },
                  {}});
  ways.push_back({"c",
                  [&] {
                    return microseconds(
                        c.calls, [&] { require(spokelab_plan_forward(plan, image.data(), again.data())); });
                  },
                  {}});
  std::unique_ptr<PythonProcess> process;
  if (!python.empty()) {
    process = std::make_unique<PythonProcess>(
        python,
        std::vector<std::string>{std::to_string(c.n), std::to_string(c.points), std::to_string(c.calls)});
    ways.push_back({"python", [&] { return process->turn(); }, {}});
  }
  const int plans = 200;
  ways.push_back(
      {"cpp_plan", [&] { return microseconds(plans, [&] { cpu->plan<float>(problem, options); }); }, {}});
  ways.push_back(
      {"c_plan",
       [&] {
         return microseconds(plans, [&] {
           spokelab_plan* made = nullptr;
           require(spokelab_plan_create(context, 2, size.data(), -1, SPOKELAB_SINGLE, 1, texts, &made));
           spokelab_plan_destroy(made);
         });
       },
       {}});
  for (int round = -1; round < rounds; ++round)  // the first warms up
    for (Way& way : ways) {
      const double time = way.measure();
      if (round >= 0) way.rounds.push_back(time);
    }
  if (samples != again) throw std::runtime_error("C++ and C give different samples");
  json row{{"case", c.name}, {"calls", c.calls}};
  for (Way& way : ways) row[way.name] = summary(way);
  const auto above = [&](const char* way, const char* base) {
    return double(row[way]["median_us"]) - double(row[base]["median_us"]);
  };
  row["c_above_cpp_us"] = above("c", "cpp");
  row["c_plan_above_cpp_us"] = above("c_plan", "cpp_plan");
  std::printf("%-26s C++ %.2f us, C %+.2f us", c.name, double(row["cpp"]["median_us"]),
              double(row["c_above_cpp_us"]));
  if (process) {
    row["python_above_cpp_us"] = above("python", "cpp");
    std::printf(", Python %+.2f us", double(row["python_above_cpp_us"]));
  }
  std::printf("; a plan: C++ %.0f us, C %+.1f us\n", double(row["cpp_plan"]["median_us"]),
              double(row["c_plan_above_cpp_us"]));
  spokelab_plan_destroy(plan);
  spokelab_options_destroy(texts);
  spokelab_context_destroy(context);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 15;
  std::string file, python;
  return benchMain(
      argc, argv, "What a call through C and Python costs beside one in C++",
      [&](CLI::App& app) {
        app.add_option("--rounds", rounds)->capture_default_str()->check(CLI::PositiveNumber);
        app.add_option("--python", python, "Python with the package spokelab; empty: not measured");
        addJson(app, file);
      },
      [&] {
        json report = machineReport();
        report["rounds"] = rounds;
        report["accuracy"] = accuracy;
        report["threads"] = 1;
        for (const Case& c : cases) report["rows"].push_back(run(c, rounds, python));
        save(file, report);
        for (const auto& [way, most] : maxAboveCpp)
          if (const double found = report["rows"][0].value(way, 0.0); found > most)
            throw std::runtime_error(std::string(way) + " is " + numberText(found, 3) + ", over " +
                                     numberText(most, 3));
      });
}
