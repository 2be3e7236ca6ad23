#include "app/gui/start/screenshot.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QDialog>
#include <QDockWidget>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <utility>

#include "app/gui/features/image/compare_feature.h"
#include "app/gui/features/profile/explorer_feature.h"
#include "app/gui/features/profile/stages_feature.h"
#include "app/gui/features/profile/timeline_feature.h"
#include "app/gui/features/recon/iterations_feature.h"
#include "app/gui/features/recon/lambda_feature.h"
#include "app/gui/features/recon/noise_feature.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "app/gui/features/scan/sequence_feature.h"
#include "app/gui/window/features.h"
#include "app/gui/window/main_window.h"
#include "engine/core/atomic_file.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr double lowAccuracy = 0.1;
// The volume is prepared on a worker and rendered once more when it rests.
constexpr int settleMs = 1500;

}  // namespace

Screenshot::Screenshot(MainWindow& window, std::function<void()> open, const QString& picture,
                       ScreenshotOf what, const QString& tool, QObject* parent)
    : QObject(parent), window_(window), picture_(picture), dialog_(what == ScreenshotOf::dialog) {
  Session& session = window_.session();
  const Features& features = window_.features();
  connect(&session, &Session::failed, this,
          [this](const Failure& failure) { fail(failure.summary + QStringLiteral(": ") + failure.reason); });
  const auto finish = [this] { QTimer::singleShot(settleMs, this, &Screenshot::take); };
  connect(&session, &Session::resultReady, this, [this, what, finish, tool](const HistoryEntry& entry) {
    if (what == ScreenshotOf::result) {
      finish();
    } else if (what == ScreenshotOf::sweep || what == ScreenshotOf::explorer) {
      window_
          .dock(what == ScreenshotOf::explorer ? QStringLiteral("explorer-dock") : QStringLiteral("profile"))
          ->raise();  // iterations have raised theirs
      window_.features().explorer->sweep();
    } else if (what == ScreenshotOf::dialog) {
      // Delivered from within the job that made the result: the next one starts when that is over.
      QTimer::singleShot(0, this, [this, tool] { showTool(tool); });
    } else if (what == ScreenshotOf::iterations || what == ScreenshotOf::job) {
      window_.dock(what == ScreenshotOf::job ? QStringLiteral("timeline") : QStringLiteral("iterations"))
          ->raise();
      finish();
    } else if (what == ScreenshotOf::data) {
      window_.dock(QStringLiteral("data"))->raise();
      finish();
    } else if (what == ScreenshotOf::stages) {
      window_.dock(QStringLiteral("stages"))->raise();
      QTimer::singleShot(0, this, [this, backend = QString::fromStdString(entry.result->plan.backend)] {
        window_.features().stages->measureCeiling(backend);
      });
    } else if (what == ScreenshotOf::maps) {
      QTimer::singleShot(0, this, [this] { window_.features().iterations->loadMaps(); });
    } else if (what == ScreenshotOf::offResonance) {
      QTimer::singleShot(0, this, [this] { window_.features().iterations->benchField(); });
    } else if (what == ScreenshotOf::lambda) {
      QTimer::singleShot(0, this, [this] { window_.features().lambda->action()->trigger(); });
    } else if (what == ScreenshotOf::noise) {
      QTimer::singleShot(0, this, [this] { window_.features().noise->action()->trigger(); });
    } else if (what == ScreenshotOf::timeline) {
      QTimer::singleShot(
          0, this, [this] { window_.features().timeline->record(window_.views().parameters->options()); });
    } else if (entry.id == 1) {
      ReconOptions options = window_.views().parameters->options();
      setAccuracy(options, lowAccuracy);
      window_.views().parameters->setOptions(options);
      window_.features().reconstruct->run();
    } else {
      window_.features().compare->setComparing(true);
      finish();
    }
  });
  connect(features.iterations, &IterationsFeature::mapsReady, this, finish);
  connect(features.lambda, &LambdaFeature::rangeFound, this, finish);
  connect(features.noise, &NoiseFeature::mapped, this, finish);
  connect(features.timeline, &TimelineFeature::ready, this, finish);
  connect(features.sequence, &SequenceFeature::shown, this, [&session, finish] {
    if (!session.scan()) finish();  // nothing is reconstructed
  });
  connect(features.stages, &StagesFeature::ceilingMeasured, this, finish);
  connect(features.iterations, &IterationsFeature::benchEnded, this, finish);
  // Only a sweep's charts change while it runs; a reconstruction shows its candidates at its end.
  if (what == ScreenshotOf::sweep || what == ScreenshotOf::explorer)
    connect(&session, &Session::profileReady, this, finish);
  QTimer::singleShot(0, this, [this, open = std::move(open)] {
    try {
      requireTarget(picture_.toStdString());  // at once, not after all that it is to show
    } catch (const Error& error) {
      fail(QString::fromUtf8(error.what()));
      return;
    }
    open();
  });
}

void Screenshot::fail(const QString& why) {
  std::fprintf(stderr, "spokelab: %s\n", qPrintable(why));
  QApplication::exit(1);
}

void Screenshot::showTool(const QString& tool) {
  auto* action = window_.findChild<QAction*>(QStringLiteral("action-") + tool);
  if (!action) {
    fail(QStringLiteral("the window has no dialog called %1").arg(tool));
    return;
  }
  JobQueue& jobs = window_.session().jobs();
  const auto finish = [this, &jobs] {
    if (!jobs.busy()) QTimer::singleShot(settleMs, this, &Screenshot::take);
  };
  action->trigger();
  connect(&jobs, &JobQueue::jobChanged, this, finish);
  finish();
}

void Screenshot::take() {
  if (taken_) return;
  taken_ = true;
  QWidget* seen = dialog_ ? nullptr : &window_;
  for (QDialog* dialog : window_.findChildren<QDialog*>())
    if (dialog_ && dialog->isVisible()) seen = dialog;
  if (!seen) {
    fail(QStringLiteral("the dialog did not show"));
    return;
  }
  QByteArray bytes;
  QBuffer buffer(&bytes);
  const QByteArray format = QFileInfo(picture_).suffix().toLatin1();
  if (!buffer.open(QIODevice::WriteOnly) || !seen->grab().save(&buffer, format.constData())) {
    fail(QStringLiteral("cannot write %1: its ending names no format for pictures").arg(picture_));
    return;
  }
  try {
    writeFileAtomically(picture_.toStdString(),
                        std::string_view(bytes.constData(), std::size_t(bytes.size())));
  } catch (const Error& error) {
    fail(QString::fromUtf8(error.what()));
    return;
  }
  QApplication::exit(0);
}

}  // namespace spokelab
