// The window: docks, menus and layout. What it can do is in its features.
#pragma once

#include <QMainWindow>

#include <vector>

#include "app/cli/backends.h"
#include "app/gui/features/views.h"
#include "app/gui/session/session.h"

class QAction;
class QDockWidget;

namespace spokelab {

class Features;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  // remember: layout, recent files and switches are kept between runs.
  MainWindow(Session& session, const std::vector<BackendBadge>& badges, bool remember,
             QWidget* parent = nullptr);
  ~MainWindow() override;

  void open(const QString& file);  // a scan, a built-in one, a saved session, a report

  Session& session() const { return session_; }
  const Views& views() const { return views_; }
  const Features& features() const { return *features_; }
  QDockWidget* dock(const QString& name) const;

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  void makeDocks();
  void makeToolBar(const std::vector<BackendBadge>& badges);
  void makeMenus();
  void restore();

  Session& session_;
  const bool remember_;
  const Views views_;
  Features* features_ = nullptr;
  QAction* guide_ = nullptr;
};

}  // namespace spokelab
