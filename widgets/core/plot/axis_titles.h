// Titles of a plot's axes: elided where the plot is too narrow for them.
#pragma once

#include <QObject>
#include <QString>

#include <map>

class QCPAxis;
class QCustomPlot;

namespace spokelab {

class AxisTitles : public QObject {
  Q_OBJECT

 public:
  explicit AxisTitles(QCustomPlot* plot);

  void take();                               // reads the whole titles; call it after setting labels
  QString whole(const QCPAxis* axis) const;  // also if the label was set after take()
  // The whole title whose elided text is at a position of the widget; empty: none.
  QString elidedAt(const QPoint& position) const;

 private:
  void fit();

  QCustomPlot* plot_;
  struct Title {
    QString whole, shown;
  };
  std::map<const QCPAxis*, Title> titles_;
};

}  // namespace spokelab
