// A Python console beside the window, if a Python with the package spokelab is found. Python runs
// in a separate process, which shows arrays through the window's socket and gets image and scan
// from it.
#pragma once

#include <QStringList>
#include <QTemporaryDir>

#include <functional>

#include "app/gui/features/feature.h"

class QProcess;

namespace spokelab {

class ConsoleView;

class ConsoleFeature : public Feature {
  Q_OBJECT

 public:
  // socketName: of this window, empty where it does not listen (ShowFeature).
  ConsoleFeature(Session& session, const Views& views, std::function<QString()> socketName, QObject* parent);
  ~ConsoleFeature() override;

  void start();
  void stop();
  void run(const QString& line);
  void sendImage();
  void sendScan();
  ConsoleView* view() const { return view_; }

 private:
  void tryNext();
  void begin(const QString& python);
  void interrupt();

  std::function<QString()> socketName_;
  ConsoleView* view_;
  QStringList candidates_;  // that have not been tried yet
  QProcess *finder_ = nullptr, *process_ = nullptr;
  QTemporaryDir folder_;  // of arrays on their way
  int sent_ = 0;
};

}  // namespace spokelab
