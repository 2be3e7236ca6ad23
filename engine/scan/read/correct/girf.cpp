#include "engine/scan/read/correct/girf.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include <unsupported/Eigen/FFT>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/text_number.h"

namespace spokelab {
namespace {

constexpr std::size_t complexColumns = 4, complexColumnsWithField = 7;

std::array<cdouble, 3> between(const std::vector<double>& f, const std::vector<std::array<cdouble, 3>>& h,
                               double at) {
  if (at <= f.front()) return h.front();
  if (at >= f.back()) return h.back();
  const auto i = std::size_t(std::upper_bound(f.begin(), f.end(), at) - f.begin());
  const double share = (at - f[i - 1]) / (f[i] - f[i - 1]);
  std::array<cdouble, 3> value;
  for (std::size_t d = 0; d < 3; ++d) value[d] = (1 - share) * h[i - 1][d] + share * h[i][d];
  return value;
}

using Rows = std::vector<std::vector<cdouble>>;

// Rows of real numbers become frequency and complex pairs.
Rows paired(const std::vector<std::vector<double>>& rows) {
  Rows pairs;
  for (const auto& row : rows) {
    std::vector<cdouble>& out = pairs.emplace_back();
    out.emplace_back(row.front());
    for (std::size_t i = 1; i + 1 < row.size(); i += 2) out.emplace_back(row[i], row[i + 1]);
  }
  return pairs;
}

std::vector<std::vector<double>> csvRows(const std::filesystem::path& file, const std::string& problem) {
  std::ifstream in(file);
  if (!in) throw Error(problem, "the file cannot be opened", "Check its name");
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
    std::istringstream words(line);
    std::vector<double> row;
    bool numbers = true;
    for (std::string word; numbers && words >> word;) {
      const double v = textNumber(word);
      numbers = std::isfinite(v);
      row.push_back(v);
    }
    if (numbers && !row.empty()) rows.push_back(row);
    constexpr std::size_t maxRows = 1'000'000;
    if (rows.size() > maxRows) throw Error(problem, "it has more than a million rows", "Choose another file");
  }
  return rows;
}

Rows arrayRows(const std::filesystem::path& file, const std::string& problem, const Progress& progress) {
  const ArrayFile array(file);
  const std::vector<std::int64_t> shape = rowMajorShape(array.header());
  if (shape.size() != 2)
    throw Error(problem, "its shape is " + shapeText(array.header().shape),
                "Save it as [frequency, column]: frequency, x, y, z");
  const Buffer<cdouble> all = array.readAll<cdouble>(progress, "Reading the impulse response");
  Rows rows;
  std::vector<std::vector<double>> real;
  const bool complex = isComplex(array.header().type);
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    const auto first = all.begin() + std::ptrdiff_t(i * shape[1]);
    if (complex) {
      rows.emplace_back(first, first + std::ptrdiff_t(shape[1]));
      continue;
    }
    auto& row = real.emplace_back();
    for (std::int64_t c = 0; c < shape[1]; ++c) row.push_back(first[std::ptrdiff_t(c)].real());
  }
  return complex ? rows : paired(real);
}

}  // namespace

std::array<cdouble, 3> Girf::gradientAt(double f) const {
  return between(frequencies, gradient, f);
}

std::array<cdouble, 3> Girf::fieldAt(double f) const {
  return between(frequencies, field, f);
}

Girf girfShare(Girf girf, double share) {
  for (auto& axes : girf.gradient)
    for (cdouble& h : axes) h = 1.0 + share * (h - 1.0);
  for (auto& axes : girf.field)
    for (cdouble& h : axes) h *= share;
  return girf;
}

Girf readGirf(const std::filesystem::path& file, const Progress& progress) {
  const std::string name = file.string();
  if (const std::size_t star = name.rfind('*'); star != std::string::npos && star > 0) {
    const double share = textNumber(name.substr(star + 1));
    if (std::isfinite(share)) return girfShare(readGirf(name.substr(0, star), progress), share);
  }
  const std::string problem = "Cannot read the impulse response " + file.string();
  const bool csv =
      lowerCase(file.extension().string()) == ".csv" || lowerCase(file.extension().string()) == ".txt";
  Rows rows = csv ? paired(csvRows(file, problem)) : arrayRows(file, problem, progress);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.front().real() < b.front().real(); });
  Girf g;
  for (const auto& row : rows) {
    if (row.size() != complexColumns && row.size() != complexColumnsWithField)
      throw Error(
          problem, "a row has " + countText(std::int64_t(row.size()), "column"),
          "Its columns are frequency (Hz), the responses of x, y and z, and where they are known those "
          "of the field (m)");
    for (const cdouble& v : row)
      if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
        throw Error(problem, "some of its numbers are not finite", "Write it again");
    if (!g.frequencies.empty() && row.front().real() <= g.frequencies.back())
      throw Error(problem, "a frequency is there twice", "Write it again");
    g.frequencies.push_back(row.front().real());
    g.gradient.push_back({row[1], row[2], row[3]});
    if (row.size() == complexColumnsWithField) g.field.push_back({row[4], row[5], row[6]});
  }
  if (g.frequencies.size() < 2 || (!g.field.empty() && g.field.size() != g.frequencies.size()))
    throw Error(problem, "it has too few rows", "Write a row for each frequency");
  if (g.frequencies.front() >= 0)
    throw Error(problem, "it has no negative frequencies", "Write both halves of the spectrum");
  return g;
}

GirfResult applyGirf(const Girf& girf, const std::vector<double>& points, int dims, double dwell,
                     const Vec3& perMetre) {
  GirfResult result{points, {}};
  const std::size_t n = points.size() / std::size_t(dims);
  if (n < 2) return result;
  if (!girf.field.empty()) result.fieldTurns.assign(n, 0);
  // The response lasts as long as the spacing of its frequencies says.
  const double spacing =
      (girf.frequencies.back() - girf.frequencies.front()) / double(girf.frequencies.size() - 1);
  constexpr std::size_t maxBefore = 1 << 16;
  const auto before = std::size_t(std::min(double(maxBefore), std::ceil(1 / (spacing * dwell))));
  std::size_t size = 1;
  while (size < 2 * before + n) size *= 2;
  Eigen::FFT<double> fft;
  for (int d = 0; d < dims; ++d) {
    const auto at = [&](std::size_t j) { return points[j * std::size_t(dims) + std::size_t(d)]; };
    std::vector<double> steps;
    double largest = 0;
    for (std::size_t j = 0; j + 1 < n; ++j) {
      steps.push_back((at(j + 1) - at(j)) / dwell);
      largest = std::max(largest, std::abs(steps.back()));
    }
    constexpr double small = 0.1;
    const double held = std::abs(steps.front()) < small * largest ? 0 : steps.front();
    // Behind the last sample nothing matters: an even way back keeps the circle free of jumps.
    std::vector<cdouble> g(size, 0), spectrum, out;
    for (std::size_t i = 0; i < size; ++i) {
      if (i < before)
        g[i] = held;
      else if (i < before + steps.size())
        g[i] = steps[i - before];
      else {
        const double share = double(i - before - steps.size() + 1) / double(size - before - steps.size());
        g[i] = steps.back() + share * (held - steps.back());
      }
    }
    fft.fwd(spectrum, g);
    const auto respond = [&](bool ofField) {
      std::vector<cdouble> changed(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double whole = double(i) < double(size) / 2 ? double(i) : double(i) - double(size);
        const double f = whole / (double(size) * dwell);
        const cdouble h =
            ofField ? girf.fieldAt(f)[std::size_t(d)] : girf.gradientAt(f)[std::size_t(d)] - 1.0;
        changed[i] = h * spectrum[i];
      }
      fft.inv(out, changed);
    };
    respond(false);
    double way = 0;
    for (std::size_t j = 1; j < n; ++j) {
      way += out[before + j - 1].real() * dwell;
      result.points[j * std::size_t(dims) + std::size_t(d)] += way;
    }
    if (girf.field.empty()) continue;
    respond(true);
    double turns = 0;
    for (std::size_t j = 1; j < n; ++j) {
      turns += out[before + j - 1].real() * dwell * perMetre[std::size_t(d)];
      result.fieldTurns[j] += turns;
    }
  }
  return result;
}

}  // namespace spokelab
