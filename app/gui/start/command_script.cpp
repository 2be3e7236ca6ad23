#include "app/gui/start/command_script.h"

#include <QApplication>

#include <cstdio>

#include "app/gui/features/scan/sequence_feature.h"
#include "app/gui/session/session.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/features.h"
#include "app/gui/window/main_window.h"
#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr int lookMs = 50;  // between two looks at the jobs

}  // namespace

CommandScript::CommandScript(MainWindow& window, QStringList commands, bool hasFile, QObject* parent)
    : QObject(parent), window_(window), commands_(std::move(commands)), waitsForFile_(hasFile) {
  Session& session = window_.session();
  const auto opened = [this] { waitsForFile_ = false; };
  connect(&session, &Session::scanReady, this, opened);
  connect(&session, &Session::sessionOpened, this, opened);
  connect(&session, &Session::resultReady, this, opened);  // an image
  connect(&session, &Session::failed, this, opened);
  connect(window_.features().sequence, &SequenceFeature::shown, this, opened);
  timer_.setInterval(lookMs);
  connect(&timer_, &QTimer::timeout, this, &CommandScript::next);
  timer_.start();
}

void CommandScript::next() {
  if (waitsForFile_ || window_.session().jobs().busy()) return;
  if (commands_.isEmpty()) {
    timer_.stop();
    return Q_EMIT finished();
  }
  try {
    runCommand(window_, commands_.takeFirst());
  } catch (const Error& error) {
    timer_.stop();
    std::fprintf(stderr, "spokelab: %s\n", error.what());
    QApplication::exit(1);
  }
}

}  // namespace spokelab
