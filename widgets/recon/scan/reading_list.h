// Lists the readings of a file that the convention doctor tried, with a small picture each.
// Activating one emits chosen(); the caller reads the file again.
#pragma once

#include <QListWidget>

#include <vector>

#include "engine/recon/explore/doctor.h"

namespace spokelab {

class ReadingList : public QListWidget {
  Q_OBJECT

 public:
  explicit ReadingList(QWidget* parent = nullptr);

  // The first is the present reading, not to be chosen. An impossible one shows its reason.
  void setReadings(const std::vector<Reading>& readings);
  void addReading(const Reading& reading);
  // The reading that is selected; empty topic: none that could be chosen.
  QString selectedTopic() const;
  QString selectedChoice() const;

 Q_SIGNALS:
  void chosen(const QString& topic, const QString& choice);

 private:
  void emitChosen(QListWidgetItem* item);
};

}  // namespace spokelab
