// The scan that was read: its sizes and warnings, and beneath them the reader's decisions with
// their evidence, each of which can be overridden.
#pragma once

#include <QMap>
#include <QWidget>

#include <memory>

#include "engine/scan/scan.h"

class QLabel;
class QListView;

namespace spokelab {

class DecisionModel;

class ScanPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ScanPanel(QWidget* parent = nullptr);

  // Null: no scan.
  void setScan(std::shared_ptr<const Scan> scan);
  // The topics that can be overridden, with the choices that the reader knows; none: free text.
  void setChoices(const QMap<QString, QStringList>& choices);

  DecisionModel* model() const { return model_; }
  QListView* list() const { return list_; }

 Q_SIGNALS:
  void doubtfulChanged(int decisions);  // the number of those that their evidence does not settle
  void overrideRequested(const QString& topic, const QString& choice);

 private:
  QLabel* summary_;
  QLabel* warnings_;
  QLabel* nothing_;
  QLabel* doubtful_;
  QListView* list_;
  DecisionModel* model_;
};

// Two or three lines: matrix, field of view, coils, frames, shots, samples.
QString scanSummary(const Scan& scan);

}  // namespace spokelab
