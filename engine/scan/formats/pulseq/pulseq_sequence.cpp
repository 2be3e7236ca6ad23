#include "engine/scan/formats/pulseq/pulseq_sequence.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/text_number.h"

namespace spokelab {

namespace fs = std::filesystem;

double PulseqSequence::duration() const {
  double sum = 0;
  for (const PulseqBlock& b : blocks) sum += b.duration;
  return sum;
}

std::vector<double> PulseqSequence::numbers(const std::string& definition) const {
  std::vector<double> values;
  const auto found = definitions.find(definition);
  if (found == definitions.end()) return values;
  std::istringstream words(found->second);
  for (std::string word; words >> word;) {
    const double value = textNumber(word);
    if (!std::isfinite(value)) return {};
    values.push_back(value);
  }
  return values;
}

bool isPulseq(const fs::path& file) {
  std::string start(64, '\0');
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  start.resize(in ? std::fread(start.data(), 1, start.size(), in.get()) : 0);
  return start.starts_with("# Pulseq") || start.starts_with("[VERSION]");
}

PulseqSequence readPulseq(const fs::path& file, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string();
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(file, failed);
  if (failed) throw Error(problem, failed.message(), "Check that the file is still there");
  // Text, and the numbers that it becomes.
  requireMemory(4.0 * double(bytes), problem, "the sequence", "Use a machine with more memory");
  std::string text(bytes, '\0');
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  text.resize(in ? std::fread(text.data(), 1, text.size(), in.get()) : 0);
  return parsePulseq(text, problem, progress);
}

std::vector<double> decompressShape(const std::vector<double>& packed, std::int64_t samples, bool stored,
                                    const std::string& problem) {
  if (stored) return packed;
  constexpr std::int64_t maxSamples = std::int64_t{1} << 28;
  const auto broken = [&](const std::string& why) {
    return Error(problem, "a shape " + why, "Write the sequence again");
  };
  if (samples < 0 || samples > maxSamples) throw broken("of " + std::to_string(samples) + " samples");
  requireMemory(double(samples) * sizeof(double), problem, "a shape", "Use a machine with more memory");
  std::vector<double> values;
  values.reserve(std::size_t(samples));
  double sum = 0;
  for (std::size_t i = 0; i < packed.size();) {
    std::int64_t count = 1;
    const double step = packed[i];
    if (i + 2 < packed.size() && packed[i + 1] == step) {
      const double more = packed[i + 2];
      if (!(more >= 0 && more <= double(samples)) || more != std::floor(more))
        throw broken("repeats a number " + numberText(more) + " times");
      count = 2 + std::int64_t(more);
      i += 3;
    } else {
      ++i;
    }
    if (std::int64_t(values.size()) + count > samples)
      throw broken("has more samples than the " + std::to_string(samples) + " that it names");
    for (std::int64_t n = 0; n < count; ++n) values.push_back(sum += step);
  }
  if (std::int64_t(values.size()) != samples)
    throw broken("has " + std::to_string(values.size()) + " samples and names " + std::to_string(samples));
  return values;
}

}  // namespace spokelab
