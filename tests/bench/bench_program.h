// Common parts of the CPU's benches: the command line, the machine in the report, the report's
// file, means of ratios, and errors caught once.
#pragma once

#include <cmath>
#include <fstream>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/cpu_badge.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/results.h"
#include "tests/bench/result_text.h"

namespace spokelab::bench {

// main of a bench: add(app) describes its arguments, run() does the work.
template <class Add, class Run>
int benchMain(int argc, char** argv, const char* purpose, const Add& add, const Run& run) {
  CLI::App app(purpose);
  add(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

inline void addJson(CLI::App& app, std::string& file) {
  app.add_option("--json", file, "Where the report goes");
}

// Arguments of benches with named cases.
struct CaseArguments {
  std::string filter, json;
  int threads = 0;
  double minutes = 0;

  void add(CLI::App& app) {
    app.add_option("--cases", filter, "Only cases whose name holds this");
    app.add_option("--threads", threads, "CPU threads; 0: all")->check(CLI::NonNegativeNumber);
    app.add_option("--minutes", minutes, "After which no case is begun; 0: all are")->capture_default_str();
    addJson(app, json);
  }
  bool wants(const std::string& name) const { return name.find(filter) != std::string::npos; }
  int threadCount() const { return threads > 0 ? threads : hardwareThreads(); }
  bool late(double seconds) const {
    constexpr double secondsPerMinute = 60;
    return minutes > 0 && seconds > secondsPerMinute * minutes;
  }
};

// A report begins with the machine and the version.
inline nlohmann::json machineReport() {
  return {{"device", cpuBadge()},
          {"fingerprint", cpuFingerprint()},
          {"date", timeNow()},
          {"version", versionText()}};
}

inline void save(const std::string& file, const nlohmann::json& report) {
  if (!file.empty()) std::ofstream(file) << resultText(report) << "\n";
}

// Geometric mean and worst of ratios.
class Ratios {
 public:
  void add(const std::string& name, double ratio) {
    logs_ += std::log(ratio);
    ++count_;
    if (count_ == 1 || ratio > worst_) {
      worst_ = ratio;
      name_ = name;
    }
  }
  int count() const { return count_; }
  nlohmann::json json() const {
    return {{"geometric_mean_ratio", std::exp(logs_ / count_)},
            {"worst_ratio", worst_},
            {"worst_case", name_},
            {"rows", count_}};
  }

 private:
  double logs_ = 0, worst_ = 0;
  int count_ = 0;
  std::string name_;
};

}  // namespace spokelab::bench
