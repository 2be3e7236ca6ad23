#include "app/gui/screenshot.h"

#include <QApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

#include "app/gui/main_window.h"
#include "widgets/recon/parameter_panel.h"

namespace spokelab {
namespace {

constexpr double lowAccuracy = 0.1;
constexpr int settleMs = 1500;  // the volume is prepared on a worker and rendered once more when it rests

}  // namespace

Screenshot::Screenshot(MainWindow& window, const QString& scan, const QString& picture, ScreenshotOf what,
                       QObject* parent)
    : QObject(parent), window_(window), picture_(picture) {
  Session& session = window_.session();
  connect(&session, &Session::failed, this,
          [this](const Failure& failure) { fail(failure.summary + QStringLiteral(": ") + failure.reason); });
  const auto finish = [this] { QTimer::singleShot(settleMs, this, &Screenshot::take); };
  connect(&session, &Session::resultReady, this, [this, what, finish](const HistoryEntry& entry) {
    if (what == ScreenshotOf::result) {
      finish();
    } else if (what == ScreenshotOf::sweep) {
      window_.sweep();
    } else if (entry.id == 1) {
      ReconOptions options = window_.parameters()->options();
      options.nufft.accuracy = lowAccuracy;
      window_.parameters()->setOptions(options);
      window_.reconstruct();
    } else {
      window_.setComparing(true);
      finish();
    }
  });
  // Only the sweep's: while it runs, a reconstruction keeps its candidates to itself.
  if (what == ScreenshotOf::sweep) connect(&session, &Session::profileReady, this, finish);
  QTimer::singleShot(0, this, [this, scan] { window_.open(scan); });
}

void Screenshot::fail(const QString& why) {
  std::fprintf(stderr, "spokelab: %s\n", qPrintable(why));
  QApplication::exit(1);
}

void Screenshot::take() {
  if (taken_) return;
  taken_ = true;
  if (!window_.grab().save(picture_)) {
    fail(QStringLiteral("cannot write %1").arg(picture_));
    return;
  }
  QApplication::exit(0);
}

}  // namespace spokelab
