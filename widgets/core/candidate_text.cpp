#include "widgets/core/candidate_text.h"

#include <QObject>
#include <QStringList>

#include <utility>

#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/repeats.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

struct PathWords {
  const char *path, *title, *brief;
};

constexpr PathWords pathWords[] = {
    {"toeplitz", "Toeplitz padded", "padded"},
    {"toeplitz-shifted", "Toeplitz shifted", "shifted"},
    {"segmented", "time segments", "time segments"},
    {"segmented-toeplitz", "Toeplitz segments", "Toeplitz segments"},
    {"segmented-toeplitz-shifted", "Toeplitz segments shifted", "shifted segments"},
    {"inner-grid", "inner grid", "inner grid"},
    {"gdft", "exact sums (Gdft)", "exact sums"},
    {"gdftr2", "exact sums with gradient (GdftR2)", "exact sums with gradient"}};

const PathWords* wordsOf(const CandidatePath& path) {
  for (const PathWords& words : pathWords)
    if (path.name == words.path) return &words;
  return nullptr;
}

QStringList placeParts(const Candidate& candidate) {
  const CandidatePath path = pathOf(candidate);
  if (path.isGrid())
    return {QStringLiteral("α ") + numberLabel(candidate.options.alpha, 3),
            QStringLiteral("W ") + numberLabel(candidate.options.width, 2)};
  QStringList parts{pathTitle(path)};
  if (path.alpha > 0)
    parts << (path.over == SweptOver::alpha ? QStringLiteral("α ") : QStringLiteral("α_T ")) +
                 numberLabel(path.alpha, 3);
  if (candidate.path.convolutions > 0)
    parts << QStringLiteral("%1 convolutions").arg(candidate.path.convolutions);
  if (candidate.path.segments > 0) parts << QStringLiteral("%1 segments").arg(candidate.path.segments);
  return parts;
}

}  // namespace

QString pathTitle(const CandidatePath& path) {
  if (path.isGrid()) return QStringLiteral("gridded");
  const PathWords* words = wordsOf(path);
  return words ? QString::fromUtf8(words->title) : QString::fromStdString(path.name);
}

QString pathShortTitle(const CandidatePath& path) {
  if (path.isGrid()) return pathTitle(path);
  const PathWords* words = wordsOf(path);
  return words ? QString::fromUtf8(words->brief) : QString::fromStdString(path.name);
}

QString candidatePlace(const Candidate& candidate) {
  return placeParts(candidate).join(QStringLiteral(", "));
}

QString candidateTitle(const Candidate& candidate) {
  const QString dot = QStringLiteral(" · ");
  const QString backend = QString::fromStdString(candidate.backend);
  if (isPlugin(candidate.backend)) return QObject::tr("plug-in ") + placeParts(candidate).join(dot);
  if (!pathOf(candidate).isGrid()) return backend + dot + placeParts(candidate).join(dot);
  return QStringLiteral("%1 %2 · α %3 · W %4")
      .arg(QString::fromStdString(candidate.backend), QString::fromStdString(methodsText(candidate.options)),
           numberLabel(candidate.options.alpha, 3), numberLabel(candidate.options.width, 2));
}

Candidate planOf(const Reconstruction& result) {
  Candidate plan;
  plan.backend = result.plan.backend;
  plan.options = result.plan.options;
  plan.grid = result.plan.grid;
  plan.predicted = result.plan.error;
  plan.memory = result.plan.memory;
  if (result.options.iterative.method == ReconMethod::gridding) plan.options.normal = NormalMethod::automatic;
  return plan;
}

QString repeatsText(const Candidate& candidate) {
  if (isSingleRepeat(candidate)) return QStringLiteral("timed once");
  const CostQuartiles q = costQuartiles(candidate);
  return QStringLiteral("cost from %1 to %2 (quartiles of %3 repeats)")
      .arg(secondsLabel(q.low), secondsLabel(q.high))
      .arg(candidate.repeats);
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
    text += QStringLiteral("<br>time %1, %2<br>interpolation %3, FFT %4, rest %5")
                .arg(secondsLabel(t.total), repeatsText(candidate), secondsLabel(t.interpolation()),
                     secondsLabel(t.fft()), secondsLabel(t.rest()));
    if (candidate.setPointsSeconds > 0)
      text +=
          QStringLiteral("<br>setting points %1, making the plan %2; an execution with its share of both %3")
              .arg(secondsLabel(candidate.setPointsSeconds), secondsLabel(candidate.planSeconds),
                   secondsLabel(candidate.cost()));
    if (candidate.transferSeconds > 0)
      text += QStringLiteral("<br>copies %1").arg(secondsLabel(candidate.transferSeconds));
  } else {
    text += QStringLiteral("<br>not timed");
  }
  if (isToeplitz(candidate.options.normal) && !pathOf(candidate).isGrid())
    text +=
        QStringLiteral("<br>a convolution with the point spread function, made at a tenth of the accuracy");
  text += QStringLiteral("<br>error predicted %1, worst pixel %2")
              .arg(errorLabel(candidate.predictedError()), errorLabel(candidate.predicted.worstPixel));
  if (candidate.measuredError)
    text += QStringLiteral(", measured %1").arg(errorLabel(*candidate.measuredError));
  if (candidate.memory > 0) text += QStringLiteral("<br>memory %1").arg(bytesLabel(candidate.memory));
  return text;
}

}  // namespace spokelab
