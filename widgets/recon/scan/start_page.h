// The page of an empty window: the ways to begin, and the files that were open before, each with a
// picture and a line. A missing file is grey; a button or Del removes it from the list.
#pragma once

#include <QImage>
#include <QList>
#include <QWidget>

class QAction;
class QListView;
class QStandardItemModel;

namespace spokelab {

struct RecentEntry {
  QString file;     // its path
  QString details;  // "256 × 256, 8 coils\n21 November 2026"
  QImage picture;
  bool exists = true;
};

class StartPage : public QWidget {
  Q_OBJECT

 public:
  // Makes a button for each action; the actions must outlive the page.
  explicit StartPage(const QList<QAction*>& ways, QWidget* parent = nullptr);

  void setRecent(const QList<RecentEntry>& entries);
  QListView* list() const { return list_; }

 Q_SIGNALS:
  void openRequested(const QString& file);
  void removeRequested(const QString& file);

 private:
  void openRow(const QModelIndex& index);
  void removeRow(const QModelIndex& index);
  void markMissing();  // files that are gone, in the theme's grey

  QStandardItemModel* model_;
  QListView* list_;
  QWidget* recent_;  // the list and its heading
};

}  // namespace spokelab
