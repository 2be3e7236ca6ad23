// The menu of the tuner's wisdom (export, import, merge, forget) and of kept preprocessing.
#pragma once

#include <QFileDialog>

#include <functional>

#include "app/gui/features/feature.h"

class QMenu;

namespace spokelab {

class WisdomFeature : public Feature {
  Q_OBJECT

 public:
  // Without wisdom in the session the menu is disabled.
  WisdomFeature(Session& session, const Views& views, QObject* parent);

  QMenu* menu() const { return menu_; }

 private:
  // Runs `work` as a job and logs the text that it returns. An Error goes to the banner.
  void run(const QString& title, std::function<QString(Wisdom&)> work);
  void exportTo();
  void takeFrom(const QString& title, QFileDialog::FileMode mode, WisdomRule rule);
  void askToForget();
  void forgetForeign();
  void forgetAll();
  void showKept();

  QMenu* menu_;
};

}  // namespace spokelab
