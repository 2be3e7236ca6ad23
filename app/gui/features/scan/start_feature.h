// The first page of an empty window, and the files that were open before.
#pragma once

#include "app/gui/features/feature.h"

class QMenu;

namespace spokelab {

class StartPage;

class StartFeature : public Feature {
  Q_OBJECT

 public:
  // ways: what the page has a button for. remember: recent files are kept between runs.
  StartFeature(Session& session, const Views& views, const QList<QAction*>& ways, bool remember,
               QObject* parent);

  void addSession(const QString& file);  // one that was saved or opened
  void addImage(const QString& file);    // its image is the newest result
  QMenu* recentMenu() const { return recent_; }
  StartPage* page() const { return page_; }

 Q_SIGNALS:
  void fileChosen(const QString& file);

 private:
  void add(const QString& file, const QString& what);
  void keepPicture(const HistoryEntry& entry);
  void fillMenu();
  void fillPage();
  void update();

  const bool remember_;
  StartPage* page_;
  QMenu* recent_;
};

}  // namespace spokelab
