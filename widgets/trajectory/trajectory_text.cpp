#include "widgets/trajectory/trajectory_text.h"

#include <array>

#include <QObject>

#include "widgets/core/number_text.h"

namespace spokelab {

QString sampleText(const Trajectory& t, std::int64_t sample, TrajectoryColour colour,
                   const SampleLoad& load) {
  const std::int64_t shot = shotOf(t, sample), begin = t.shotOffsets[std::size_t(shot)];
  const std::int64_t length = t.shotOffsets[std::size_t(shot) + 1] - begin;
  QString text = QObject::tr("shot %1 / %2   sample %3 / %4")
                     .arg(shot)
                     .arg(t.shots() - 1)
                     .arg(sample - begin)
                     .arg(length - 1);
  static constexpr std::array<const char*, 3> names{"kx", "ky", "kz"};
  const Vec3 k = kspacePoint(t, sample);
  text += QLatin1Char('\n');
  for (int d = 0; d < t.dims; ++d)
    text +=
        QStringLiteral("%1 %2   ").arg(QLatin1String(names[std::size_t(d)]), valueText(k[std::size_t(d)]));
  constexpr double milliseconds = 1e3;
  if (hasTimes(t))
    text += QObject::tr("t %1 ms   ").arg(valueText(t.times[std::size_t(sample)] * milliseconds));
  if (hasWeights(t)) text += QObject::tr("w %1").arg(valueText(t.weights[std::size_t(sample)]));
  if (!load.of.empty()) {
    const double value = double(load.of[std::size_t(sample)]);
    text += QStringLiteral("   ");
    if (colour == TrajectoryColour::magnitude)
      text += QObject::tr("|y| %1").arg(valueText(value));
    else
      text += (colour == TrajectoryColour::load ? QObject::tr("%1 samples in its tile")
                                                : QObject::tr("%1 samples in its cell"))
                  .arg(value);
  }
  return text.trimmed();
}

QString loadText(const SampleLoad& load, TrajectoryColour colour, const Index3& tile) {
  const QString what = colour == TrajectoryColour::load
                           ? QObject::tr("tiles of %1 × %2 × %3").arg(tile[0]).arg(tile[1]).arg(tile[2])
                           : QObject::tr("Nyquist cells");
  return QObject::tr("%1\nmean %2, most %3\n%4 % empty")
      .arg(what, valueText(load.mean), valueText(load.most), fixedLabel(100 * load.holes, 1));
}

QString colourValueText(const Trajectory& trajectory, TrajectoryColour colour, double value) {
  constexpr double milliseconds = 1e3;
  if (colour == TrajectoryColour::time && hasTimes(trajectory))
    return QObject::tr("%1 ms").arg(valueText(value * milliseconds));
  if (colour >= TrajectoryColour::weight) return valueText(value);
  return QString::number(std::int64_t(value));
}

}  // namespace spokelab
