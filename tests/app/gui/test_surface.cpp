// The surface in the window: its level in units of the image, undone and kept, and the mesh in a
// file.
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QUndoStack>
#include <QtEndian>

#include <cmath>

#include "app/gui/document/undo.h"
#include "app/gui/features/banner.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume/volume_style_view.h"

namespace test_surface {

using namespace spokelab;

class TestSurface : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString solidScan() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::radial3d;
    options.trajectory.matrix = {24, 24, 24};
    const QString file = folder_.filePath(QStringLiteral("solid.h5"));
    writeScan(*simulate(options, {}), file.toStdString(), {});
    return file;
  }

 private Q_SLOTS:
  void initTestCase() {
    QString why;
    if (!VolumeView::available(&why)) QSKIP(qPrintable(QStringLiteral("no OpenGL: ") + why));
  }

  void theLevelIsInUnitsOfTheImageAndTheMeshIsSaved() {
    Workbench bench;
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    options.backend = "cpu";
    bench.window.views().parameters->setOptions(options);
    bench.window.open(solidScan());
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    auto& view = *bench.window.findChild<VolumeStyleView*>();
    bench.window.dock(QStringLiteral("volume"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(view.level() > 0, patience);
    view.mode()->setFocus();
    QTest::keyClick(view.mode(), Qt::Key_End);
    auto* note = view.findChild<QLabel*>(QStringLiteral("surfaceNote"));
    QTRY_VERIFY_WITH_TIMEOUT(note->text().contains(QStringLiteral("triangles")), patience);
    bench.window.features().undo->forget();

    const double first = view.level(), level = 0.31 * view.levelValue()->maximum();
    view.levelValue()->setFocus();
    view.levelValue()->selectAll();
    QTest::keyClicks(view.levelValue(), view.levelValue()->textFromValue(level));
    QTest::keyClick(view.levelValue(), Qt::Key_Return);
    const double wanted = view.volumeStyle().level;
    QVERIFY(std::abs(wanted - level) < 1e-3 * level);
    QTRY_COMPARE_WITH_TIMEOUT(bench.window.views().image->volumeView()->surfaceTriangles() > 0, true,
                              patience);
    const SavedSession saved = bench.window.features().state->capture();
    bench.window.features().undo->stack()->undo();
    QCOMPARE(view.level(), first);
    bench.window.features().state->apply(saved);
    QCOMPARE(view.level(), wanted);

    for (const char* name : {"head.stl", "head.ply"}) {
      const QString file = folder_.filePath(QString::fromUtf8(name));
      QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("surfaceSave")), Qt::LeftButton);
      auto* dialog = bench.window.findChild<QFileDialog*>(QStringLiteral("save-surface"));
      QVERIFY(dialog);
      Q_EMIT dialog->fileSelected(file);
      dialog->close();
      QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), patience);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    QFile stl(folder_.filePath(QStringLiteral("head.stl"))),
        ply(folder_.filePath(QStringLiteral("head.ply")));
    QVERIFY(stl.open(QIODevice::ReadOnly) && ply.open(QIODevice::ReadOnly));
    const QByteArray bytes = stl.readAll();
    QVERIFY(bytes.left(80).contains("SPACE=LPS"));
    const auto triangles = qFromLittleEndian<quint32>(bytes.constData() + 80);
    QVERIFY(triangles > 100);
    QCOMPARE(bytes.size(), qsizetype(84 + 50 * qsizetype(triangles)));
    const QByteArray text = ply.readAll();
    QVERIFY(text.startsWith("ply") && text.contains("comment SPACE=LPS"));
    QVERIFY(text.contains("element face " + QByteArray::number(triangles)));

    bench.window.features().volume->saveSurface(bench.window.views().image->image(), 0, 1e9,
                                                view.volumeStyle().clip,
                                                folder_.filePath(QStringLiteral("none.stl")).toStdString());
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().banner->text().contains(QStringLiteral("crosses its level")), patience);
    QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("none.stl"))));
  }
};

SPOKELAB_WINDOW_TEST(TestSurface)

}  // namespace test_surface

#include "test_surface.moc"
