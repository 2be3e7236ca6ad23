// Plots of the samples at one place, or of all: the readout, its spectrum, the energy of coils, the
// largest magnitude of shots, the noise's covariance, traces of heart and breath, coil images,
// bins. A list chooses one of them; a worker computes it when it is first seen.
#pragma once

#include <memory>
#include <vector>

#include <QVector>
#include <QWidget>

#include "engine/scan/look/raw_picture.h"
#include "engine/scan/look/raw_summary.h"
#include "widgets/core/latest_job.h"

class QComboBox;
class QLabel;
class QStackedWidget;

namespace spokelab {

class BinsView;
class CoilImagesView;
class CurvePlot;
class ElidedLabel;
class RawPictureView;

enum class RawCurve { readout, spectrum, coils, shots, noise, traces, coilImages, bins };

class RawPlot : public QWidget {
  Q_OBJECT

 public:
  explicit RawPlot(QWidget* parent = nullptr);

  void setScan(const std::shared_ptr<const Scan>& scan);
  void setPlace(const RawPlace& place);
  void setShown(RawCurve curve);
  RawCurve shown() const;
  CurvePlot* plot() const { return plot_; }
  RawPictureView* covariance() const { return covariance_; }
  CoilImagesView* coilImages() const { return coilImages_; }
  BinsView* bins() const { return bins_; }
  QString note() const;  // the shown curve in a line of words

 Q_SIGNALS:
  void shotChosen(qint64 shot);
  void coilChosen(qint64 coil);
  void drawn();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Curve {
    QString name;
    QVector<double> x, y;
  };
  struct Drawing {
    std::vector<Curve> curves;
    QString x, y, note;
    double mark = -1;     // x of a vertical line
    bool marked = false;  // the line is drawn
    bool points = false;  // single numbers, not a line
  };

  void refresh();
  void draw(const Drawing& drawing);
  void drawNoise();
  void tell(RawCurve curve, const QString& note);
  void choose(double x);
  static Drawing drawingOf(const Scan& scan, const RawPlace& place, RawCurve curve,
                           const std::shared_ptr<const RawSummary>& summary);

  QComboBox* box_;
  ElidedLabel* note_;
  QLabel* names_;  // of several curves, in their colours
  QStackedWidget* stack_;
  CurvePlot* plot_;
  RawPictureView* covariance_;
  CoilImagesView* coilImages_;
  BinsView* bins_;
  std::shared_ptr<const Scan> scan_;
  std::shared_ptr<const RawSummary> summary_;  // null: not known yet
  RawPlace place_;
  bool stale_ = false;
  LatestJob<std::shared_ptr<const RawSummary>> summaryJob_;
  LatestJob<Drawing> drawingJob_;
};

}  // namespace spokelab
