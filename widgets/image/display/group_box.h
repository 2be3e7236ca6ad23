// Chooses the group of slices of an image whose slices lie in several directions or at uneven
// steps. Hidden where there is one group only.
#pragma once

#include <QComboBox>

namespace spokelab {

class GroupBox : public QComboBox {
  Q_OBJECT

 public:
  explicit GroupBox(const QString& name, QWidget* parent = nullptr);

  // Does not emit. Titles as "axial, 3 slices"; fewer than two hide the box.
  void setGroups(const QStringList& titles, int current);

 Q_SIGNALS:
  void groupChosen(int group);  // by the user

 private:
  QStringList titles_;
};

}  // namespace spokelab
