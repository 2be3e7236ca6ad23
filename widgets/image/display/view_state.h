// The state of a view as names and values that can be kept in a file and set again: "cursor" -> "12
// 3 40". Written numbers read back unchanged; unreadable values change nothing.
#pragma once

#include <vector>

#include <QMap>
#include <QString>
#include <QStringList>

namespace spokelab {

using ViewState = QMap<QString, QString>;

inline QString numbersText(const std::vector<double>& numbers) {
  QStringList words;
  for (const double number : numbers) words << QString::number(number, 'g', 17);
  return words.join(QLatin1Char(' '));
}

// Empty where the text is not `count` numbers.
inline std::vector<double> numbersOf(const QString& text, int count) {
  std::vector<double> numbers;
  for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    bool ok = false;
    numbers.push_back(word.toDouble(&ok));
    if (!ok) return {};
  }
  return int(numbers.size()) == count ? numbers : std::vector<double>();
}

// A choice from 0 to `last`; -1: no such choice.
inline int choiceOf(const ViewState& state, const char* name, int last) {
  bool ok = false;
  const int value = state.value(QString::fromLatin1(name)).toInt(&ok);
  return ok && value >= 0 && value <= last ? value : -1;
}

inline QString flagText(bool on) {
  return on ? QStringLiteral("yes") : QStringLiteral("no");
}
inline bool flagOf(const ViewState& state, const QString& name, bool otherwise) {
  const auto found = state.find(name);
  return found == state.end() ? otherwise : *found == QStringLiteral("yes");
}

}  // namespace spokelab
