// The wheel over a scrolling panel scrolls it; a box or slider in it turns only while it has the
// focus.
#include <QApplication>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "tests/test_main.h"
#include "widgets/core/wheel_focus.h"

namespace test_wheel_focus {

using namespace spokelab;

namespace {

// As the platform sends it: Qt may move the focus before the box hears of it.
void wheelDown(QWidget& widget) {
  const QPointF at = QPointF(widget.rect().center());
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&event);
  qApp->notify(&widget, &event);
}

struct Panel {
  QScrollArea area;
  QComboBox* combo = new QComboBox;
  QSpinBox* spin = new QSpinBox;
  QSlider* slider = new QSlider(Qt::Horizontal);

  Panel() {
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    combo->addItems({QStringLiteral("auto"), QStringLiteral("on"), QStringLiteral("off")});
    for (QWidget* box :
         {static_cast<QWidget*>(combo), static_cast<QWidget*>(spin), static_cast<QWidget*>(slider)}) {
      column->addWidget(box);
    }
    spin->setValue(50);
    slider->setValue(50);
    form->setMinimumHeight(2000);
    area.setWidget(form);
    area.setWidgetResizable(true);
    area.resize(300, 200);
    area.show();
    QApplication::setActiveWindow(&area);
    area.verticalScrollBar()->setFocus();
  }
};

}  // namespace

class TestWheelFocus : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { useWheelFocus(*qobject_cast<QApplication*>(QCoreApplication::instance())); }

  void theWheelScrollsPastBoxesWithoutTheFocus() {
    Panel panel;
    for (QWidget* box : {static_cast<QWidget*>(panel.combo), static_cast<QWidget*>(panel.spin),
                         static_cast<QWidget*>(panel.slider)}) {
      const int before = panel.area.verticalScrollBar()->value();
      wheelDown(*box);
      QVERIFY2(panel.area.verticalScrollBar()->value() > before, box->metaObject()->className());
      QVERIFY(!box->hasFocus());
    }
    QCOMPARE(panel.combo->currentIndex(), 0);
    QCOMPARE(panel.spin->value(), 50);
    QCOMPARE(panel.slider->value(), 50);
  }

  void aBoxWithTheFocusTakesIt() {
    Panel panel;
    panel.combo->setFocus();
    wheelDown(*panel.combo);
    QCOMPARE(panel.combo->currentIndex(), 1);
    panel.spin->setFocus();
    wheelDown(*panel.spin);
    QCOMPARE(panel.spin->value(), 49);
    panel.slider->setFocus();
    wheelDown(*panel.slider);
    QVERIFY(panel.slider->value() < 50);
    QCOMPARE(panel.area.verticalScrollBar()->value(), 0);
  }
};

SPOKELAB_GUI_TEST(TestWheelFocus)

}  // namespace test_wheel_focus

#include "test_wheel_focus.moc"
