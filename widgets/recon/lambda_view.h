// Chooses lambda from a range that one run computed: the L-curve, the curves over lambda, and a
// slider over the range. The image at the slider's lambda is a sum of vectors of that run, so it
// follows the slider without another reconstruction.
#pragma once

#include <QWidget>

#include <memory>
#include <optional>

#include "engine/recon/explore/lambda/lambda_choice.h"
#include "widgets/core/latest_job.h"

class QCPGraph;
class QLabel;
class QSlider;
class QToolButton;

namespace spokelab {

class CurvePlot;
class ElidedLabel;

class LambdaView : public QWidget {
  Q_OBJECT

 public:
  explicit LambdaView(QWidget* parent = nullptr);

  // Null: no choice yet. The slider moves to the lambda of the discrepancy, else of the samples
  // held out, else of the corner.
  void setChoice(std::shared_ptr<const LambdaChoice> choice);
  void setBusy(bool busy);
  const LambdaChoice* choice() const { return choice_.get(); }
  double lambda() const;  // of the slider; 0: there is no range
  void setLambda(double lambda);
  double secondsOfImage() const { return seconds_; }  // of the last one; 0: none was made

 Q_SIGNALS:
  void rangeRequested();
  void imageReady(std::shared_ptr<const spokelab::Image> image, double lambda);
  void lambdaChosen(double lambda);  // to be the parameter

 private:
  QWidget* makeControls();
  QToolButton* makeJump(const QString& name, const QString& text, const QString& help,
                        std::optional<double> LambdaChoice::*which);
  void takeTheme();
  void draw();
  void markPlace();
  void moved();

  std::shared_ptr<const LambdaChoice> choice_;
  LatestJob<std::shared_ptr<const Image>> summing_;
  double seconds_ = 0;
  CurvePlot *bend_ = nullptr, *curves_ = nullptr;
  QCPGraph *bendLine_ = nullptr, *bendPlace_ = nullptr;
  QCPGraph *misfit_ = nullptr, *heldOut_ = nullptr, *noise_ = nullptr;
  ElidedLabel* status_ = nullptr;
  QLabel* value_ = nullptr;
  QSlider* slider_ = nullptr;
  QToolButton *find_ = nullptr, *use_ = nullptr, *corner_ = nullptr, *discrepancy_ = nullptr,
              *predicted_ = nullptr;
};

}  // namespace spokelab
