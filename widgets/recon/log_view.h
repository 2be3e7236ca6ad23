// What happened, with the time of day. Old lines go.
#pragma once

#include <QPlainTextEdit>

namespace spokelab {

enum class LogLevel { information, warning, error };

class LogView : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit LogView(QWidget* parent = nullptr);

  void append(LogLevel level, const QString& text);
};

}  // namespace spokelab
