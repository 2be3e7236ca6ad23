// The rows of a form of options: a label and an editor for each.
#pragma once

#include <string>
#include <vector>

#include <QLabel>

#include "engine/core/error.h"
#include "widgets/recon/parameters/option_editor.h"

namespace spokelab {

struct OptionRow {
  QLabel* label;
  OptionEditor* editor;
  const std::string& name() const { return editor->spec().name; }
};

// The editor of this name, or null.
inline OptionEditor* editorNamed(const std::vector<OptionRow>& rows, const std::string& name) {
  for (const OptionRow& row : rows)
    if (row.name() == name) return row.editor;
  return nullptr;
}

// Sets `options` from the editors, marks the editors with an invalid value, and returns the error
// of the first one; empty: all values are valid.
template <class Options>
QString readRows(const std::vector<OptionRow>& rows, Options& options) {
  QString problem;
  for (const OptionRow& row : rows) {
    QString why;
    try {
      setOption(options, row.name(), row.editor->value().toStdString());
    } catch (const Error& error) {
      why = QString::fromStdString(error.reason());
      if (problem.isEmpty()) problem = row.label->text() + QStringLiteral(": ") + why;
    }
    row.editor->setProblem(why);
  }
  return problem;
}

template <class Options>
void showValues(const std::vector<OptionRow>& rows, const Options& options) {
  for (const OptionRow& row : rows)
    row.editor->setValue(QString::fromStdString(optionValue(options, row.name())));
}

}  // namespace spokelab
