// Rows of the window's lists: a title, a value at its right, wrapped small print beneath, a
// coloured mark and a picture at the left, a progress bar, and at most one button. Jobs, results
// and decisions all look the same.
#pragma once

#include <QStyledItemDelegate>

class QListView;

namespace spokelab {

inline constexpr int rowPicturePixels = 48;  // the largest side of a picture (Qt::DecorationRole, QImage)

// Roles beside Qt::DisplayRole (the title) and Qt::EditRole (the editable part of the title).
enum RowRole {
  ValueRole = Qt::UserRole + 1,  // QString, at the right of the title, emphasised
  SmallPrintRole,                // QString, wrapped
  MarkRole,                      // QColor, invalid: none
  // double 0 … 1, negative: running without known length, invalid: none
  ProgressRole,
  ButtonRole,   // QString, empty: none
  EditableRole  // bool: the value opens an editor
};

class RowDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit RowDelegate(QListView* view);

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  // Over the title.
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

  // The rectangle of a row's button; empty for a row without one.
  QRect buttonRect(const QRect& row, const QModelIndex& index) const;
  QRect valueRect(const QRect& row, const QModelIndex& index) const;

 Q_SIGNALS:
  void buttonPressed(const QModelIndex& index);

 private:
  QFont smallFont() const;
  QRect textRect(const QRect& row, const QModelIndex& index) const;
  // The rectangle of the row's picture; empty for a row without one.
  static QRect pictureRect(const QRect& row, const QModelIndex& index);

  QListView* view_;
};

// A list for RowDelegate: no frame, rows as wide as the view, layout redone with it.
QListView* makeRowList(QWidget* parent);

}  // namespace spokelab
