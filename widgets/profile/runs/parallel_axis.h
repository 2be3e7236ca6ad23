// One of several vertical axes side by side. It maps numbers to places from 0 (bottom) to 1 (top),
// has ticks with words, and holds the range that the user chose.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace spokelab {

enum class AxisScale { even, decades, names };

struct ParallelAxis {
  using Range = std::pair<double, double>;  // low, high
  struct Tick {
    double place = 0;
    QString text;
  };

  QString title;
  AxisScale scale = AxisScale::even;
  double low = 0, high = 1;             // lowest and highest value of the lines
  QStringList names;                    // of the values 0, 1, … (AxisScale::names)
  std::function<QString(double)> text;  // of a value
  std::optional<Range> brush;           // values that are let through; none: all

  // Takes the values of all lines; a value that is not finite is none.
  void cover(const std::vector<double>& values);
  double placeOf(double value) const;
  double valueAt(double place) const;
  // Ticks for the values of all lines. The values themselves are ticks if they are at most `most`
  // and do not crowd; else round numbers are. AxisScale::names gives a tick to every value.
  std::vector<Tick> ticks(const std::vector<double>& values, int most) const;
  // A line without a value passes only where no range is chosen.
  bool passes(double value) const;
};

}  // namespace spokelab
