#include "app/gui/window/fuzzy_match.h"

#include <QStringList>

#include <algorithm>
#include <vector>

namespace spokelab {
namespace {

constexpr double letterScore = 1, adjacentScore = 2, beginningScore = 3, lengthWeight = 0.01;

bool beginsWord(const QString& text, qsizetype at) {
  return at == 0 || (!text[at - 1].isLetterOrNumber() && text[at].isLetterOrNumber());
}

// The best places of the word's letters in the text, by dynamic programming over both.
double wordScore(const QString& word, const QString& text) {
  constexpr double impossible = -1;
  std::vector<double> before(std::size_t(text.size()), impossible), now(before);
  for (qsizetype w = 0; w < word.size(); ++w) {
    std::fill(now.begin(), now.end(), impossible);
    double best = w == 0 ? 0 : impossible;  // of the letters before, anywhere further left
    for (qsizetype t = 0; t < text.size(); ++t) {
      const auto at = std::size_t(t);
      if (text[t] == word[w]) {
        double from = best;
        if (w > 0 && t > 0 && before[at - 1] >= 0) from = std::max(from, before[at - 1] + adjacentScore);
        if (from >= 0) now[at] = from + letterScore + (beginsWord(text, t) ? beginningScore : 0);
      }
      if (w > 0) best = std::max(best, before[at]);
    }
    std::swap(before, now);
  }
  return before.empty() ? 0 : std::max(0.0, *std::max_element(before.begin(), before.end()));
}

}  // namespace

double fuzzyScore(const QString& query, const QString& text) {
  const QString folded = text.toCaseFolded();
  double score = 0;
  for (const QString& word : query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const double found = wordScore(word, folded);
    if (found <= 0) return 0;
    score += found;
  }
  return score / (1 + lengthWeight * double(text.size()));
}

}  // namespace spokelab
