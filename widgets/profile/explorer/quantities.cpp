#include "widgets/profile/explorer/quantities.h"

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

QString methodsText(const NufftOptions& options) {
  const auto spread = QString::fromUtf8(methodName(options.spread));
  const auto interpolate = QString::fromUtf8(methodName(options.interpolate));
  return spread == interpolate ? spread : spread + QStringLiteral("/") + interpolate;
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

QString candidateTitle(const Candidate& candidate) {
  return QStringLiteral("%1 %2 · α %3 · W %4")
      .arg(QString::fromStdString(candidate.backend), methodsText(candidate.options),
           numberLabel(candidate.options.alpha, 3), numberLabel(candidate.options.width, 2));
}

QString candidateDetails(const Candidate& candidate) {
  QString text =
      QStringLiteral("<b>%1</b><br>grid %2").arg(candidateTitle(candidate), sizeLabel(candidate.grid));
  if (!candidate.refused.empty()) {
    return text + QStringLiteral("<br>cannot run: ") +
           QString::fromStdString(candidate.refused).toHtmlEscaped();
  }
  if (candidate.timed()) {
    const auto& t = candidate.timings;
    text += QStringLiteral("<br>time %1 ± %2 (%3 repeats)<br>interpolation %4, FFT %5, rest %6")
                .arg(secondsLabel(t.total), percentLabel(candidate.spread / 2))
                .arg(candidate.repeats)
                .arg(secondsLabel(t.interpolation()), secondsLabel(t.fft()), secondsLabel(t.rest()));
  } else {
    text += QStringLiteral("<br>not timed");
  }
  text += QStringLiteral("<br>error predicted %1").arg(errorLabel(candidate.predicted.relativeL2));
  if (candidate.measuredError)
    text += QStringLiteral(", measured %1").arg(errorLabel(*candidate.measuredError));
  if (candidate.memory > 0) text += QStringLiteral("<br>memory %1").arg(bytesLabel(candidate.memory));
  return text;
}

}  // namespace spokelab
