// MATLAB's arrays, texts and errors to C's and back.
#include "mex_arrays.h"

#include <string.h>

#if MX_HAS_INTERLEAVED_COMPLEX
#error "Build without -R2018a: this file reads split complex numbers"
#endif

void fail(const char* id, const char* text) {
  mexErrMsgIdAndTxt(id, "%s", text);
}

void check(spokelab_status status) {
  if (status == SPOKELAB_OK) return;
  const char* id = status == SPOKELAB_BAD_ARGUMENT ? "spokelab:badArgument"
                   : status == SPOKELAB_NO_MEMORY  ? "spokelab:noMemory"
                   : status == SPOKELAB_INTERNAL   ? "spokelab:internal"
                                                   : "spokelab:failed";
  fail(id, spokelab_error_text());
}

// NULL is a cell that was never set.
char* textOf(const mxArray* a) {
  char* text = a && mxIsChar(a) ? mxArrayToString(a) : NULL;
  if (!text) fail("spokelab:badArgument", "a text is expected");
  return text;
}

double numberOf(const mxArray* a) {
  if (!mxIsNumeric(a) && !mxIsLogical(a)) fail("spokelab:badArgument", "a number is expected");
  if (mxGetNumberOfElements(a) != 1) fail("spokelab:badArgument", "one number is expected");
  return mxGetScalar(a);
}

const double* realsOf(const mxArray* a, mwSize* count) {
  *count = mxGetNumberOfElements(a);
  if (*count == 0) return NULL;
  if (!mxIsDouble(a) || mxIsComplex(a)) fail("spokelab:badArgument", "an array of real doubles is expected");
  return mxGetPr(a);
}

const double* mapOf(const mxArray* a, mwSize expected, const char* what) {
  mwSize count = 0;
  const double* values = realsOf(a, &count);
  if (values && count != expected) fail("spokelab:badArgument", what);
  return values;
}

spokelab_options* optionsOf(const mxArray* cell) {
  const mwSize count = (mwSize)mxGetNumberOfElements(cell);
  if (count % 2) fail("spokelab:badArgument", "options are pairs of a name and a value");
  spokelab_options* options = NULL;
  check(spokelab_options_create(&options));
  for (mwSize i = 0; i < count; i += 2) {
    const mxArray *name = mxGetCell(cell, i), *value = mxGetCell(cell, i + 1);
    const bool texts = name && value && mxIsChar(name) && mxIsChar(value);
    const spokelab_status status =
        texts ? spokelab_options_set(options, mxArrayToString(name), mxArrayToString(value)) : SPOKELAB_OK;
    if (!texts || status != SPOKELAB_OK) spokelab_options_destroy(options);
    if (!texts) fail("spokelab:badArgument", "options are pairs of a name and a value");
    check(status);
  }
  return options;
}

int textsOf(const mxArray* cell, const char** texts) {
  const mwSize count = mxGetNumberOfElements(cell);
  if (count > maxTexts) fail("spokelab:badArgument", "too many options");
  for (mwSize i = 0; i < count; ++i) texts[i] = textOf(mxGetCell(cell, i));
  return (int)count;
}

static double partOf(const mxArray* a, const void* data, mwSize i) {
  if (!data) return 0;
  return mxIsDouble(a) ? ((const double*)data)[i] : (double)((const float*)data)[i];
}

void* pairsOf(const mxArray* a, mwSize expected, spokelab_precision precision, const char* what) {
  if ((!mxIsDouble(a) && !mxIsSingle(a)) || (mwSize)mxGetNumberOfElements(a) != expected)
    fail("spokelab:badArgument", what);
  const void *re = mxGetData(a), *im = mxGetImagData(a);
  const size_t bytes = precision == SPOKELAB_DOUBLE ? sizeof(double) : sizeof(float);
  void* pairs = mxMalloc(2 * bytes * (expected ? expected : 1));
  for (mwSize i = 0; i < expected; ++i)
    for (int part = 0; part < 2; ++part) {
      const double value = partOf(a, part ? im : re, i);
      if (precision == SPOKELAB_DOUBLE)
        ((double*)pairs)[2 * i + (mwSize)part] = value;
      else
        ((float*)pairs)[2 * i + (mwSize)part] = (float)value;
    }
  return pairs;
}

mxArray* fromPairs(const void* pairs, mwSize axes, const mwSize* shape, spokelab_precision precision) {
  mxArray* a = mxCreateNumericArray(
      axes, shape, precision == SPOKELAB_DOUBLE ? mxDOUBLE_CLASS : mxSINGLE_CLASS, mxCOMPLEX);
  void *re = mxGetData(a), *im = mxGetImagData(a);
  const mwSize count = mxGetNumberOfElements(a);
  for (mwSize i = 0; i < count; ++i)
    if (precision == SPOKELAB_DOUBLE) {
      ((double*)re)[i] = ((const double*)pairs)[2 * i];
      ((double*)im)[i] = ((const double*)pairs)[2 * i + 1];
    } else {
      ((float*)re)[i] = ((const float*)pairs)[2 * i];
      ((float*)im)[i] = ((const float*)pairs)[2 * i + 1];
    }
  return a;
}

void* room(mwSize count, spokelab_precision precision) {
  return mxMalloc(2 * (precision == SPOKELAB_DOUBLE ? sizeof(double) : sizeof(float)) * (count ? count : 1));
}
