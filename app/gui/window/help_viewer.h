// The user's guide, from the pages that are compiled in (resources/guide).
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace spokelab {

class HelpViewer : public QDialog {
  Q_OBJECT

 public:
  explicit HelpViewer(QWidget* parent = nullptr);

  QTextBrowser* browser() const { return browser_; }
  QStringList pages() const;  // names, first the index

 private:
  QListWidget* contents_;
  QTextBrowser* browser_;
};

}  // namespace spokelab
