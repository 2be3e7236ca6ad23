#include "tests/engine/scan/read/random_draw.h"

#include <algorithm>
#include <memory>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab::test {
namespace {

std::string differs(const RandomScan& scan, const Scan& read, const Draw& d) {
  if (!d.scaled) return scan.difference(read);
  Scan smaller = read;
  for (auto& frame : smaller.samples)
    for (cfloat& v : frame) v /= float(wholeNumberScale);
  return scan.difference(smaller);
}

bool asksAbout(const Scan& scan, const std::string& topic) {
  return std::any_of(scan.decisions.begin(), scan.decisions.end(),
                     [&](const Decision& d) { return d.topic == topic && d.question; });
}

bool offers(const Scan& scan, const std::string& topic, const std::string& choice) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic && d.question)
      return std::find(d.alternatives.begin(), d.alternatives.end(), choice) != d.alternatives.end();
  return false;
}

// What the reader took, of what the truth is known for.
std::string choicesOn(const Scan& scan, const std::map<std::string, std::string>& truth) {
  std::string text;
  for (const Decision& d : scan.decisions)
    if (truth.contains(d.topic)) text += ", " + d.topic + " = " + d.choice + (d.question ? " (?)" : "");
  return text;
}

// Null where the answers lead to a refusal.
std::shared_ptr<const Scan> readWith(const std::filesystem::path& file, const ReadOptions& how,
                                     const std::map<std::string, std::string>& answers) {
  ReadOptions options = how;
  for (const auto& [topic, choice] : answers) options.overrides[topic] = choice;
  try {
    return readScan(file, options, Progress());
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

double UnitOfK::perCycleFov(double matrix) const {
  const std::string n = name;
  if (n == "cycles/pixel") return 1 / matrix;
  if (n == "radians/pixel") return 2 * std::numbers::pi / matrix;
  if (n == "degrees/pixel") return 360 / matrix;
  if (n == "1/m") return 1000 / randomFovMm;
  if (n == "1/mm") return 1 / randomFovMm;
  if (n == "radians/m") return 2 * std::numbers::pi * 1000 / randomFovMm;
  return 1;
}

const std::array<UnitOfK, 7> unitsOfK = {{{"cycles/FOV"},
                                          {"cycles/pixel"},
                                          {"radians/pixel"},
                                          {"degrees/pixel"},
                                          {"1/m"},
                                          {"1/mm"},
                                          {"radians/m"}}};

std::vector<std::int64_t> sizesOf(const Axes& axes) {
  std::vector<std::int64_t> sizes;
  for (const NamedSize& a : axes) sizes.push_back(a.size);
  return sizes;
}
std::vector<std::string> namesOf(const Axes& axes) {
  std::vector<std::string> names;
  for (const NamedSize& a : axes) names.push_back(a.name);
  return names;
}
Axes reversed(Axes axes) {
  std::reverse(axes.begin(), axes.end());
  return axes;
}
std::vector<float> floatsOf(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}
std::vector<cfloat> floatsOf(const std::vector<cdouble>& values) {
  std::vector<cfloat> floats;
  for (const cdouble& v : values) floats.emplace_back(v);
  return floats;
}

std::string judge(const std::filesystem::path& file, const ReadOptions& how, const RandomScan& scan,
                  const std::map<std::string, std::string>& truth, const Draw& d, Outcome& outcome) {
  std::shared_ptr<const Scan> read = readWith(file, how, {});
  if (!read) {
    ++outcome.refused;
    return "";
  }
  std::string wrong = differs(scan, *read, d);
  if (wrong.empty()) {
    ++outcome.right;
    return "";
  }
  wrong += choicesOn(*read, truth);
  // An answer may raise another question.
  std::map<std::string, std::string> answers;
  bool allOffered = true;
  for (bool more = true; read && more;) {
    more = false;
    for (const auto& [topic, choice] : truth)
      if (!answers.contains(topic) && asksAbout(*read, topic)) {
        allOffered = allOffered && offers(*read, topic, choice);
        answers[topic] = choice;
        more = true;
      }
    if (more) read = readWith(file, how, answers);
    if (more && read && differs(scan, *read, d).empty()) {
      ++(allOffered ? outcome.answered : outcome.asked);
      return "";
    }
  }
  if (answers.empty()) return wrong + "; nobody was asked";
  const std::shared_ptr<const Scan> told = readWith(file, how, truth);
  if (told && differs(scan, *told, d).empty()) return wrong + "; answers to what was asked do not mend it";
  ++outcome.asked;
  return "";
}

std::vector<TestAcquisition> acquisitionsOf(const RandomScan& scan, int columns, double scale, Draw& d) {
  struct Block {
    std::int64_t frame, slice, partition;
  };
  std::vector<Block> blocks;
  for (std::int64_t f = 0; f < scan.frameCount(); ++f)
    for (std::int64_t z = 0; z < scan.slices; ++z)
      for (std::int64_t p = 0; p < scan.partitions; ++p) blocks.push_back({f, z, p});
  if (d.often() && scan.partitions == 1) std::shuffle(blocks.begin(), blocks.end(), d.random);
  std::vector<TestAcquisition> all;
  for (const Block& b : blocks)
    for (std::int64_t s = 0; s < scan.shots; ++s) {
      TestAcquisition a = acquisition(int(scan.samples), int(scan.coils), columns);
      std::int64_t rest = b.frame;
      for (std::size_t n = scan.frames.size(); n-- > 0; rest /= scan.frames[n].size) {
        const auto place = std::uint16_t(rest % scan.frames[n].size);
        const std::string& name = scan.frames[n].name;
        auto& idx = a.head.idx;
        (name == "time"    ? idx.repetition
         : name == "echo"  ? idx.contrast
         : name == "phase" ? idx.phase
                           : idx.set) = place;
      }
      a.head.idx.slice = std::uint16_t(b.slice);
      a.head.idx.kspace_encode_step_1 = std::uint16_t(s);
      a.head.idx.kspace_encode_step_2 = std::uint16_t(b.partition);
      a.head.position[2] = float(5 * b.slice);
      for (std::int64_t i = 0; i < scan.samples; ++i)
        for (int c = 0; c < std::min(2, columns); ++c)
          a.trajectory[std::size_t(i * columns + c)] =
              float(scale * scan.point(scan.ownOf(b.frame), s, i, c));
      for (std::int64_t c = 0; c < scan.coils; ++c)
        for (std::int64_t i = 0; i < scan.samples; ++i)
          a.samples[std::size_t(c * scan.samples + i)] =
              cfloat(scan.sample(b.frame, b.slice, c, b.partition, s, i));
      all.push_back(std::move(a));
    }
  return all;
}

std::string headerOf(const RandomScan& scan) {
  const double n = double(scan.matrix), z = double(scan.partitions);
  const TestSpace space{n, n, z, randomFovMm, randomFovMm, 5 * z};
  return headerText(space, space);
}

}  // namespace spokelab::test
