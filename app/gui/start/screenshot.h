// Takes the guide's pictures: opens a file, reconstructs, sweeps, and saves the window's picture.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace spokelab {

class MainWindow;

enum class ScreenshotOf {
  result,
  sweep,         // and the charts that it fills
  explorer,      // the same, with the map of plans in front
  comparison,    // a result of low accuracy beside the result of the parameters
  dialog,        // one of the window's dialogs, with its findings about the scan
  iterations,    // the dock of the iterations
  maps,          // the dock of the maps that iterations use
  stages,        // the stages of the result's time, with the memory's ceiling
  offResonance,  // the bench of field corrections
  lambda,        // the choice of lambda
  noise,         // maps of the noise
  job,           // which part of the job that made the result ran when
  timeline,      // the scheduler's time line
  data,          // the samples
};

class Screenshot : public QObject {
  Q_OBJECT

 public:
  // Ends the application: exit code 0 when the picture is written, 1 with a message where something
  // failed. open: opens the file. tool: the dialog of ScreenshotOf::dialog, by its action without
  // "action-": simulate, density, readings.
  Screenshot(MainWindow& window, std::function<void()> open, const QString& picture, ScreenshotOf what,
             const QString& tool = {}, QObject* parent = nullptr);

 private:
  void fail(const QString& why);
  void showTool(const QString& tool);
  void take();

  MainWindow& window_;
  QString picture_;
  bool dialog_ = false;  // a dialog is to be seen, not the window
  bool taken_ = false;
};

}  // namespace spokelab
