// How a random scan is stored, and what becomes of its file: right as it is, right once questions are
// answered, asked about, refused, or wrong in silence.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/scan/read/read_options.h"
#include "tests/engine/scan/read/random_scan.h"
#include "tests/engine/scan/variant_file.h"

namespace spokelab::test {

using Axes = std::vector<NamedSize>;

inline constexpr double randomFovMm = 200;
inline constexpr double wholeNumberScale = 4096;  // whole numbers are the samples times this

struct UnitOfK {
  const char* name;
  double perCycleFov(double matrix) const;
};
extern const std::array<UnitOfK, 7> unitsOfK;

std::vector<std::int64_t> sizesOf(const Axes& axes);
std::vector<std::string> namesOf(const Axes& axes);
Axes reversed(Axes axes);
std::vector<float> floatsOf(const std::vector<double>& values);
std::vector<cfloat> floatsOf(const std::vector<cdouble>& values);

// What is drawn beside the scan.
struct Draw {
  explicit Draw(std::mt19937& r) : random(r) {}
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  bool often() { return number(0, 1) == 0; }
  const UnitOfK& unit() { return unitsOfK[std::size_t(number(0, int(unitsOfK.size()) - 1))]; }
  std::mt19937& random;
  bool scaled = false;  // the samples were stored times wholeNumberScale
  std::string log;      // what was drawn, for a failure's message
};

struct Outcome {
  int right = 0, answered = 0, asked = 0, refused = 0;
};

// Reads the file. `truth`: the right answers to questions. Returns what is wrong in silence, or "": a
// choice that is wrong and nobody was asked about counts, too, whatever else was asked.
std::string judge(const std::filesystem::path& file, const ReadOptions& how, const RandomScan& scan,
                  const std::map<std::string, std::string>& truth, const Draw& d, Outcome& outcome);

// One acquisition a shot, frames and slices in any order, slices 5 mm apart. columns: of the
// trajectory, in units of 1 / scale cycles/FOV; 0: none.
std::vector<TestAcquisition> acquisitionsOf(const RandomScan& scan, int columns, double scale, Draw& d);
std::string headerOf(const RandomScan& scan);

}  // namespace spokelab::test
