// The C interface (spokelab.h) as one function for MATLAB and Octave:
//   [out, ...] = spokelab_mex(command, ...)
// Functions and classes of the package +spokelab call it; people call those. Numbers name handles;
// what is left at the end is destroyed. Arrays are in MATLAB's order, which is spokelab.h's: images
// (x, y, z, batch), samples (point, batch), points (dims, point). Complex numbers are split into
// two parts here and in pairs there: arrays are copied. A failed call is an error of MATLAB's with
// the identifier spokelab:failed (or badArgument, noMemory, internal) and spokelab.h's text.
#include <stdlib.h>
#include <string.h>

#include "mex_arrays.h"

enum { maxDims = 3 };

typedef enum Kind { NO_KIND, PLAN, GDFT, SCAN } Kind;

// What a number stands for.
typedef struct Handle {
  Kind kind;
  void* object;
  spokelab_precision precision;
  int dims;
  mwSize size[maxDims];  // of the image
  mwSize pixels, batch, samples;
} Handle;

static Handle* handles = NULL;  // handles[id - 1]
static size_t handleCount = 0;
static spokelab_context* context = NULL;

static void destroy(Handle* h) {
  if (h->kind == PLAN) spokelab_plan_destroy(h->object);
  if (h->kind == GDFT) spokelab_gdft_destroy(h->object);
  if (h->kind == SCAN) spokelab_scan_destroy(h->object);
  h->kind = NO_KIND;
}

static void destroyAll(void) {
  for (size_t i = 0; i < handleCount; ++i) destroy(&handles[i]);
  free(handles);
  handles = NULL;
  handleCount = 0;
  spokelab_context_destroy(context);
  context = NULL;
}

// --- handles -------------------------------------------------------------------------------------

static Handle* handleOf(const mxArray* a, Kind kind) {
  const double id = numberOf(a);
  if (!(id >= 1 && id <= (double)handleCount) || handles[(size_t)id - 1].kind != kind)
    fail("spokelab:badArgument", "the object does not exist any more");
  return &handles[(size_t)id - 1];
}

static mxArray* keep(Handle h) {
  size_t i = 0;
  while (i < handleCount && handles[i].kind != NO_KIND) ++i;
  if (i == handleCount) {
    Handle* more = realloc(handles, (handleCount + 1) * sizeof *more);
    if (!more) {
      destroy(&h);
      fail("spokelab:noMemory", "there is not enough memory for another object");
    }
    handles = more;
    ++handleCount;
  }
  handles[i] = h;
  return mxCreateDoubleScalar((double)(i + 1));
}

static spokelab_context* machines(void) {
  if (!context) check(spokelab_context_create("", &context));
  return context;
}

static Handle sized(Kind kind, const mxArray* size, const mxArray* single) {
  Handle h = {kind, NULL, SPOKELAB_DOUBLE, 0, {1, 1, 1}, 1, 1, 0};
  mwSize count = 0;
  const double* given = realsOf(size, &count);
  if (count < 1 || count > maxDims) fail("spokelab:badArgument", "the image's size has 1 to 3 numbers");
  for (mwSize d = 0; d < count; ++d) {
    if (!(given[d] >= 1 && given[d] <= 1e9))
      fail("spokelab:badArgument", "a side of the image must be positive");
    h.size[d] = (mwSize)given[d];
    h.pixels *= h.size[d];
  }
  h.dims = (int)count;
  if (numberOf(single) != 0) h.precision = SPOKELAB_SINGLE;
  return h;
}

static void sides(const Handle* h, int64_t* size) {
  for (int d = 0; d < maxDims; ++d) size[d] = (int64_t)h->size[d];
}

static mxArray* imageOf(const Handle* h, const void* pairs) {
  const mwSize shape[4] = {h->size[0], h->size[1], h->size[2], h->batch};
  return fromPairs(pairs, 4, shape, h->precision);
}

static mxArray* samplesOf(const Handle* h, const void* pairs) {
  const mwSize shape[2] = {h->samples, h->batch};
  return fromPairs(pairs, 2, shape, h->precision);
}

// --- commands ------------------------------------------------------------------------------------

typedef const mxArray* const* Inputs;

static void needs(int given, int expected) {
  if (given != expected) fail("spokelab:badArgument", "the number of arguments is wrong");
}

// plan: size, sign, single, batch, options;  tune: points follow.
static mxArray* plan(int n, Inputs in, bool tuned) {
  needs(n, tuned ? 6 : 5);
  Handle h = sized(PLAN, in[0], in[2]);
  const double batch = numberOf(in[3]);
  if (!(batch >= 1 && batch <= 1e9)) fail("spokelab:badArgument", "batch is at least 1");
  h.batch = (mwSize)batch;
  const int sign = (int)numberOf(in[1]);
  mwSize count = 0;
  const double* points = tuned ? realsOf(in[5], &count) : NULL;
  if (count % (mwSize)h.dims) fail("spokelab:badArgument", "points are (dims x points)");
  h.samples = count / (mwSize)h.dims;
  int64_t size[maxDims];
  sides(&h, size);
  spokelab_context* const machine = machines();
  spokelab_options* options = optionsOf(in[4]);
  spokelab_plan* made = NULL;
  const spokelab_status status =
      tuned
          ? spokelab_plan_tune(machine, h.dims, size, sign, h.precision, (int64_t)h.batch, options,
                               (int64_t)h.samples, points, NULL, NULL, &made)
          : spokelab_plan_create(machine, h.dims, size, sign, h.precision, (int64_t)h.batch, options, &made);
  spokelab_options_destroy(options);
  check(status);
  h.object = made;
  return keep(h);
}

static void setPoints(int n, Inputs in) {
  needs(n, 2);
  Handle* h = handleOf(in[0], PLAN);
  mwSize count = 0;
  const double* points = realsOf(in[1], &count);
  if (count % (mwSize)h->dims) fail("spokelab:badArgument", "points are (dims x points)");
  check(spokelab_plan_set_points(h->object, (int64_t)(count / (mwSize)h->dims), points));
  h->samples = count / (mwSize)h->dims;
}

static void setWeights(int n, Inputs in) {
  needs(n, 2);
  mwSize count = 0;
  const double* weights = realsOf(in[1], &count);
  check(spokelab_plan_set_weights(handleOf(in[0], PLAN)->object, (int64_t)count, weights));
}

static mxArray* transform(const char* name, int n, Inputs in) {
  needs(n, 2);
  const bool forward = !strcmp(name, "forward"), normal = !strcmp(name, "normal");
  Handle* h = handleOf(in[0], PLAN);
  const mwSize image = h->pixels * h->batch, samples = h->samples * h->batch;
  const void* from = forward || normal
                         ? pairsOf(in[1], image, h->precision, "the image's size is not the plan's")
                         : pairsOf(in[1], samples, h->precision, "the samples are not as many as the points");
  void* to = room(forward ? samples : image, h->precision);
  check(forward  ? spokelab_plan_forward(h->object, from, to)
        : normal ? spokelab_plan_normal(h->object, from, to)
                 : spokelab_plan_adjoint(h->object, from, to));
  return forward ? samplesOf(h, to) : imageOf(h, to);
}

// gdft: size, single, points, times, field, decay, gradient, coordinates, options; [] where there
// are none.
static mxArray* gdft(int n, Inputs in) {
  needs(n, 9);
  Handle h = sized(GDFT, in[0], in[1]);
  const mwSize dims = (mwSize)h.dims;
  int64_t size[maxDims];
  sides(&h, size);
  mwSize count = 0, places = 0;
  const double *points = realsOf(in[2], &count), *coordinates = realsOf(in[7], &places);
  if (count % dims || places % dims)
    fail("spokelab:badArgument", "points and coordinates are (dims x points)");
  h.samples = count / dims;
  if (places) {
    h.pixels = places / dims;
    h.size[0] = h.pixels;
    h.size[1] = h.size[2] = 1;
  }
  const double *times = mapOf(in[3], h.samples, "times are one a sample"),
               *field = mapOf(in[4], h.pixels, "the field map is one number a pixel"),
               *decay = mapOf(in[5], h.pixels, "the decay map is one number a pixel"),
               *gradient = mapOf(in[6], dims * h.pixels, "the gradient is one number a dimension and pixel");
  spokelab_context* const machine = machines();
  spokelab_options* options = optionsOf(in[8]);
  spokelab_transform* made = NULL;
  const spokelab_status status =
      places
          ? spokelab_gdft_create_at(machine, h.dims, size, h.precision, (int64_t)h.pixels, coordinates,
                                    (int64_t)h.samples, points, times, field, decay, gradient, options, &made)
          : spokelab_gdft_create(machine, h.dims, size, h.precision, (int64_t)h.samples, points, times, field,
                                 decay, gradient, options, &made);
  spokelab_options_destroy(options);
  check(status);
  h.object = made;
  return keep(h);
}

static mxArray* exact(bool forward, int n, Inputs in) {
  needs(n, 2);
  Handle* h = handleOf(in[0], GDFT);
  const void* from =
      forward ? pairsOf(in[1], h->pixels, h->precision, "the image's size is not the transform's")
              : pairsOf(in[1], h->samples, h->precision, "the samples are not as many as the points");
  void* to = room(forward ? h->samples : h->pixels, h->precision);
  check(forward ? spokelab_gdft_forward(h->object, from, to) : spokelab_gdft_adjoint(h->object, from, to));
  return forward ? samplesOf(h, to) : imageOf(h, to);
}

// read: file, {"topic=choice", ...};  simulate: {"name=value", ...}.
static mxArray* scan(int n, Inputs in, bool simulated) {
  needs(n, simulated ? 1 : 2);
  const char* texts[maxTexts];
  const int count = textsOf(in[n - 1], texts);
  Handle h = {SCAN, NULL, SPOKELAB_SINGLE, 0, {1, 1, 1}, 1, 1, 0};
  spokelab_scan* made = NULL;
  check(simulated ? spokelab_scan_simulate(texts, count, NULL, NULL, &made, NULL)
                  : spokelab_scan_read(textOf(in[0]), texts, count, NULL, NULL, &made));
  h.object = made;
  h.dims = spokelab_scan_dims(made);
  return keep(h);
}

static mxArray* threeNumbers(const double* values) {
  mxArray* a = mxCreateDoubleMatrix(1, 3, mxREAL);
  memcpy(mxGetPr(a), values, 3 * sizeof *values);
  return a;
}

static mxArray* describe(int n, Inputs in) {
  needs(n, 1);
  spokelab_scan* s = handleOf(in[0], SCAN)->object;
  const char* fields[] = {"dims", "size", "fov", "coils", "slices", "frames", "json"};
  mxArray* result = mxCreateStructMatrix(1, 1, 7, fields);
  int64_t size[3] = {1, 1, 1};
  double fov[3] = {0, 0, 0};
  check(spokelab_scan_size(s, size));
  check(spokelab_scan_fov(s, fov));
  const double pixels[3] = {(double)size[0], (double)size[1], (double)size[2]};
  const char* json = spokelab_scan_json(s);
  mxSetField(result, 0, "dims", mxCreateDoubleScalar(spokelab_scan_dims(s)));
  mxSetField(result, 0, "size", threeNumbers(pixels));
  mxSetField(result, 0, "fov", threeNumbers(fov));
  mxSetField(result, 0, "coils", mxCreateDoubleScalar(spokelab_scan_coils(s)));
  mxSetField(result, 0, "slices", mxCreateDoubleScalar(spokelab_scan_slices(s)));
  mxSetField(result, 0, "frames", mxCreateDoubleScalar(spokelab_scan_frames(s)));
  mxSetField(result, 0, "json", mxCreateString(json ? json : ""));
  return result;
}

static int frameOf(const Handle* h, const mxArray* a) {
  const double frame = numberOf(a);
  if (!(frame >= 1 && frame <= spokelab_scan_frames(h->object)))
    fail("spokelab:badArgument", "there is no frame of that number");
  return (int)frame - 1;
}

// (dims x sample), cycles per field of view.
static mxArray* scanPoints(int n, Inputs in) {
  needs(n, 2);
  const Handle* h = handleOf(in[0], SCAN);
  const int frame = frameOf(h, in[1]);
  const mwSize dims = (mwSize)h->dims, count = (mwSize)spokelab_scan_samples(h->object, frame);
  mxArray* a = mxCreateDoubleMatrix(dims, count, mxREAL);
  if (count) memcpy(mxGetPr(a), spokelab_scan_points(h->object, frame), dims * count * sizeof(double));
  return a;
}

// (sample, coil, slice)
static mxArray* scanValues(int n, Inputs in) {
  needs(n, 2);
  const Handle* h = handleOf(in[0], SCAN);
  const int frame = frameOf(h, in[1]), coils = spokelab_scan_coils(h->object),
            slices = spokelab_scan_slices(h->object);
  const mwSize count = (mwSize)spokelab_scan_samples(h->object, frame);
  const mwSize shape[3] = {count, (mwSize)coils, (mwSize)slices};
  float* all = room(count * shape[1] * shape[2], SPOKELAB_SINGLE);
  for (int z = 0; z < slices; ++z)
    for (int c = 0; c < coils; ++c)
      memcpy(all + 2 * count * (mwSize)(z * coils + c), spokelab_scan_values(h->object, frame, z, c),
             2 * count * sizeof(float));
  return fromPairs(all, 3, shape, SPOKELAB_SINGLE);
}

// reconstruct: scan, options; file "" writes none.  -> image (x, y, z, frame), json, fov
static void reconstruct(int n, Inputs in, int outputs, mxArray** out) {
  needs(n, 3);
  const Handle* h = handleOf(in[0], SCAN);
  const char* file = textOf(in[2]);
  spokelab_context* const machine = machines();
  spokelab_options* options = optionsOf(in[1]);
  spokelab_image* image = NULL;
  spokelab_status status = spokelab_reconstruct(machine, h->object, options, NULL, NULL, &image);
  spokelab_options_destroy(options);
  check(status);
  int64_t size[3] = {1, 1, 1};
  double fov[3] = {0, 0, 0};
  spokelab_image_size(image, size);
  spokelab_image_fov(image, fov);
  const mwSize shape[4] = {(mwSize)size[0], (mwSize)size[1], (mwSize)size[2],
                           (mwSize)spokelab_image_frames(image)};
  const double* inDouble = spokelab_image_values_double(image);
  out[0] = inDouble ? fromPairs(inDouble, 4, shape, SPOKELAB_DOUBLE)
                    : fromPairs(spokelab_image_values(image), 4, shape, SPOKELAB_SINGLE);
  const char* json = spokelab_image_json(image);
  if (outputs > 1) out[1] = mxCreateString(json ? json : "");
  if (outputs > 2) out[2] = threeNumbers(fov);
  status = *file ? spokelab_image_write(image, file) : SPOKELAB_OK;
  spokelab_image_destroy(image);
  check(status);
}

static mxArray* textAbout(int n, Inputs in) {
  needs(n, 1);
  const char* text = spokelab_plan_text(handleOf(in[0], PLAN)->object);
  return mxCreateString(text ? text : "");
}

// One line a machine: its name and what it is, or why it cannot be used.
static mxArray* backends(void) {
  const int count = spokelab_backend_count(machines());
  mxArray* cell = mxCreateCellMatrix((mwSize)count, 2);
  for (int i = 0; i < count; ++i) {
    mxSetCell(cell, (mwSize)i, mxCreateString(spokelab_backend_name(context, i)));
    mxSetCell(cell, (mwSize)(i + count), mxCreateString(spokelab_backend_text(context, i)));
  }
  return cell;
}

void mexFunction(int outputs, mxArray* out[], int inputs, const mxArray* in[]) {
  mexAtExit(destroyAll);
  if (inputs < 1) fail("spokelab:badArgument", "the first argument is a command");
  const char* command = textOf(in[0]);
  const int n = inputs - 1;
  const Inputs rest = in + 1;
  const bool tuned = !strcmp(command, "tune"), simulated = !strcmp(command, "simulate");
  if (tuned || !strcmp(command, "plan"))
    out[0] = plan(n, rest, tuned);
  else if (!strcmp(command, "points"))
    setPoints(n, rest);
  else if (!strcmp(command, "weights"))
    setWeights(n, rest);
  else if (!strcmp(command, "forward") || !strcmp(command, "adjoint") || !strcmp(command, "normal"))
    out[0] = transform(command, n, rest);
  else if (!strcmp(command, "error")) {
    needs(n, 1);
    out[0] = mxCreateDoubleScalar(spokelab_plan_error(handleOf(rest[0], PLAN)->object));
  } else if (!strcmp(command, "text"))
    out[0] = textAbout(n, rest);
  else if (!strcmp(command, "gdft"))
    out[0] = gdft(n, rest);
  else if (!strcmp(command, "gdftForward") || !strcmp(command, "gdftAdjoint"))
    out[0] = exact(!strcmp(command, "gdftForward"), n, rest);
  else if (simulated || !strcmp(command, "read"))
    out[0] = scan(n, rest, simulated);
  else if (!strcmp(command, "describe"))
    out[0] = describe(n, rest);
  else if (!strcmp(command, "scanPoints"))
    out[0] = scanPoints(n, rest);
  else if (!strcmp(command, "scanValues"))
    out[0] = scanValues(n, rest);
  else if (!strcmp(command, "reconstruct"))
    reconstruct(n, rest, outputs, out);
  else if (!strcmp(command, "backends"))
    out[0] = backends();
  else if (!strcmp(command, "version"))
    out[0] = mxCreateString(spokelab_version());
  else if (!strcmp(command, "destroy")) {
    needs(n, 1);
    const double id = numberOf(rest[0]);
    if (id >= 1 && id <= (double)handleCount) destroy(&handles[(size_t)id - 1]);
  } else
    fail("spokelab:badArgument", "there is no command of that name");
}
