// Scores the fit of a few letters to a name: "rcn" fits "Reconstruct".
#pragma once

#include <QString>

namespace spokelab {

// 0: some word of the query has letters that are not in the text, in this order. Larger: better.
// Letters at the beginning of words, and side by side, count more; a short text more than a long
// one. Words of the query may come in any order.
double fuzzyScore(const QString& query, const QString& text);

}  // namespace spokelab
