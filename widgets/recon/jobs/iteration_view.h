// A running iterative reconstruction: its residuals over the iterations (logarithmic) beside the
// current image. The user can look at an earlier iteration (a click on its point, or the slider
// below the image), go back to it (the button, or Enter on its point), pause, set another λ, stop,
// or stop and keep the best image.
#pragma once

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

#include "engine/scan/scan.h"

class QCheckBox;
class QCPGraph;
class QCPItemTracer;
class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace spokelab {

class CurvePlot;
class ElidedLabel;
class SliceView;

struct IterationPoint {
  int iteration = 0, frame = 0, slice = 0;
  double residual = 0, seconds = 0, lambda = 0;
  bool kept = false;      // its image is there to go back to
  bool steerable = true;  // false: takes no other λ, and no image (IterationState)
};

class IterationView : public QWidget {
  Q_OBJECT

 public:
  explicit IterationView(QWidget* parent = nullptr);

  void start(const QString& title);
  void clear();  // another scan was opened
  // Adds points in their order. Another frame or slice begins a new curve.
  void addPoints(const std::vector<IterationPoint>& points);
  void dropImages(const std::vector<int>& iterations);  // they cannot be gone back to any more
  // keeps window, zoom and cursor between iterations
  void setImage(std::shared_ptr<const Image> image);
  // Further images of iterations, to be looked at.
  void keepImages(const std::map<int, std::shared_ptr<const Image>>& images);
  void finish(const QString& ending);
  void setPaused(bool paused);

  bool running() const { return running_; }
  bool paused() const { return paused_; }
  // True if the user wants the images of running iterations.
  bool live() const;
  const std::vector<IterationPoint>& points() const { return points_; }
  QString status() const;
  int shownIteration() const { return shown_; }  // 0: none
  CurvePlot* plot() const { return plot_; }
  SliceView* image() const { return image_; }
  QPoint positionOf(std::size_t point) const;  // in the plot's coordinates

 Q_SIGNALS:
  void pauseRequested(bool on);
  void lambdaRequested(double lambda);
  void backRequested(int iteration);
  void stopRequested(bool keepBest);
  void liveRequested(bool on);
  void largeImageReady(
      std::shared_ptr<const spokelab::Image> image);  // for the main views, where that is asked for

 private:
  static QString nothingYet();
  QWidget* makeControls();
  void takeTheme();
  QToolButton* makeButton(const QString& name, const QString& text, const QString& help);
  void pick(const QPoint& position);
  void goBack(std::size_t point);
  void showIteration(int iteration);
  void updateSlider();
  const IterationPoint* pointOf(int iteration) const;
  void drawCurve();
  void markLambdas();
  bool isSteerable() const;
  void updateControls();

  std::vector<IterationPoint> points_;
  std::map<int, std::shared_ptr<const Image>> images_;  // of iterations, as they were seen
  bool running_ = false, paused_ = false;
  bool follows_ = true;  // shows each new image
  int shown_ = 0;        // the iteration whose image is shown; 0: none
  QString title_;
  CurvePlot* plot_ = nullptr;
  QCPGraph *curve_ = nullptr, *kept_ = nullptr, *best_ = nullptr;
  SliceView* image_ = nullptr;
  ElidedLabel* status_ = nullptr;
  QLabel* caption_ = nullptr;
  QSlider* slider_ = nullptr;  // of the images that can be looked at, in their order
  QToolButton *pause_ = nullptr, *stop_ = nullptr, *keep_ = nullptr, *apply_ = nullptr, *back_ = nullptr;
  QLineEdit* lambda_ = nullptr;
  QCheckBox *live_ = nullptr, *large_ = nullptr;
};

}  // namespace spokelab
