// Spokelab's engine for C and for every language that calls C: non-uniform FFTs, exact
// field-corrected transforms, and reconstruction of scans.
//
// Conventions
//   forward   s_j = sum_n m_n e^{sign 2 pi i k_j . n},  n_d = -floor(N_d/2) ... ceil(N_d/2) - 1
//   adjoint   its conjugate transpose, not scaled;  normal = adjoint . weights . forward
//   k         plans: cycles per pixel (-1/2 ... 1/2, periodic beyond), [point, dims], double
//             gdft and scans: cycles per field of view (-N/2 ... N/2)
//   complex   pairs (real, imaginary) of float or double, as C99's and C++'s complex numbers
//   arrays    images [batch, z, y, x], x fastest; samples [batch, point]; sizes are x, y, z
//
// Calls return SPOKELAB_OK or why not; spokelab_error_text() then says what failed, why, and what
// to do. No call throws, prints or ends the program. Handles are made by ..._create, _read, _tune
// and _reconstruct, and ended by ..._destroy, which takes NULL. A handle keeps what it was made
// from alive. Texts and arrays that a handle returns are the handle's and last as long as it.
//
// Numbers that are not finite are refused in points, weights, times, maps and fields, and in the samples of
// SENSE and of scans, and so are counts that no memory holds. What forward, adjoint and normal are given they
// transform, NaN to NaN.
//
// Threads: different handles may be used on different threads at once, contexts on any. Calls on one
// handle wait for each other (a lock); a call on a spokelab_sense that another
// one uses returns SPOKELAB_FAILED at once. Calls share one pool of threads.
//
// ABI: functions are added, never changed or removed, within one SPOKELAB_ABI.
#ifndef SPOKELAB_H
#define SPOKELAB_H

#include <stddef.h>
#include <stdint.h>

#define SPOKELAB_ABI 1
#if defined(__GNUC__)
#define SPOKELAB_API __attribute__((visibility("default")))
#else
#define SPOKELAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spokelab_status {
  SPOKELAB_OK = 0,
  SPOKELAB_FAILED = 1,     // what was asked for cannot be done: a bad file, size, option, accuracy
  SPOKELAB_CANCELLED = 2,  // a progress function said so
  SPOKELAB_NO_MEMORY = 3,
  SPOKELAB_BAD_ARGUMENT = 4,  // a null pointer or a number that no call can take
  SPOKELAB_INTERNAL = 5       // a defect of this library: please report it
} spokelab_status;

typedef enum spokelab_precision {
  SPOKELAB_SINGLE = 0,
  SPOKELAB_DOUBLE = 1,
  SPOKELAB_PRECISION_LIMIT = 0x7fffffff  // none: any int may be asked for, and is refused
} spokelab_precision;

typedef struct spokelab_context spokelab_context;      // machines and wisdom
typedef struct spokelab_options spokelab_options;      // by the names of the command line
typedef struct spokelab_plan spokelab_plan;            // a NUFFT
typedef struct spokelab_type3 spokelab_type3;          // a NUFFT from points to points
typedef struct spokelab_transform spokelab_transform;  // an exact field-corrected transform
typedef struct spokelab_sense spokelab_sense;          // SENSE of one set of points
typedef struct spokelab_scan spokelab_scan;
typedef struct spokelab_image spokelab_image;

// fraction: 0 ... 1. Anything but 0 cancels the call, which then returns SPOKELAB_CANCELLED. Called
// on the thread of the call or on one that works for it, never twice at a time.
typedef int (*spokelab_progress)(double fraction, const char* what, void* user);

// --- this library -------------------------------------------------------------------------------

SPOKELAB_API const char* spokelab_version(void);  // "0.1.0"
SPOKELAB_API int spokelab_abi(void);              // SPOKELAB_ABI of the library that is loaded
// Of the last call on this thread that did not return SPOKELAB_OK; "" before.
SPOKELAB_API const char* spokelab_error_text(void);

// The caller's memory for the arrays that grow with a problem: grids, points, samples, images. (Not for
// small objects, nor for what FFTW, oneTBB and HDF5 take for themselves.) allocate gives `bytes` at a
// multiple of `alignment`, or NULL, which ends the call with SPOKELAB_NO_MEMORY; release gets what it
// gave. Both are called on many threads at once. NULL for both: the system's. This is the first call of a
// program; it returns SPOKELAB_FAILED while the engine holds an array.
typedef void* (*spokelab_allocate)(size_t bytes, size_t alignment, void* user);
typedef void (*spokelab_release)(void* memory, size_t bytes, void* user);
SPOKELAB_API spokelab_status spokelab_set_memory(spokelab_allocate allocate, spokelab_release release,
                                                 void* user);

// --- context ------------------------------------------------------------------------------------

// Finds the machines (CPU; a GPU where the CUDA module and a driver are). wisdom: the file that
// tuning's results are kept in; "": the user's own, as the programs use; NULL: none is kept.
SPOKELAB_API spokelab_status spokelab_context_create(const char* wisdom, spokelab_context** context);
SPOKELAB_API void spokelab_context_destroy(spokelab_context* context);
// All kinds of machine, usable or not: "cpu", "cuda"; what it is, or why it cannot be used. NULL
// beyond the last.
SPOKELAB_API int spokelab_backend_count(const spokelab_context* context);
SPOKELAB_API const char* spokelab_backend_name(const spokelab_context* context, int index);
SPOKELAB_API const char* spokelab_backend_text(const spokelab_context* context, int index);
SPOKELAB_API int spokelab_backend_usable(const spokelab_context* context, int index);

// Returns when all work of a stream (a cudaStream_t) of the GPU is done; NULL: all work. Without a GPU at
// once. SPOKELAB_FAILED: the work failed.
SPOKELAB_API spokelab_status spokelab_synchronize(spokelab_context* context, void* stream);

// --- options ------------------------------------------------------------------------------------

// The options of `spokelab-cli reconstruct --help`, by name and as text: ("accuracy", "1e-4"),
// ("backend", "cuda"), ("method", "sense"). Where a call takes options, NULL means the defaults.
SPOKELAB_API spokelab_status spokelab_options_create(spokelab_options** options);
SPOKELAB_API void spokelab_options_destroy(spokelab_options* options);
SPOKELAB_API spokelab_status spokelab_options_set(spokelab_options* options, const char* name,
                                                  const char* value);
// The value as text; NULL for an unknown name. Lasts until the next call on these options.
SPOKELAB_API const char* spokelab_options_get(spokelab_options* options, const char* name);
// The table: names and one sentence each, NULL beyond the last.
SPOKELAB_API int spokelab_option_count(void);
SPOKELAB_API const char* spokelab_option_name(int index);
SPOKELAB_API const char* spokelab_option_help(int index);

// --- plans --------------------------------------------------------------------------------------

// A plan for images of size[0 ... dims - 1], dims 1 to 3; sign of forward's exponent, -1 or +1;
// batch images in one call. From the options: accuracy, alpha, axis-alpha, width, backend, threads ...; what
// they leave open is guessed from the size, nothing is timed. Backend "auto" is the CPU here.
SPOKELAB_API spokelab_status spokelab_plan_create(spokelab_context* context, int dims, const int64_t* size,
                                                  int sign, spokelab_precision precision, int64_t batch,
                                                  const spokelab_options* options, spokelab_plan** plan);
// The fastest plan for these points: tuned over all usable machines, or remembered in the wisdom;
// the points are set. From the options also: effort, direction, reuse (executions for a set of points;
// 10 where it is not set, as the plan's text says), point-sets, time-limit.
SPOKELAB_API spokelab_status spokelab_plan_tune(spokelab_context* context, int dims, const int64_t* size,
                                                int sign, spokelab_precision precision, int64_t batch,
                                                const spokelab_options* options, int64_t count,
                                                const double* points, spokelab_progress progress, void* user,
                                                spokelab_plan** plan);
SPOKELAB_API void spokelab_plan_destroy(spokelab_plan* plan);
// May be called again. The points are copied.
SPOKELAB_API spokelab_status spokelab_plan_set_points(spokelab_plan* plan, int64_t count,
                                                      const double* points);
// The same of points in the memory of the plan's GPU, in the order of `stream` (as below). They are read
// before later work of the stream; one that is not finite is reported by a later call that waits. Plans of
// the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_plan_set_points_on(spokelab_plan* plan, int64_t count,
                                                         const double* points, void* stream);
// A plan for `sets` sets of points (frames of a moving heart), which are set in one call and transformed
// together: images [set, batch, z, y, x], samples set after set, each [batch, its points]; otherwise as
// spokelab_plan_create. Small sets cost far less so. Its points are set by the next call alone, its
// spokelab_plan_points are those of all sets, weights lie set after set.
SPOKELAB_API spokelab_status spokelab_plan_create_sets(spokelab_context* context, int dims,
                                                       const int64_t* size, int sign,
                                                       spokelab_precision precision, int64_t batch,
                                                       int64_t sets, const spokelab_options* options,
                                                       spokelab_plan** plan);
// Set s has the points offsets[s] ... offsets[s + 1] - 1; offsets [sets + 1] rise from 0, and sets may be
// empty. May be called again; copied. SPOKELAB_FAILED: a number is not finite (the text names set and
// point) or memory is short, and the plan keeps the points that it has.
SPOKELAB_API spokelab_status spokelab_plan_set_point_sets(spokelab_plan* plan, const int64_t* offsets,
                                                          const double* points);
// Of normal(), one a point; count 0: ones. Copied.
SPOKELAB_API spokelab_status spokelab_plan_set_weights(spokelab_plan* plan, int64_t count,
                                                       const double* weights);
// Arrays of the plan's precision, in host memory. in == out is allowed in normal.
SPOKELAB_API spokelab_status spokelab_plan_forward(spokelab_plan* plan, const void* image, void* samples);
SPOKELAB_API spokelab_status spokelab_plan_adjoint(spokelab_plan* plan, const void* samples, void* image);
SPOKELAB_API spokelab_status spokelab_plan_normal(spokelab_plan* plan, const void* in, void* out);
// The same on arrays in the memory of the plan's GPU, in the order of `stream` (a cudaStream_t; NULL:
// the plan's own). They return before the work is done. Plans of the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_plan_forward_on(spokelab_plan* plan, const void* image, void* samples,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_adjoint_on(spokelab_plan* plan, const void* samples, void* image,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_normal_on(spokelab_plan* plan, const void* in, void* out,
                                                     void* stream);
// -1 where there is no plan.
SPOKELAB_API int64_t spokelab_plan_points(const spokelab_plan* plan);
SPOKELAB_API int64_t spokelab_plan_pixels(const spokelab_plan* plan);  // of one image
SPOKELAB_API double spokelab_plan_error(const spokelab_plan* plan);    // relative l2, predicted
// One line: machine, method, alpha, W, kernel; after tune also why. Lasts as long as the plan.
SPOKELAB_API const char* spokelab_plan_text(spokelab_plan* plan);

// --- transforms from points to points (type 3) ----------------------------------------------------

//   forward   y_k = sum_j c_j e^{sign 2 pi i s_k . x_j},  adjoint its conjugate transpose, not scaled
// x in any unit, s in cycles per that unit. From the options: accuracy, alpha, axis-alpha, width, kernel,
// threads, memory-limit, backend ("cpu" or "cuda"; "auto" is the CPU here).
SPOKELAB_API spokelab_status spokelab_type3_create(spokelab_context* context, int dims, int sign,
                                                   spokelab_precision precision, int64_t batch,
                                                   const spokelab_options* options, spokelab_type3** type3);
SPOKELAB_API void spokelab_type3_destroy(spokelab_type3* type3);
// sources [source, dims], targets [target, dims]. May be called again. They are copied.
SPOKELAB_API spokelab_status spokelab_type3_set_points(spokelab_type3* type3, int64_t sources,
                                                       const double* source_points, int64_t targets,
                                                       const double* target_points);
// values [batch, source] to values [batch, target], and back; of the precision, in host memory.
SPOKELAB_API spokelab_status spokelab_type3_forward(spokelab_type3* type3, const void* source_values,
                                                    void* target_values);
SPOKELAB_API spokelab_status spokelab_type3_adjoint(spokelab_type3* type3, const void* target_values,
                                                    void* source_values);
// The same on arrays in the memory of the transform's GPU, in the order of `stream` (a cudaStream_t; NULL:
// the transform's own). They return before the work is done. Transforms of the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_type3_forward_on(spokelab_type3* type3, const void* source_values,
                                                       void* target_values, void* stream);
SPOKELAB_API spokelab_status spokelab_type3_adjoint_on(spokelab_type3* type3, const void* target_values,
                                                       void* source_values, void* stream);
// Of the points that are set; 0 before. Relative l2, predicted.
SPOKELAB_API double spokelab_type3_error(const spokelab_type3* type3);
SPOKELAB_API const char* spokelab_type3_text(const spokelab_type3* type3);  // one line

// --- exact field-corrected transforms ------------------------------------------------------------

// s_j = sum_n m_n e^{-i (2 pi k_j . r_n + field_n t_j)} e^{-decay_n t_j}, r_n = n_d / N_d, by exact sums.
// points: [samples, dims] cycles per field of view; times: [samples] s, or NULL; field: [pixel]
// rad/s, or NULL; decay: [pixel] 1/s, or NULL. gradient: [dims, pixel] cycles/s per voxel: each term
// times prod_d sinc(k_d / N_d + gradient t) (GdftR2); NULL: without it. All are copied. Option
// "backend" says where; "auto" is the CPU here.
SPOKELAB_API spokelab_status spokelab_gdft_create(spokelab_context* context, int dims, const int64_t* size,
                                                  spokelab_precision precision, int64_t samples,
                                                  const double* points, const double* times,
                                                  const double* field, const double* decay,
                                                  const double* gradient, const spokelab_options* options,
                                                  spokelab_transform** transform);
SPOKELAB_API void spokelab_gdft_destroy(spokelab_transform* transform);
// One image and its samples, host memory.
SPOKELAB_API spokelab_status spokelab_gdft_forward(spokelab_transform* transform, const void* image,
                                                   void* samples);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint(spokelab_transform* transform, const void* samples,
                                                   void* image);
// The same on arrays in the memory of the transform's GPU, in the order of `stream` (a cudaStream_t; NULL:
// the transform's own). They return before the work is done. Transforms of the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_gdft_forward_on(spokelab_transform* transform, const void* image,
                                                      void* samples, void* stream);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint_on(spokelab_transform* transform, const void* samples,
                                                      void* image, void* stream);

// --- density -------------------------------------------------------------------------------------

// Density weights: weights [sample] are k-space areas (volumes), (cycles per FOV)^dims, so that
// N^-dims adjoint(weights . y) grids the image. shot_offsets [shots + 1] from 0, in samples; points
// [sample, dims] cycles per FOV, dims 2 or 3. From the options: density ("auto": analytic where the shots
// are straight lines through the centre, else Pipe and Menon's), pipe-menon-iterations, backend, accuracy,
// threads. Samples beyond the band of `size` get 0.
SPOKELAB_API spokelab_status spokelab_density_weights(spokelab_context* context, int dims,
                                                      const int64_t* size, int64_t shots,
                                                      const int64_t* shot_offsets, const double* points,
                                                      const spokelab_options* options,
                                                      spokelab_progress progress, void* user,
                                                      double* weights);

// --- SENSE ---------------------------------------------------------------------------------------

// Iterative SENSE of samples in memory: the image m that minimises
//   sum_c |W^{1/2} (A S_c m - y_c)|^2 / sum_j w_j + lambda R(m),   A as in scans (k in cycles per FOV)
// maps: complex float [set, coil, z, y, x], as many sets as option "map-sets" says (2: soft SENSE);
// points [sample, dims]. All are copied. From the options also: lambda, regularization, iterations,
// tolerance, transform, accuracy, alpha, width, normal, threads, backend ("auto" is the CPU here). What
// they leave open is guessed from the size, nothing is timed.
SPOKELAB_API spokelab_status spokelab_sense_create(spokelab_context* context, int dims, const int64_t* size,
                                                   spokelab_precision precision, int coils, const float* maps,
                                                   int64_t samples, const double* points,
                                                   const spokelab_options* options, spokelab_sense** sense);
SPOKELAB_API void spokelab_sense_destroy(spokelab_sense* sense);
// w [sample], at least 0 and not all 0; NULL: ones. Areas of k-space make iterations few.
SPOKELAB_API spokelab_status spokelab_sense_set_weights(spokelab_sense* sense, const double* weights);
// As in spokelab_gdft_create; each may be NULL, all NULL: no field. Option "transform" says how it is
// corrected: segmented, segmented-toeplitz, gdft, gdftr2 (which needs the gradient), auto.
SPOKELAB_API spokelab_status spokelab_sense_set_field(spokelab_sense* sense, const double* times,
                                                      const double* field, const double* decay,
                                                      const double* gradient);
// pcSENSE: phases [shot, z, y, x] rad, A S_c e^{i phase} m for the samples of each shot; offsets
// [shots + 1] from 0, in samples. shots 0: SENSE.
SPOKELAB_API spokelab_status spokelab_sense_set_phases(spokelab_sense* sense, int64_t shots,
                                                       const int64_t* shot_offsets, const double* phases);
// values [coil, sample] to image [z, y, x], both of the precision. May be called with other samples:
// plans stay. options: NULL, those it was made with; else lambda, regularization, iterations and
// tolerance of this call. After SPOKELAB_CANCELLED the image is that of the last iteration, or zeros.
SPOKELAB_API spokelab_status spokelab_sense_solve(spokelab_sense* sense, const void* values,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, void* image);
// The same on arrays in the memory of the GPU that solves (option "backend" "cuda"). In double precision
// the iterations' vectors lie in host memory: samples and image are copied once a call. Iterations ask
// for numbers: the call waits for the work of `stream` (a cudaStream_t; NULL: all work), and returns when
// the image is there.
// After SPOKELAB_CANCELLED the image is that of the last iteration, or untouched.
SPOKELAB_API spokelab_status spokelab_sense_solve_on(spokelab_sense* sense, const void* values,
                                                     const spokelab_options* options,
                                                     spokelab_progress progress, void* user, void* image,
                                                     void* stream);
// Of the last call that solved: residuals of the normal equations, relative, one an iteration (they last
// until the next call); how many; and one line: the transform, and why the iterations ended.
SPOKELAB_API int spokelab_sense_iterations(const spokelab_sense* sense);
SPOKELAB_API const double* spokelab_sense_residuals(const spokelab_sense* sense);
SPOKELAB_API const char* spokelab_sense_text(const spokelab_sense* sense);

// --- scans --------------------------------------------------------------------------------------

// A file that the programs read (ISMRMRD, described arrays), or "demo", the scan that is built in.
// choices: `count` texts "topic=choice", the reader's decisions to overrule ("matrix=256x256"), as
// --set of the command line; "dataset=GROUP" is its --dataset.
SPOKELAB_API spokelab_status spokelab_scan_read(const char* file, const char* const* choices, int count,
                                                spokelab_progress progress, void* user, spokelab_scan** scan);
// A scan of an analytic phantom: options: `count` texts "name=value", names and values of
// `spokelab-cli simulate --help` ("matrix=64", "pattern=spiral", "coils=8", "preset=multicore-1").
// truth: the image to compare with, as its option --truth writes it; NULL: none is made.
SPOKELAB_API spokelab_status spokelab_scan_simulate(const char* const* options, int count,
                                                    spokelab_progress progress, void* user,
                                                    spokelab_scan** scan, spokelab_image** truth);
// One frame and slice from arrays, which are copied: shot_offsets [shots + 1], from 0, in samples;
// points [samples, dims] cycles per field of view; times [samples] s, or NULL; values [coil, sample] of
// the precision; fov in mm, or NULL: pixels of 1 mm.
SPOKELAB_API spokelab_status spokelab_scan_create(int dims, const int64_t* size, const double* fov, int coils,
                                                  int64_t shots, const int64_t* shot_offsets,
                                                  const double* points, const double* times,
                                                  spokelab_precision precision, const void* values,
                                                  spokelab_scan** scan);
// An array beside the samples, as files hold them; one of that name is replaced. values: complex
// [shape], slowest axis first; copied. Reconstructions use them where their options name no file:
// "SENSEMap" [coil, z, y, x], "FieldMap" [z, y, x] (option field-unit), "PhaseMaps"
// [shot, z, y, x] rad. In 2-D there is no z; real ones have imaginary parts of 0.
SPOKELAB_API spokelab_status spokelab_scan_set_array(spokelab_scan* scan, const char* name, int axes,
                                                     const int64_t* shape, const float* values);
SPOKELAB_API void spokelab_scan_destroy(spokelab_scan* scan);
// -1 where there is no scan, or no such frame.
SPOKELAB_API int spokelab_scan_dims(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_coils(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_slices(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_frames(const spokelab_scan* scan);
SPOKELAB_API int64_t spokelab_scan_samples(const spokelab_scan* scan, int frame);
SPOKELAB_API spokelab_status spokelab_scan_size(const spokelab_scan* scan, int64_t size[3]);  // pixels
SPOKELAB_API spokelab_status spokelab_scan_fov(const spokelab_scan* scan, double fov[3]);     // mm
// NULL where there are none. points: [sample, dims]; values: complex float [sample].
SPOKELAB_API const double* spokelab_scan_points(const spokelab_scan* scan, int frame);
SPOKELAB_API const float* spokelab_scan_values(const spokelab_scan* scan, int frame, int slice, int coil);
// What was read and decided, as JSON.
SPOKELAB_API const char* spokelab_scan_json(spokelab_scan* scan);

// --- reconstruction -----------------------------------------------------------------------------

// What `spokelab-cli reconstruct` does with these options: gridding, SENSE, pcSENSE; tuned.
SPOKELAB_API spokelab_status spokelab_reconstruct(spokelab_context* context, const spokelab_scan* scan,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, spokelab_image** image);
SPOKELAB_API void spokelab_image_destroy(spokelab_image* image);
SPOKELAB_API int spokelab_image_frames(const spokelab_image* image);  // -1 where there is no image
SPOKELAB_API spokelab_status spokelab_image_size(const spokelab_image* image, int64_t size[3]);
SPOKELAB_API spokelab_status spokelab_image_fov(const spokelab_image* image, double fov[3]);  // mm
// Complex [frame, z, y, x]. As float: always; as double: of a job in double precision, else NULL.
SPOKELAB_API const float* spokelab_image_values(const spokelab_image* image);
SPOKELAB_API const double* spokelab_image_values_double(const spokelab_image* image);
// How it was made (plan, error, times, notes), as JSON.
SPOKELAB_API const char* spokelab_image_json(spokelab_image* image);
// .nii, .nii.gz, .h5, .npy, .cfl, .png by its name. Never the scan's own file.
SPOKELAB_API spokelab_status spokelab_image_write(const spokelab_image* image, const char* file);

#ifdef __cplusplus
}
#endif

#endif
