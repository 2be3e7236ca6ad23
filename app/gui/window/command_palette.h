// Everything that the window can do, found by a few letters: actions of menus and bars, parameters
// (with a value behind the name: set to it), docks, results, recent files, headings of the guide.
// Commands have ids that stay the same from version to version: the names of actions,
// "reconstruct", "show-profile"; "set NAME=VALUE" sets a parameter.
#pragma once

#include <QDialog>

#include <functional>
#include <optional>
#include <vector>

class QAction;
class QLineEdit;
class QListWidget;
class QMenu;

namespace spokelab {

class MainWindow;

struct PaletteEntry {
  QString id;  // of a command; empty: it is not a command
  QString kind, title, key;
  std::function<void()> run;
};

std::vector<PaletteEntry> paletteEntries(MainWindow& window);
// Runs a command by its id. Throws Error if it does not exist, or cannot run now.
void runCommand(MainWindow& window, const QString& id);

class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  explicit CommandPalette(MainWindow& window);

  QLineEdit* line() const { return line_; }
  QListWidget* list() const { return list_; }

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;  // keys of the line go to the list

 private:
  void search();
  void run();

  MainWindow& window_;
  std::vector<PaletteEntry> entries_;
  std::optional<PaletteEntry> setting_;  // that the query asks for
  std::vector<const PaletteEntry*> matches_;
  QLineEdit* line_;
  QListWidget* list_;
};

// The action that opens it; its keys work everywhere in the window.
QAction* addPalette(MainWindow& window, QMenu& menu);

}  // namespace spokelab
