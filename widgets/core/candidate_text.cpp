#include "widgets/core/candidate_text.h"

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

QString methodsText(const NufftOptions& options) {
  const auto spread = QString::fromUtf8(methodName(options.spread));
  const auto interpolate = QString::fromUtf8(methodName(options.interpolate));
  return spread == interpolate ? spread : spread + QStringLiteral("/") + interpolate;
}

}  // namespace

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
    if (candidate.setPointsSeconds > 0)
      text += QStringLiteral("<br>points %1, plan %2; cost of an execution with its share of them %3")
                  .arg(secondsLabel(candidate.setPointsSeconds), secondsLabel(candidate.planSeconds),
                       secondsLabel(candidate.cost()));
    if (candidate.transferSeconds > 0)
      text += QStringLiteral("<br>copies %1").arg(secondsLabel(candidate.transferSeconds));
  } else {
    text += QStringLiteral("<br>not timed");
  }
  text += QStringLiteral("<br>error predicted %1, worst pixel %2")
              .arg(errorLabel(candidate.predictedError()), errorLabel(candidate.predicted.worstPixel));
  if (candidate.measuredError)
    text += QStringLiteral(", measured %1").arg(errorLabel(*candidate.measuredError));
  if (candidate.memory > 0) text += QStringLiteral("<br>memory %1").arg(bytesLabel(candidate.memory));
  return text;
}

}  // namespace spokelab
