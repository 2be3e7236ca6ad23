// Numbers as people read them: time, memory, error, sizes, values. Charts, lists, read-outs and
// tool tips take theirs here.
#pragma once

#include <QString>

#include "engine/core/array.h"

namespace spokelab {

// "850 µs", "12.3 ms", "4.21 s", "3 min 20 s"
QString secondsLabel(double seconds);
// "12.3 MB" (decimal), "0 B"
QString bytesLabel(std::int64_t bytes);
// "7.1e-06"
QString errorLabel(double error);
// The same, or "not predicted" for 0.
QString predictedLabel(double error);
// Trailing zeros removed: "1.25", "2"
QString numberLabel(double value, int decimals);
// "128 × 128 × 64", "256 × 256"
QString sizeLabel(const Index3& size);
// "42 %", "0.3 %"
QString percentLabel(double fraction);
// All decimals: "1.250"
QString fixedLabel(double value, int decimals);
// At most `digits` significant digits: "1.25", "1e-05"
QString shortLabel(double value, int digits);
// Three significant digits, as legends and read-outs write values: "0.512", "1.2e-5"
QString valueText(double value);

}  // namespace spokelab
