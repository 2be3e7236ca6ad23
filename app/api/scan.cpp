#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/api/call.h"
#include "app/api/checks.h"
#include "app/api/handles.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/output/job_files.h"
#include "engine/profile/results/results.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/echo_train.h"
#include "engine/scan/simulate/simulate_options.h"

using namespace spokelab;
using namespace spokelab::api;

namespace {

template <class Complex>
void copySamples(const void* values, std::size_t count, Buffer<Complex>& out) {
  const auto* in = static_cast<const Complex*>(values);
  std::copy(in, in + count, out.begin());
}

void copyVector(const Vec3& from, double to[3]) {
  std::copy(from.begin(), from.end(), to);
}

// Parses texts "name=value".
std::map<std::string, std::string> pairsOf(const char* const* texts, int count, const char* wrongForm) {
  constexpr int maxTexts = 1 << 12;
  require(count >= 0 && count <= maxTexts, "count is not a number of texts, 0 to 4096");
  require(texts || count == 0, "an array of texts is NULL");
  std::map<std::string, std::string> pairs;
  for (int i = 0; i < count; ++i) {
    require(texts[i], "a text is NULL");
    const std::string text = texts[i];
    const std::size_t at = text.find('=');
    require(at != std::string::npos && at > 0, wrongForm);
    pairs[text.substr(0, at)] = text.substr(at + 1);
  }
  return pairs;
}

// The true image, as simulate's --truth-kind auto makes it.
std::shared_ptr<const Image> truthOf(const SimulateOptions& options, const Scan& scan,
                                     const Progress& progress) {
  auto image = std::make_shared<Image>(simulatedTruth(options, scan.geometry.matrix, scan.dims(),
                                                      fairTruth(options.trajectory.pattern), progress));
  image->geometry = scan.geometry;
  if (image->frames == scan.frames) image->frameAxes = scan.frameAxes;
  return image;
}

}  // namespace

spokelab_status spokelab_scan_read(const char* file, const char* const* choices, int count,
                                   spokelab_progress progress, void* user, spokelab_scan** scan) {
  return call([&] {
    require(file && scan, "file or scan is NULL");
    ReadOptions options;
    options.overrides = pairsOf(choices, count, "a choice is not of the form topic=choice");
    if (const auto group = options.overrides.extract("dataset")) options.dataset = group.mapped();
    *scan = new spokelab_scan{readScan(file, options, progressOf(progress, user)), {}, {}};
  });
}

spokelab_status spokelab_scan_simulate(const char* const* options, int count, spokelab_progress progress,
                                       void* user, spokelab_scan** scan, spokelab_image** truth) {
  return call([&] {
    require(scan, "scan is NULL");
    const SimulateOptions simulation =
        simulateOptions(pairsOf(options, count, "an option is not of the form name=value"));
    const Progress jobProgress = progressOf(progress, user);
    constexpr double simulateShare = 0.8;
    auto simulated = std::make_unique<spokelab_scan>();
    simulated->scan = simulate(simulation, jobProgress.part(0, truth ? simulateShare : 1));
    if (truth) {
      auto image = std::make_unique<spokelab_image>();
      image->scan = simulated->scan;
      image->result.origin = ResultOrigin::phantom;
      image->result.image = truthOf(simulation, *simulated->scan, jobProgress.part(simulateShare, 1));
      *truth = image.release();
    }
    *scan = simulated.release();
  });
}

spokelab_status spokelab_scan_create(int dims, const int64_t* size, const double* fov, int coils,
                                     int64_t shots, const int64_t* shot_offsets, const double* points,
                                     const double* times, spokelab_precision precision, const void* values,
                                     spokelab_scan** scan) {
  return call([&] {
    require(scan && shot_offsets && points && values, "an array or scan is NULL");
    require(dims >= 2, "dims is not 2 or 3");
    require(coils > 0 && shots > 0, "coils or shots is not positive");
    requirePlausible(double(shots), sizeof(int64_t), "shot_offsets");
    require(shot_offsets[0] == 0 && std::is_sorted(shot_offsets, shot_offsets + shots + 1),
            "shot_offsets do not ascend from 0");
    auto arrayScan = std::make_shared<Scan>();
    arrayScan->name = "arrays";
    arrayScan->geometry.matrix = sizeOf(dims, size);
    pixelsOf(arrayScan->geometry.matrix);
    arrayScan->geometry.nominal = fov == nullptr;
    for (std::size_t d = 0; d < 3; ++d)
      arrayScan->geometry.fov[d] =
          fov && d < std::size_t(dims) ? fov[d] : double(arrayScan->geometry.matrix[d]);
    arrayScan->coils = coils;
    Trajectory t;
    t.dims = dims;
    t.shotOffsets.assign(shot_offsets, shot_offsets + shots + 1);
    const std::int64_t samples = t.samples();
    const bool isDouble = precisionOf(precision) == Precision::double64;
    requirePlausible(double(samples) * (dims + 1), sizeof(double), "points and times");
    requireMemory(double(samples) * coils * Scan::bytesPerSample(isDouble), "Cannot make the scan",
                  "its samples", "Give fewer coils or shots");
    const std::int64_t count = samples * coils;
    t.points.assign(points, points + samples * dims);
    if (times) t.times.assign(times, times + samples);
    arrayScan->trajectories.push_back(std::move(t));
    arrayScan->makeRoom(0, count, isDouble);
    if (isDouble) {
      copySamples(values, std::size_t(count), arrayScan->doubleSamples[0]);
      std::transform(arrayScan->doubleSamples[0].begin(), arrayScan->doubleSamples[0].end(),
                     arrayScan->samples[0].begin(), [](const cdouble& v) { return cfloat(v); });
    } else {
      copySamples(values, std::size_t(count), arrayScan->samples[0]);
    }
    validate(*arrayScan);
    *scan = new spokelab_scan{std::move(arrayScan), {}, {}};
  });
}

spokelab_status spokelab_scan_set_array(spokelab_scan* scan, const char* name, int axes, const int64_t* shape,
                                        const float* values) {
  return call([&] {
    require(scan && name && *name && shape && values, "scan, name, shape or values is NULL or empty");
    constexpr int maxAxes = 8;
    require(axes >= 1 && axes <= maxAxes, "axes is not 1 to 8");
    std::int64_t count = 1;
    for (int axis = 0; axis < axes; ++axis) {
      require(shape[axis] > 0 && count <= INT64_MAX / shape[axis], "a size is not positive, or too large");
      count *= shape[axis];
    }
    const double bytes = double(count) * sizeof(cfloat);
    requireMemory(bytes, "Cannot keep the array " + std::string(name), "its values", "Give a smaller one");
    NamedArray array{name, {shape, shape + axes}, Buffer<cfloat>(std::size_t(count)), false};
    copySamples(values, std::size_t(count), array.values);
    requireFinite(array.values.data(), count, "values of the array");
    array.complex = std::any_of(array.values.begin(), array.values.end(),
                                [](const cfloat& value) { return value.imag() != 0; });
    const Lock lock(scan->one);
    if (scan->scan.use_count() > 1) {  // an image looks at it, or a reconstruction that is under way
      auto copy = std::make_shared<Scan>(*scan->scan);
      scan->earlier.push_back(std::exchange(scan->scan, std::move(copy)));
    }
    // Every scan is made as one that may change.
    std::vector<NamedArray>& arrays = std::const_pointer_cast<Scan>(scan->scan)->arrays;
    std::erase_if(arrays, [&](const NamedArray& other) { return other.name == array.name; });
    arrays.push_back(std::move(array));
  });
}

void spokelab_scan_destroy(spokelab_scan* scan) {
  delete scan;
}

int spokelab_scan_dims(const spokelab_scan* scan) {
  return scan ? scanOf(*scan)->dims() : -1;
}
int spokelab_scan_coils(const spokelab_scan* scan) {
  return scan ? scanOf(*scan)->coils : -1;
}
int spokelab_scan_slices(const spokelab_scan* scan) {
  return scan ? scanOf(*scan)->slices : -1;
}
int spokelab_scan_frames(const spokelab_scan* scan) {
  return scan ? scanOf(*scan)->frames : -1;
}
int64_t spokelab_scan_samples(const spokelab_scan* scan, int frame) {
  if (!scan) return -1;
  const auto now = scanOf(*scan);
  return frame < 0 || frame >= now->frames ? -1 : now->trajectory(frame).samples();
}

spokelab_status spokelab_scan_size(const spokelab_scan* scan, int64_t size[3]) {
  return call([&] {
    require(scan && size, "scan or size is NULL");
    const Index3 matrix = scanOf(*scan)->geometry.matrix;
    std::copy(matrix.begin(), matrix.end(), size);
  });
}
spokelab_status spokelab_scan_fov(const spokelab_scan* scan, double fov[3]) {
  return call([&] {
    require(scan && fov, "scan or fov is NULL");
    copyVector(scanOf(*scan)->geometry.fov, fov);
  });
}

const double* spokelab_scan_points(const spokelab_scan* scan, int frame) {
  return spokelab_scan_samples(scan, frame) < 0 ? nullptr : scanOf(*scan)->trajectory(frame).points.data();
}
const float* spokelab_scan_values(const spokelab_scan* scan, int frame, int slice, int coil) {
  if (spokelab_scan_samples(scan, frame) < 0) return nullptr;
  const auto now = scanOf(*scan);
  if (slice < 0 || slice >= now->slices || coil < 0 || coil >= now->coils) return nullptr;
  return reinterpret_cast<const float*>(now->data(frame, slice, coil));
}

const char* spokelab_scan_json(spokelab_scan* scan) {
  return valueOf<const char*>(nullptr, [&] {
    require(scan, "scan is NULL");
    const Lock lock(scan->one);
    if (scan->json.empty()) scan->json = toJson(*scan->scan).dump();
    return scan->json.c_str();
  });
}

spokelab_status spokelab_reconstruct(spokelab_context* context, const spokelab_scan* scan,
                                     const spokelab_options* options, spokelab_progress progress, void* user,
                                     spokelab_image** image) {
  return call([&] {
    require(context && scan && image, "context, scan or image is NULL");
    auto made = std::make_unique<spokelab_image>();
    made->scan = scanOf(*scan);
    const Machines& machines = *context->machines;
    made->result = reconstruct(machines.backends.all(), *made->scan, valuesOf(options), machines.wisdom.get(),
                               progressOf(progress, user));
    if (made->result.cancelled || !made->result.image) throw Cancelled{};
    *image = made.release();
  });
}

void spokelab_image_destroy(spokelab_image* image) {
  delete image;
}

int spokelab_image_frames(const spokelab_image* image) {
  return image ? image->result.image->frames : -1;
}
spokelab_status spokelab_image_size(const spokelab_image* image, int64_t size[3]) {
  return call([&] {
    require(image && size, "image or size is NULL");
    std::copy(image->result.image->size.begin(), image->result.image->size.end(), size);
  });
}
spokelab_status spokelab_image_fov(const spokelab_image* image, double fov[3]) {
  return call([&] {
    require(image && fov, "image or fov is NULL");
    copyVector(image->result.image->geometry.fov, fov);
  });
}

const float* spokelab_image_values(const spokelab_image* image) {
  return image ? reinterpret_cast<const float*>(image->result.image->data.data()) : nullptr;
}
const double* spokelab_image_values_double(const spokelab_image* image) {
  if (!image || image->result.image->doubleData.empty()) return nullptr;
  return reinterpret_cast<const double*>(image->result.image->doubleData.data());
}

const char* spokelab_image_json(spokelab_image* image) {
  return valueOf<const char*>(nullptr, [&] {
    require(image, "image is NULL");
    const Lock lock(image->one);
    if (image->json.empty()) image->json = toJson(image->result).dump();
    return image->json.c_str();
  });
}

spokelab_status spokelab_image_write(const spokelab_image* image, const char* file) {
  return call([&] {
    require(image && file, "image or file is NULL");
    JobFiles files;
    if (!image->scan->path.empty()) files.reads(image->scan->path);
    files.writes(file);
    writeImage(*image->result.image, file, {}, {});
  });
}
