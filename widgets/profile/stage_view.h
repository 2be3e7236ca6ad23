// The stages of one plan's time, end to end on a time line in the order they run. Below, each stage
// has its time, share, least number of bytes to move, the resulting bandwidth, and the share of the
// memory's ceiling. Time that no stage covers is shown as a separate stage. Sums over all
// executions.
#pragma once

#include <QMap>
#include <QWidget>

#include <array>
#include <utility>
#include <vector>

#include "engine/core/stage_timer.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace spokelab {

// The bar: a segment's width is its share of the whole.
class StageBar : public QWidget {
  Q_OBJECT

 public:
  explicit StageBar(QWidget* parent = nullptr);

  // rest: the name of what no stage covers; empty: not accounted for.
  void setTimings(const StageTimings& timings, const QString& rest = {});
  QString titleOf(int stage) const;
  // The stage drawn at a position: 0 ... stageCount - 1, stageCount: not accounted for, -1: none.
  int stageAt(const QPoint& position) const;
  QRectF segment(int stage) const;  // empty where it takes no time
  QSize sizeHint() const override { return {400, 76}; }
  QSize minimumSizeHint() const override { return {120, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  StageTimings timings_;
  QString restTitle_;
};

class StageView : public QWidget {
  Q_OBJECT

 public:
  explicit StageView(QWidget* parent = nullptr);

  // title: "Result 2: cpu blocked · α 1.5 · W 4.95"; total 0: nothing was timed. backend: whose
  // ceiling counts. rest: as of the bar.
  void setTimings(const QString& title, const QString& backend, const StageTimings& timings,
                  const QString& rest = {});
  // Adds rows below the time that no stage covers: its known parts, with their seconds.
  // setTimings() removes them.
  void setPartsOfRest(const std::vector<std::pair<QString, double>>& parts);
  // Bytes a second that a backend's memory can move. Each backend's is kept.
  void setCeiling(const QString& backend, double bytesPerSecond, const QString& source);
  void setBusy(bool measuring);
  // A line about the energy; empty: none.
  void setEnergy(const QString& text);

  const StageTimings& timings() const { return timings_; }
  StageBar* bar() const { return bar_; }
  QTableWidget* table() const { return table_; }

 Q_SIGNALS:
  void ceilingRequested(const QString& backend);

 private:
  struct Ceiling {
    double bytesPerSecond = 0;
    QString source;
  };
  void fill();

  StageTimings timings_;
  std::vector<std::pair<QString, double>> partsOfRest_;  // seconds
  QString backend_;
  QMap<QString, Ceiling> ceilings_;
  bool measuring_ = false;
  QString energy_;
  QLabel *title_, *hint_;
  StageBar* bar_;
  QTableWidget* table_;
  QPushButton* measure_;
};

// A stage's seconds by its number; stageCount: the time not accounted for, never below 0.
double stageSeconds(const StageTimings& timings, int stage);
QString stageTitle(int stage);
QColor stageColour(int stage);

}  // namespace spokelab
