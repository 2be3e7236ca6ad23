// Shows the time of a whole job, from file to image: its stages end to end, each as wide as its
// share, and the unaccounted time at the end. A narrow bar below shows what was expected, to the
// same scale. A heading tells the whole, tool tips tell each stage.
#pragma once

#include <QWidget>

#include "engine/recon/job/job_account.h"

namespace spokelab {

class JobBar : public QWidget {
  Q_OBJECT

 public:
  explicit JobBar(QWidget* parent = nullptr);

  // An account whose total is 0 hides the bar. forecast: what was expected; total 0: nothing was.
  void setAccount(const JobAccount& account, const JobAccount& forecast = {});
  const JobAccount& account() const { return account_; }

  // The title of a stage by its number; jobStageCount: the unaccounted time.
  static QString titleOf(int stage);
  double secondsOf(int stage) const;
  QString tipOf(int stage) const;
  double expectedSecondsOf(int stage) const;
  QRectF segment(int stage) const;            // empty where it is narrower than a pixel
  QRectF expectedSegment(int stage) const;    // likewise
  int stageAt(const QPoint& position) const;  // -1: none

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent* event) override;

 private:
  QString heading() const;
  QRectF part(int stage, double (JobBar::*seconds)(int) const, double top, double height) const;

  JobAccount account_, forecast_;
};

}  // namespace spokelab
