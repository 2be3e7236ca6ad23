#include "engine/scan/read/steps/decide_space.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/read/places/planar_header.h"
#include "engine/scan/read/steps/decide_unit.h"

namespace spokelab {
namespace {

constexpr double minCoverage = 0.05;  // share of N/2; the header cannot be right below it

std::string fovText(const Vec3& fov, int dims) {
  return numberText(fov[0]) + "x" + numberText(fov[1]) + (dims == 3 ? "x" + numberText(fov[2]) : "");
}

// "256x256x1" -> numbers; throws Error.
std::vector<double> sizes(const std::string& text, const std::string& topic, const Decisions& d) {
  std::vector<double> values;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at <= end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(value > 0) || (next != end && *next != 'x')) {
      values.clear();
      break;
    }
    values.push_back(value);
    at = next + 1;
  }
  if (values.size() < 2 || values.size() > 3)
    throw Error(d.problem(), "\"" + text + "\" is not a " + topic, "Give sizes like 256x256 or 64x64x64");
  return values;
}

// A header that leaves a size out says 1 or 0; a description's 1 is a size.
bool isGiven(const EncodedSpace& s, std::size_t axis) {
  return s.matrix[axis] >= (axis < s.statedAxes ? 1 : 2);
}

bool usable(const EncodedSpace& s, int dims) {
  for (std::size_t i = 0; i < std::size_t(dims); ++i)
    if (!isGiven(s, i)) return false;
  return true;
}

// The header's two spaces, completed from each other and from the trajectory.
struct Completed {
  EncodingSpace space;
  std::string matrixEvidence = "the header's reconstructed space";
  bool nominal = false, metres = false;
  bool noFovOfK = false;                   // nobody gives a field of view along a stored coordinate
  bool noMatrix = false;                   // nobody says what the matrix is
  std::optional<Vec3> filePixel;           // mm, of the file's matrix, where a user gave another matrix
  std::string guessedMatrix;               // where it is a guess
  std::optional<PlanarHeader> planar;      // a volume under a header of slices
  std::vector<std::string> otherMatrices;  // other sizes that are possible
};

// Fields of view lose their sign; missing ones become 1 mm a pixel; ones below 1 mm are metres.
void completeFov(EncodedSpace& s, int dims, int storedDims, Completed& c) {
  constexpr double millimetres = 1000;
  for (double& f : s.fov) f = std::abs(f);
  const double largest = std::max({s.fov[0], s.fov[1], s.fov[2]});
  if (largest > 0 && largest < 1) {
    for (double& f : s.fov) f *= millimetres;
    c.metres = true;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (s.fov[i] > 0) continue;
    s.fov[i] = double(std::max<std::int64_t>(1, s.matrix[i]));
    c.nominal = c.nominal || i < std::size_t(dims);
    c.noFovOfK = c.noFovOfK || i < std::size_t(storedDims);
  }
}

// 2 ceil(|k|) for coordinates in cycles/FOV.
std::int64_t matrixFor(double k) {
  return 2 * std::max<std::int64_t>(1, std::int64_t(std::ceil(k - sameSize)));
}

// Guesses the matrix if neither header nor trajectory gives it: one pixel for each sample of a
// shot, as for a diameter without oversampling; for long shots, which wind through k-space, the
// square root (3-D: cube root) of all samples.
void guessMatrix(const RawTrajectory& raw, int dims, double reach, Completed& c) {
  constexpr std::int64_t maxDiameterSamples = 1024, maxGuess = 512, minGuess = 8;
  std::int64_t longest = 0;
  for (std::size_t p = 0; p + 1 < raw.offsets.size(); ++p)
    longest = std::max(longest, raw.offsets[p + 1] - raw.offsets[p]);
  std::int64_t n = longest;
  if (n > maxDiameterSamples) {
    const double samples = double(raw.samples());
    n = std::min(maxGuess, std::int64_t(std::lround(dims == 3 ? std::cbrt(samples) : std::sqrt(samples))));
  }
  if (dims == 3) n = std::min(n, maxGuess);  // a guess must not ask for gigabytes
  n = std::max(minGuess, n + n % 2);
  const auto alike = [&](std::int64_t size) { return sizeText(Index3{size, size, size}, dims); };
  for (const std::int64_t other : {n / 2, n / 4, 3 * n / 4, 2 * n})
    if (other >= minGuess && other % 2 == 0) c.otherMatrices.push_back(alike(other));
  c.guessedMatrix = alike(n);
  for (std::size_t i = 0; i < std::size_t(dims); ++i) c.space.recon.matrix[i] = n;
  c.matrixEvidence = "guessed: the header gives none, and coordinates up to " + numberText(reach) +
                     " do not tell; a shot has " + countText(longest, "sample", "samples");
}

Completed completeSpaces(const EncodingSpace& header, const RawTrajectory& raw, const Vec3& k,
                         const Columns& columns, std::int64_t partitions, const Decisions& d) {
  Completed c;
  c.space = header;
  EncodedSpace &recon = c.space.recon, &encoded = c.space.encoded;
  const int dims = columns.dims;
  if (!usable(recon, dims) && usable(encoded, dims)) {
    c.matrixEvidence = "the header's encoded space (its reconstructed space has none)";
    recon = encoded;
  }
  if (dims == 2) recon.matrix[2] = encoded.matrix[2] = 1;
  if (dims == 3 && !isGiven(recon, 2)) {
    const bool counted = columns.partition >= 0;
    if (d.override("matrix").empty() && k[2] > maxMatrix &&
        std::max(header.encoded.matrix[2], counted ? partitions : 1) < 2)
      throw Error(d.problem(),
                  "no matrix is given along z, and coordinates reach " + numberText(k[2]) +
                      " there: an image cannot have that number of planes",
                  "Remove such points, or set the decision matrix");
    const double reachZ = std::min(k[2], maxMatrix);
    if (usable(recon, 2) && header.encoded.matrix[2] < 2) {
      c.planar = volumeUnderPlanarHeader(recon, {k[0], k[1], reachZ}, counted ? partitions : 0);
      recon.matrix[2] = c.planar->planes;
      recon.fov[2] = c.planar->fov;
      encoded.matrix[2] = recon.matrix[2];
      encoded.fov[2] = recon.fov[2];
    } else {
      recon.matrix[2] = std::max(header.encoded.matrix[2], counted ? partitions : 1);
      if (recon.matrix[2] < 2) recon.matrix[2] = matrixFor(reachZ);
    }
    c.matrixEvidence += "; along z from the trajectory";
  }
  if (!usable(recon, dims)) {
    c.noMatrix = d.override("matrix").empty();
    const double reach = std::max(k[0], k[1]);
    if (reach > maxMatrix && d.override("matrix").empty())
      throw Error(d.problem(), "its header gives no matrix",
                  "Set the decision matrix, for example to 256x256");
    // Only coordinates per pixel tell the matrix; they may pass pi by a shade. Every image has too
    // many pixels for 2 pi to be cycles/FOV.
    const std::string unit = d.override("k-unit");
    const bool otherUnit = !unit.empty() && !unit.ends_with("FOV");
    if (otherUnit || reach <= 2 * std::numbers::pi || reach > maxMatrix) {
      guessMatrix(raw, dims == 3 && columns.partition < 0 && header.encoded.matrix[2] < 2 ? 3 : 2, reach, c);
    } else {
      for (std::size_t i = 0; i < 2; ++i) recon.matrix[i] = matrixFor(k[i]);
      c.matrixEvidence = "the header gives none; the trajectory reaches " + numberText(reach);
    }
  }
  if (!usable(encoded, dims)) encoded = recon;
  const int storedDims = columns.partition >= 0 ? 2 : dims;
  completeFov(recon, dims, storedDims, c);
  completeFov(encoded, dims, storedDims, c);
  return c;
}

// Replaces the matrix and field of view of both spaces by the user's.
void applyOverrides(Completed& c, int dims, const Decisions& d) {
  EncodedSpace& recon = c.space.recon;
  const std::string matrix = d.override("matrix"), fov = d.override("fov");
  if (!matrix.empty()) {
    const std::vector<double> n = sizes(matrix, "matrix", d);
    Vec3 pixel{0, 0, 0};
    for (std::size_t i = 0; i < n.size() && i < std::size_t(dims); ++i) {
      if (n[i] > maxMatrix || n[i] != std::floor(n[i]))
        throw Error(d.problem(), "\"" + matrix + "\" is not a matrix", "Give whole numbers up to 65535");
      pixel[i] = recon.fov[i] / double(recon.matrix[i]);
      recon.matrix[i] = std::int64_t(n[i]);
    }
    if (c.guessedMatrix.empty() || c.nominal) c.filePixel = pixel;
    c.space.encoded = recon;
  }
  if (!fov.empty()) {
    const std::vector<double> f = sizes(fov, "fov", d);
    std::copy(f.begin(), f.end(), recon.fov.begin());
    c.space.encoded = recon;
    c.nominal = c.noFovOfK = false;
    c.filePixel.reset();
  }
}

// The reconstructed space, or the encoded one where its larger field of view shall be kept.
EncodedSpace decideOversampling(Completed& c, int dims, Decisions& d) {
  const EncodedSpace &recon = c.space.recon, &encoded = c.space.encoded;
  const double ratio = encoded.fov[0] / recon.fov[0];
  const auto text = [&](const EncodedSpace& s) {
    return sizeText(s.matrix, dims) + " over " + fovText(s.fov, dims) + " mm";
  };
  if (ratio > 1 + sameSize || !d.override("oversampling").empty()) {
    const std::string evidence = "encoded " + text(encoded) + ", reconstructed " + text(recon) +
                                 ": a factor of " + numberText(ratio) + " along the readout";
    return d.decide("oversampling", "remove", evidence, {"remove", "keep"}) == "keep" ? encoded : recon;
  }
  if (std::abs(double(encoded.matrix[0]) / double(recon.matrix[0]) - 1) > sameSize)
    c.matrixEvidence += "; the encoded matrix " + sizeText(encoded.matrix, dims) +
                        " has the same field of view: taken as the number of samples or an interpolation";
  return recon;
}

// A header's matrix that does not fit the trajectory is corrected if plain, else refused.
void checkMatrix(const UnitFit& fit, const Vec3& k, int dims, int storedDims, Completed& c, ImageSpace& image,
                 Decisions& d) {
  const std::string said = sizeText(c.space.recon.matrix, dims);
  const bool tooSmall = fit.coverage > maxBandExcess;
  // A smaller matrix than the trajectory's is a wish to crop; beyond this, coordinates are wrong.
  constexpr double maxStatedExcess = 8;
  const bool cannotBelong = c.space.recon.statedAxes > 0 && fit.coverage > maxStatedExcess;
  if (!d.override("matrix").empty() || (!d.override("k-unit").empty() && !cannotBelong)) {
    if (tooSmall)
      d.warn("The trajectory reaches " + numberText(fit.coverage) + " times as far as the matrix");
  } else if (fit.wholeMultiple && c.space.recon.statedAxes == 0) {  // a description's matrix holds
    const auto factor = std::int64_t(std::lround(fit.coverage));
    for (std::size_t i = 0; i < std::size_t(storedDims); ++i) image.matrix[i] *= factor;
    c.matrixEvidence =
        "the header says " + said + ", the trajectory reaches " + std::to_string(factor) + " times as far";
    d.warn("The header's matrix " + said + " does not fit the trajectory; " + sizeText(image.matrix, dims) +
           " is used");
  } else if (tooSmall && !c.guessedMatrix.empty()) {
    d.warn("The trajectory reaches " + numberText(fit.coverage) +
           " times as far as the matrix, which is a guess, as its unit is");
  } else if (tooSmall || fit.coverage < minCoverage) {
    throw Error(
        d.problem(),
        std::string(c.space.recon.statedAxes > 0 ? "its description's matrix " : "its header's matrix ") +
            said + " does not fit its trajectory (max |k| = " + numberText(std::max({k[0], k[1], k[2]})) +
            ") in any unit",
        "Set the decisions matrix and k-unit");
  }
  requireMemory(double(product(image.matrix)) * sizeof(cfloat), d.problem(),
                "an image of " + sizeText(image.matrix, dims), "Set the decision matrix");
}

void askThickness(const PlanarHeader& planar, const ImageSpace& image, Decisions& d) {
  std::vector<std::string> others;
  for (const double mm : planar.otherFovs) others.push_back(fovText({image.fov[0], image.fov[1], mm}, 3));
  d.decide("fov", fovText(image.fov, 3), planar.evidence, others, true);
}

void recordSizes(const EncodingSpace& header, const Completed& c, const ImageSpace& image, int dims,
                 bool fovOfReach, Decisions& d) {
  if (!c.guessedMatrix.empty())
    d.decide("matrix", c.guessedMatrix, c.matrixEvidence, c.otherMatrices, true);
  else if (d.override("matrix").empty())
    d.note("matrix", sizeText(image.matrix, dims), c.matrixEvidence);
  else
    d.decide("matrix", sizeText(header.recon.matrix, dims), "the header's reconstructed space", {});
  const std::string origin = image.fov != c.space.recon.fov && c.filePixel
                                 ? "mm; coordinates per pixel keep the file's pixel, whatever the matrix"
                             : c.metres  ? "mm; the header's numbers are below 1 and were taken as metres"
                             : c.nominal ? "mm; the header gives none: 1 mm a pixel"
                                         : "mm, from the header";
  const Vec3& said = header.recon.fov;
  const bool negative = std::any_of(said.begin(), said.end(), [](double f) { return f < 0; });
  if (d.override("fov").empty() && negative)
    d.decide("fov", fovText(image.fov, 3),
             "mm; the header says " + fovText(said, 3) +
                 ": a size has no sign, and an axis that runs backwards is turned round by the decision axes",
             {}, true);
  else if (fovOfReach)
    d.decide("fov", fovText(image.fov, 3),
             "mm; nobody gives it: with it the coordinates reach N/2 of the matrix",
             {fovText(c.space.recon.fov, 3)}, true);
  else if (d.override("fov").empty() && c.planar)
    askThickness(*c.planar, image, d);
  else if (d.override("fov").empty())
    d.note("fov", fovText(image.fov, 3), origin);
  else
    d.decide("fov", fovText(header.recon.fov, 3), "mm, from the header", {});
}

}  // namespace

ImageSpace decideSpace(const RawTrajectory& raw, const Columns& columns, const EncodingSpace& header,
                       std::int64_t partitions, const std::string& unitRemark, Decisions& d) {
  const int storedDims = columns.partition >= 0 ? 2 : columns.dims;
  const Vec3 k = largestCoordinates(raw, storedDims);
  if (!(std::max(k[0], k[1]) > 0))
    throw Error(d.problem(), "its trajectory is 0 throughout", "Write the trajectory into the file");
  Completed c = completeSpaces(header, raw, k, columns, partitions, d);
  applyOverrides(c, columns.dims, d);
  const EncodedSpace chosen = decideOversampling(c, columns.dims, d);
  ImageSpace image;
  image.matrix = chosen.matrix;
  image.fov = chosen.fov;
  image.nominal = c.nominal;
  const UnitFit fit = decideUnit(k, storedDims, c.space, c.noFovOfK, c.noMatrix, unitRemark, d);
  if (fit.fov) image.fov = *fit.fov;
  checkMatrix(fit, k, columns.dims, storedDims, c, image, d);
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < 3; ++i) {
    image.scale[i] = fit.perMm[i] * image.fov[i];
    if (std::abs(image.scale[i] - 1) < rounding) image.scale[i] = 1;
  }
  if (fit.perPixel && c.filePixel)
    for (std::size_t i = 0; i < 3; ++i)
      if ((*c.filePixel)[i] > 0) image.fov[i] = (*c.filePixel)[i] * double(image.matrix[i]);
  recordSizes(header, c, image, columns.dims, fit.fov.has_value(), d);
  return image;
}

}  // namespace spokelab
