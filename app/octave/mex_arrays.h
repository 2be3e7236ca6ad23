// MATLAB's arrays, texts and errors to C's and back. A wrong argument ends the call with an error
// of MATLAB's; what mxMalloc gave is then released by MATLAB.
#ifndef SPOKELAB_MEX_ARRAYS_H
#define SPOKELAB_MEX_ARRAYS_H

#include <mex.h>
#include <stdbool.h>

#include "spokelab.h"

enum { maxTexts = 256 };

// Ends the call with this error: does not return.
void fail(const char* id, const char* text);
// The same where the status is not SPOKELAB_OK, with the library's text.
void check(spokelab_status status);

// A copy that MATLAB frees when the call ends.
char* textOf(const mxArray* a);
double numberOf(const mxArray* a);
// Real numbers in double; NULL for [].
const double* realsOf(const mxArray* a, mwSize* count);
// The same of a map that may be [], else of `expected` numbers; `what`: the error's text.
const double* mapOf(const mxArray* a, mwSize expected, const char* what);
// A cell of texts; returns their number. texts: room for maxTexts.
int textsOf(const mxArray* cell, const char** texts);
// Options from a cell {name, value, ...}, all texts. The caller destroys them.
spokelab_options* optionsOf(const mxArray* cell);

// MATLAB's complex numbers are two arrays; the library's are pairs (real, imaginary) in the
// precision. pairsOf() allocates its result by mxMalloc. what: the error's text unless `a` has
// `expected` single or double numbers.
void* pairsOf(const mxArray* a, mwSize expected, spokelab_precision precision, const char* what);
mxArray* fromPairs(const void* pairs, mwSize axes, const mwSize* shape, spokelab_precision precision);
void* room(mwSize count, spokelab_precision precision);  // for pairs, by mxMalloc

#endif
