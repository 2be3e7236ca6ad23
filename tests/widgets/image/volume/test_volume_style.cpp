// The user's changes of the volume: the curve by mouse and keys, level and box by sliders, kept as
// text.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/image/volume/opacity_editor.h"
#include "widgets/image/volume/volume_style_view.h"

namespace test_volume_style {

using namespace spokelab;

namespace {

void dragPoint(OpacityEditor& editor, int point, const QPoint& by) {
  const QPoint from = editor.positionOf(point).toPoint();
  QTest::mousePress(&editor, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, from + by, editor.mapToGlobal(from + by), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QCoreApplication::sendEvent(&editor, &move);
  QTest::mouseRelease(&editor, Qt::LeftButton, {}, from + by);
}

}  // namespace

class TestVolumeStyle : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aStyleReadsBackAsTheSame() {
    VolumeStyle style;
    style.mode = VolumeMode::surface;
    style.level = 1.0 / 3;
    style.clip = {0.1, 0.9, 0, 0.5, 0.25, 1};
    style.opacity = {{0, 0.125}, {0.3, 0.7}, {1, 1}};
    QVERIFY(volumeStyleFromText(volumeStyleText(style), {}) == style);
    style.level = 431.5;  // a magnitude
    QVERIFY(volumeStyleFromText(volumeStyleText(style), {}) == style);
    // An older session: a share of a window that was not kept with it.
    const VolumeStyle older =
        volumeStyleFromText(QStringLiteral("surface;0.35;0 1 0 0.5 0 1;0 0 1 1"), style);
    QVERIFY(older.mode == VolumeMode::surface && older.level == 0 && older.clip[3] == 0.5);
    for (const QString& bad :
         {QString(), QStringLiteral("cloud;0.3;0 1 0 1 0 1;0 0 1 1"),
          QStringLiteral("surface;7;0 1 0 1 0 1;0 0 1 1"),
          QStringLiteral("surface;0.3;0 1 0.5 0.2 0 1;0 0 1 1"),
          QStringLiteral("surface;0.3;0 1 0 1 0 1;0 0 1"), QStringLiteral("surface;0.3;0 1 0 1 0 1;1 0 0 1"),
          QStringLiteral("surface;-1;0 1 0 1 0 1;0 0 1 1;magnitude"),
          QStringLiteral("surface;1;0 1 0 1 0 1;0 0 1 1;miles"),
          QStringLiteral("surface;0.3;0 1 0 1 0 1;0 nan 1 1")})
      QVERIFY2(volumeStyleFromText(bad, style) == style, qPrintable(bad));
  }

  void pointsAreDraggedAddedAndRemoved() {
    OpacityEditor editor;
    editor.resize(300, 160);
    editor.show();
    QSignalSpy spy(&editor, &OpacityEditor::changed);
    const auto before = editor.points();
    dragPoint(editor, 2, {0, -40});
    QCOMPARE(spy.count(), 1);
    QVERIFY(editor.points()[2].opacity > before[2].opacity);
    QVERIFY(std::abs(editor.points()[2].value - before[2].value) < 0.02);
    dragPoint(editor, 2, {-300, 0});  // not past its neighbour
    QCOMPARE(editor.points()[2].value, before[1].value);
    dragPoint(editor, 0, {60, 0});  // the ends keep their values
    QCOMPARE(editor.points()[0].value, 0.0);
    const QPoint empty(240, 30);
    QTest::mouseDClick(&editor, Qt::LeftButton, {}, empty);
    QCOMPARE(editor.points().size(), before.size() + 1);
    const int added = editor.chosen();
    QVERIFY((editor.positionOf(added) - QPointF(empty)).manhattanLength() < 3);
    QTest::mouseClick(&editor, Qt::RightButton, {}, editor.positionOf(added).toPoint());
    QCOMPARE(editor.points().size(), before.size());
  }

  void keysReachEveryPoint() {
    OpacityEditor editor;
    editor.resize(300, 160);
    editor.show();
    editor.setFocus();
    QTest::keyClick(&editor, Qt::Key_Tab);
    QTest::keyClick(&editor, Qt::Key_Tab);
    QCOMPARE(editor.chosen(), 2);
    const OpacityPoint before = editor.points()[2];
    QTest::keyClick(&editor, Qt::Key_Up);
    QTest::keyClick(&editor, Qt::Key_Right);
    QVERIFY(editor.points()[2].opacity > before.opacity && editor.points()[2].value > before.value);
    QVERIFY(editor.accessibleDescription().contains(QStringLiteral("point 3 of 4")));
    QTest::keyClick(&editor, Qt::Key_Delete);
    QCOMPARE(editor.points().size(), std::size_t(3));
  }

  void slidersSetLevelAndBox() {
    VolumeStyleView view;
    view.resize(900, 200);
    view.show();
    QSignalSpy spy(&view, &VolumeStyleView::styleChanged);
    QVERIFY(!view.levelSlider()->isEnabled() && !view.editor()->isEnabled());
    view.mode()->setFocus();
    QTest::keyClick(view.mode(), Qt::Key_End);
    QCOMPARE(view.volumeStyle().mode, VolumeMode::surface);
    QVERIFY(!view.levelSlider()->isEnabled());  // without a volume yet
    view.setScale(40, 14);
    QVERIFY(view.levelSlider()->isEnabled());
    QCOMPARE(view.level(), 14.0);  // none is chosen
    QCOMPARE(view.levelValue()->value(), 14.0);
    QCOMPARE(view.volumeStyle().level, 0.0);
    view.levelSlider()->setFocus();
    QTest::keyClick(view.levelSlider(), Qt::Key_End);
    QCOMPARE(view.volumeStyle().level, 40.0);
    view.levelValue()->setFocus();
    view.levelValue()->selectAll();
    QTest::keyClicks(view.levelValue(), QLocale().toString(23.75));
    QTest::keyClick(view.levelValue(), Qt::Key_Return);
    QCOMPARE(view.volumeStyle().level, 23.75);  // not rounded to the slider's steps
    QCOMPARE(view.levelSlider()->value(), 594);
    view.clip(1)->setValue(30);
    view.clip(0)->setFocus();
    QTest::keyClick(view.clip(0), Qt::Key_PageUp);
    for (int i = 0; i < 8; ++i) QTest::keyClick(view.clip(0), Qt::Key_PageUp);
    const VolumeStyle style = view.volumeStyle();
    QVERIFY(style.clip[0] > 0.5 && style.clip[0] < style.clip[1]);
    QVERIFY(style.clips());
    QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("volumeReset")), Qt::LeftButton);
    QVERIFY(!view.volumeStyle().clips());
    QCOMPARE(view.volumeStyle().mode, VolumeMode::surface);
    QVERIFY(spy.count() >= 4);
  }
};

SPOKELAB_GUI_TEST(TestVolumeStyle)

}  // namespace test_volume_style

#include "test_volume_style.moc"
