// spokelab.show(): arrays of a Python process in the window, and messages that are not to the letter.
#include <QLocalSocket>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtEndian>

#include <nlohmann/json.hpp>

#include "app/gui/features/scan/show_feature.h"
#include "tests/app/gui/image/numpy_program.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/display/measurement.h"

namespace test_show {

using namespace spokelab;

namespace {

struct Listening : Workbench {
  const QTemporaryDir folder;
  Listening() {
    window.views().parameters->setOptions([] {
      ReconOptions options;
      options.nufft.accuracy = 1e-2;
      return options;
    }());
    window.features().show->listenIn(folder.filePath(QStringLiteral("sockets")).toStdString());
  }
  QString socket() { return window.features().show->socketName(); }

  // What the lines print; the window goes on meanwhile.
  QString python(const QString& lines) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(
        pythonWithNumpy(),
        {QStringLiteral("-c"),
         QStringLiteral("import sys, json; sys.path.insert(0, '%1'); sys.dont_write_bytecode = True\n"
                        "from _show import show; import numpy as np\nwindow = '%2'\n%3")
             .arg(QStringLiteral(SPOKELAB_SOURCE_DIR "/app/python/spokelab"), socket(), lines)});
    QSignalSpy ended(&process, &QProcess::finished);
    if (!ended.wait(patience)) return QStringLiteral("timeout");
    return QString::fromUtf8(process.readAll());
  }
};

QByteArray message(const QByteArray& header, qsizetype data) {
  QByteArray length(4, '\0');
  qToLittleEndian(quint32(header.size()), length.data());
  return "SPOKESHW" + length + header + QByteArray(data, '\0');
}

QByteArray headerOf(const char* arrays, const char* more = "") {
  return QByteArray(R"({"format":"spokelab-show-1","name":"x","arrays":[)") + arrays + ']' + more + '}';
}

constexpr const char* values = R"({"name":"values","dtype":"complex64","shape":[1,4]})";
constexpr const char* points = R"({"name":"points","dtype":"float64","shape":[4,2]})";

}  // namespace

class TestShow : public QObject {
  Q_OBJECT
  std::unique_ptr<Listening> refusing_;  // one window for all that is refused

 private Q_SLOTS:
  void cleanupTestCase() { refusing_.reset(); }
  void theSocketIsTheUsersAlone() {
    Listening bench;
    QVERIFY(!bench.socket().isEmpty());
    const auto own =
        QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadUser | QFileDevice::WriteUser;
    QCOMPARE(QFile::permissions(bench.socket()), own);
    QCOMPARE(QFile::permissions(QFileInfo(bench.socket()).path()),
             own | QFileDevice::ExeOwner | QFileDevice::ExeUser);
  }

  void aSeriesOfAProcessIsShown() {
    if (pythonWithNumpy().isEmpty()) QSKIP("there is no Python with NumPy");
    Listening bench;
    bench.window.views().measurement->setRegion(ImageRegion{{1, 2, 0}, {3, 4, 0}, true, 2});
    const QString said = bench.python(
        QStringLiteral("a = np.arange(2 * 3 * 5 * 4).reshape(2, 3, 5, 4)\n"
                       "print(json.dumps(show(a + 1j, name='series', fov=(30, 50, 80), window=window)))"));
    const auto answer = nlohmann::json::parse(said.toStdString(), nullptr, false);
    QVERIFY2(answer.is_object(), qPrintable(said));
    const HistoryEntry* entry = bench.session.shown();
    QVERIFY(entry);
    QCOMPARE(answer["result"].get<int>(), entry->id);
    QCOMPARE(answer["region"]["kind"].get<std::string>(), "ellipse");
    QCOMPARE(answer["region"]["low"].get<std::vector<int>>(), (std::vector<int>{0, 2, 1}));
    QCOMPARE(answer["parameters"]["accuracy"].get<std::string>(), "0.01");
    const Image& image = *entry->result->image;
    QCOMPARE(image.frames, 2);
    QCOMPARE(image.size, (Index3{4, 5, 3}));
    QCOMPARE(image.geometry.fov, (Vec3{80, 50, 30}));
    for (std::size_t i = 0; i < image.data.size(); ++i) QCOMPARE(image.data[i], cfloat(float(i), 1));
  }

  void samplesWithATrajectoryAreAScan() {
    if (pythonWithNumpy().isEmpty()) QSKIP("there is no Python with NumPy");
    Listening bench;
    const QString said = bench.python(
        QStringLiteral("t = np.arange(24) * np.pi / 24\nr = np.arange(-16, 16)\n"
                       "k = r[None, :, None] * np.stack([np.sin(t), np.cos(t)], -1)[:, None, :]\n"
                       "k[0, 0] = (-3, 7)\n"
                       "d = np.ones((2, 24, 32)); d[1] = 2\n"
                       "print(json.dumps(show(d, k, 'radial', matrix=(32, 30), window=window)))"));
    QVERIFY2(said.contains(QStringLiteral("\"result\"")), qPrintable(said));
    const auto scan = bench.session.scan();
    QVERIFY(scan);
    QCOMPARE(scan->name, "radial");
    QCOMPARE(scan->coils, 2);
    QCOMPARE(scan->geometry.matrix, (Index3{30, 32, 1}));
    const Trajectory& t = scan->trajectory(0);
    QCOMPARE(t.samples(), std::int64_t(24 * 32));
    QCOMPARE(int(t.shotOffsets.size()), 25);
    QCOMPARE(t.points[0], 7.0);  // x is the last axis of Python's arrays
    QCOMPARE(t.points[1], -3.0);
    QCOMPARE(scan->samples[0][0], cfloat(1, 0));
    QCOMPARE(scan->samples[0][768], cfloat(2, 0));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.shown() && !bench.session.jobs().busy(),
                             patience);  // reconstructed
  }

  void whatIsNotToTheLetterIsRefused_data() {
    QTest::addColumn<QByteArray>("sent");
    QTest::newRow("another program") << QByteArray("GET / HTTP/1.1\r\n\r\n");
    QTest::newRow("a long header") << QByteArray("SPOKESHW\xff\xff\xff\x7f");
    QTest::newRow("no header") << QByteArray("SPOKESHW\0\0\0\0", 12);
    QTest::newRow("no JSON") << message("{\"format\"", 0);
    QTest::newRow("bytes that are no text") << message("{\"format\":\"\xff\xfe\"}", 0);
    QTest::newRow("a list") << message("[]", 0);
    QTest::newRow("another version") << message(R"({"format":"spokelab-show-9","name":"x","arrays":[]})", 0);
    QTest::newRow("no arrays") << message(headerOf(""), 0);
    QTest::newRow("three arrays") << message(
        headerOf((QByteArray(values) + ',' + points + ',' + points).constData()), 0);
    QTest::newRow("an unknown type") << message(headerOf(R"({"name":"image","dtype":"O","shape":[2,2]})"),
                                                32);
    QTest::newRow("a size of 0") << message(headerOf(R"({"name":"image","dtype":"complex64","shape":[0,2]})"),
                                            32);
    QTest::newRow("a negative size") << message(
        headerOf(R"({"name":"image","dtype":"complex64","shape":[-2,-2]})"), 32);
    QTest::newRow("more than there is memory")
        << message(headerOf(R"({"name":"image","dtype":"complex64","shape":[2000,16000,16000]})"), 0);
    QTest::newRow("sizes that overflow") << message(
        headerOf(R"({"name":"image","dtype":"complex64","shape":[4294967296,4294967296,16,16]})"), 0);
    const QByteArray both = QByteArray(values) + ',' + points;
    QTest::newRow("no matrix") << message(headerOf(both.constData(), R"(,"shots":[4])"), 96);
    QTest::newRow("shots of other points")
        << message(headerOf(both.constData(), R"(,"matrix":[4,4],"shots":[3])"), 96);
    QTest::newRow("a field of view of 0")
        << message(headerOf(both.constData(), R"(,"matrix":[4,4],"shots":[4],"fov":[0,1])"), 96);
    QByteArray wild = message(headerOf(both.constData(), R"(,"matrix":[4,4],"shots":[4])"), 96);
    wild.replace(wild.size() - 8, 8, QByteArray(8, '\xff'));
    QTest::newRow("a coordinate that is no number") << wild;
  }
  void whatIsNotToTheLetterIsRefused() {
    QFETCH(const QByteArray, sent);
    if (!refusing_) refusing_ = std::make_unique<Listening>();
    Listening& bench = *refusing_;
    QLocalSocket socket;
    socket.connectToServer(bench.socket());
    QVERIFY(socket.waitForConnected(patience));
    QByteArray answer;
    connect(&socket, &QLocalSocket::readyRead, this, [&] { answer += socket.readAll(); });
    socket.write(sent);
    QTRY_VERIFY_WITH_TIMEOUT(answer.endsWith('\n'), patience);
    QVERIFY2(answer.contains("\"error\""), answer.constData());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(bench.results().rowCount(), 0);
    QVERIFY(!bench.session.scan());
  }

  // A guest that leaves in the middle, and the next one.
  void theWindowServesOnAfterAnUnfinishedMessage() {
    Listening bench;
    const QByteArray whole = message(headerOf(R"({"name":"image","dtype":"complex64","shape":[2,2]})"), 32);
    {
      QLocalSocket socket;
      socket.connectToServer(bench.socket());
      QVERIFY(socket.waitForConnected(patience));
      socket.write(whole.left(whole.size() - 5));
      socket.flush();
      QTest::qWait(50);
    }
    QTest::qWait(50);
    QCOMPARE(bench.results().rowCount(), 0);
    QLocalSocket socket;
    socket.connectToServer(bench.socket());
    QVERIFY(socket.waitForConnected(patience));
    for (qsizetype i = 0; i < whole.size(); i += 7) {  // in small parts
      socket.write(whole.mid(i, 7));
      socket.flush();
      QTest::qWait(1);
    }
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
  }
};

SPOKELAB_WINDOW_TEST(TestShow)

}  // namespace test_show

#include "test_show.moc"
