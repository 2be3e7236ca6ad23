// Takes the guide's pictures: opens a file in the window, reconstructs, sweeps, and saves a picture of the window.
#pragma once

#include <QObject>
#include <QString>

namespace spokelab {

class MainWindow;

enum class ScreenshotOf {
  result,
  sweep,       // and the charts that it fills
  comparison,  // the result of low accuracy beside that of the parameters
};

class Screenshot : public QObject {
  Q_OBJECT

 public:
  // Ends the application: exit code 0 when the picture is written, 1 with a message where something failed.
  Screenshot(MainWindow& window, const QString& scan, const QString& picture, ScreenshotOf what,
             QObject* parent = nullptr);

 private:
  void fail(const QString& why);
  void take();

  MainWindow& window_;
  QString picture_;
  bool taken_ = false;
};

}  // namespace spokelab
