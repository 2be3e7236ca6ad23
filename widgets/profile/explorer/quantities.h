// Numbers as people read them: time, memory, error, sizes. Used by charts, lists and tool tips alike.
#pragma once

#include <QString>

#include "engine/core/array.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {

QString secondsLabel(double seconds);             // "850 µs", "12.3 ms", "4.21 s", "3 min 20 s"
QString bytesLabel(std::int64_t bytes);           // "12.3 MB" (decimal), "0 B"
QString errorLabel(double error);                 // "7.1e-06"
QString numberLabel(double value, int decimals);  // trailing zeros removed: "1.25", "2"
QString sizeLabel(const Index3& size);            // "128 × 128 × 64", "256 × 256"
QString percentLabel(double fraction);            // "42 %", "0.3 %"

// One line: "cpu blocked · α 1.25 · W 5.33".
QString candidateTitle(const Candidate& candidate);
// Rich text with times, errors and memory, for tool tips.
QString candidateDetails(const Candidate& candidate);

}  // namespace spokelab
