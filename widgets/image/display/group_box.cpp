#include "widgets/image/display/group_box.h"

#include <QSignalBlocker>

namespace spokelab {

GroupBox::GroupBox(const QString& name, QWidget* parent) : QComboBox(parent) {
  setObjectName(name);
  setAccessibleName(tr("Group of slices"));
  setToolTip(tr("Slices that one geometry describes: one direction, even steps"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  hide();
  connect(this, &QComboBox::activated, this, &GroupBox::groupChosen);
}

void GroupBox::setGroups(const QStringList& titles, int current) {
  const QSignalBlocker quiet(this);
  if (titles != titles_) {
    titles_ = titles;
    clear();
    addItems(titles);
  }
  setVisible(titles.size() > 1);
  setCurrentIndex(titles.size() > 1 ? current : -1);
}

}  // namespace spokelab
