// The user's guide, from the pages that are compiled in (resources/guide).
#pragma once

#include <QDialog>

#include "widgets/core/screen_theme.h"

class QListWidget;
class QTextBrowser;

namespace spokelab {

class GuideBrowser;

class HelpViewer : public QDialog {
  Q_OBJECT

 public:
  explicit HelpViewer(QWidget* parent = nullptr);

  QTextBrowser* browser() const;
  QStringList pages() const;  // names, first the index

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void takeTheme();

  QListWidget* contents_;
  GuideBrowser* browser_;
  ScreenTheme theme_ = screenTheme();  // that the page was read with
};

}  // namespace spokelab
