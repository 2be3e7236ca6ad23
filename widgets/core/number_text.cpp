#include "widgets/core/number_text.h"

#include <QObject>

#include <array>
#include <cmath>

namespace spokelab {
namespace {

constexpr int significantDigits = 3;
constexpr double secondsAMinute = 60;
constexpr double bytesAStep = 1000;

QString threeDigits(double value) {
  const int before = value >= 1 ? int(std::floor(std::log10(value))) + 1 : 1;
  return QString::number(value, 'f', std::max(0, significantDigits - before));
}

}  // namespace

QString secondsLabel(double seconds) {
  if (!(seconds >= 0)) return QStringLiteral("–");
  if (seconds >= secondsAMinute) {
    const auto whole = qint64(std::llround(seconds));
    return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
  }
  if (seconds >= 1) return threeDigits(seconds) + QStringLiteral(" s");
  if (seconds >= 1e-3) return threeDigits(seconds * 1e3) + QStringLiteral(" ms");
  return threeDigits(seconds * 1e6) + QStringLiteral(" µs");
}

QString bytesLabel(std::int64_t bytes) {
  static constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  double value = double(bytes);
  std::size_t unit = 0;
  while (value >= bytesAStep && unit + 1 < units.size()) {
    value /= bytesAStep;
    ++unit;
  }
  const QString number = unit == 0 ? QString::number(bytes) : threeDigits(value);
  return number + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString errorLabel(double error) {
  return std::isfinite(error) ? QString::number(error, 'e', 1) : QStringLiteral("–");
}

QString predictedLabel(double error) {
  return error > 0 ? errorLabel(error) : QObject::tr("not predicted");
}

QString numberLabel(double value, int decimals) {
  QString text = QString::number(value, 'f', decimals);
  if (!text.contains(QLatin1Char('.'))) return text;
  while (text.endsWith(QLatin1Char('0'))) text.chop(1);
  if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  return text;
}

QString sizeLabel(const Index3& size) {
  QString text = QStringLiteral("%1 × %2").arg(size[0]).arg(size[1]);
  if (size[2] > 1) text += QStringLiteral(" × %1").arg(size[2]);
  return text;
}

QString percentLabel(double fraction) {
  const double percent = 100 * fraction;
  return QString::number(percent, 'f', std::abs(percent) < 9.95 ? 1 : 0) + QStringLiteral(" %");
}

QString fixedLabel(double value, int decimals) {
  const QString text = QString::number(value, 'f', decimals);
  const bool isMinusZero = text.startsWith(QLatin1Char('-')) && text.toDouble() == 0;
  return isMinusZero ? text.mid(1) : text;
}

QString shortLabel(double value, int digits) {
  return QString::number(value, 'g', digits);
}

QString valueText(double value) {
  constexpr int digits = 3;
  constexpr double wholeFrom = 1e3, wholeTo = 1e5;  // written without exponent
  if (value == 0) return QStringLiteral("0");
  const bool whole = std::abs(value) >= wholeFrom && std::abs(value) < wholeTo;
  QString text = whole ? QString::number(value, 'f', 0) : QString::number(value, 'g', digits);
  text.replace(QStringLiteral("e-0"), QStringLiteral("e-"));
  text.replace(QStringLiteral("e+0"), QStringLiteral("e"));
  text.replace(QStringLiteral("e+"), QStringLiteral("e"));
  return text.replace(QLatin1Char('-'), QChar(0x2212))
      .replace(QStringLiteral("e\u2212"), QStringLiteral("e-"));
}

}  // namespace spokelab
