// Commands of the window one after the other, each when no job runs: `spokelab --run-command ID`.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

namespace spokelab {

class MainWindow;

class CommandScript : public QObject {
  Q_OBJECT

 public:
  // hasFile: a file is being opened; the first command waits for it. A command that cannot run ends
  // the program, with exit code 1 and the reason.
  CommandScript(MainWindow& window, QStringList commands, bool hasFile, QObject* parent = nullptr);

 Q_SIGNALS:
  void finished();

 private:
  void next();

  MainWindow& window_;
  QStringList commands_;
  bool waitsForFile_;
  QTimer timer_;
};

}  // namespace spokelab
