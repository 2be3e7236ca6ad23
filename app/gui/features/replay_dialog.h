// What a repeated report came to: number beside number, and which of them were reproduced.
#pragma once

#include <QDialog>

#include <filesystem>
#include <memory>

class QMenu;
class QTableWidget;

namespace spokelab {

class MainWindow;
struct Report;

class ReplayDialog : public QDialog {
  Q_OBJECT

 public:
  // report.replay is there.
  explicit ReplayDialog(std::shared_ptr<const Report> report, QWidget* parent = nullptr);

  QTableWidget* table() const { return table_; }
  bool reproduced() const;

 Q_SIGNALS:
  void writeRequested();  // a report of the replay

 private:
  std::shared_ptr<const Report> report_;
  QTableWidget* table_;
};

// A report.json, by its content.
bool isReport(const std::filesystem::path& file);
// The menu's entry, the dialog that shows what came of it, and the question where the scan lies.
void addReplay(MainWindow& window, QMenu* file);

}  // namespace spokelab
