// Other ways to read a file, a small picture each: the convention doctor's answer. Activating one
// asks for it.
#pragma once

#include <QListWidget>

#include <vector>

#include "engine/recon/explore/doctor.h"

namespace spokelab {

class ReadingList : public QListWidget {
  Q_OBJECT

 public:
  explicit ReadingList(QWidget* parent = nullptr);

  // The first one is the present reading: shown, not to be chosen. One that is not possible says
  // why.
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
