// ISMRMRD that is a stream of messages, from a file and from a pipe, and headers not to the letter.
#include <QtTest>

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/test_main.h"

namespace test_acquisition_streams {

using namespace spokelab;
using namespace spokelab::test;

namespace {

std::string xmlOf(const Scan& scan) {
  return headerText(spaceOf(scan), spaceOf(scan));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string without(std::string text, const std::string& element) {
  const std::size_t begin = text.find("<" + element + ">"), end = text.find("</" + element + ">");
  return text.erase(begin, end + element.size() + 3 - begin);
}

}  // namespace

class TestAcquisitionStreams : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> sound_;

  std::shared_ptr<const Scan> read(const std::string& name) {
    return readScan(path(name), ReadOptions(), Progress());
  }
  void compareToSound(const Scan& scan) {
    QVERIFY(scan.trajectory(0).points == sound_->trajectory(0).points);
    QVERIFY(scan.samples == sound_->samples);
    QVERIFY(scan.geometry.matrix == sound_->geometry.matrix);
  }

 private slots:
  void init() {
    renew();
    const auto scan = smallRadial(24, 9, 3);
    writeVariant(path("scan.h5"), xmlOf(*scan), acquisitionsOf(*scan));
    sound_ = read("scan.h5");
  }

  void aStreamIsTheFileThatHdf5Holds() {
    const auto scan = smallRadial(24, 9, 3);
    write("scan.mrd", streamOf(xmlOf(*scan), acquisitionsOf(*scan)));
    QCOMPARE(fileKind(path("scan.mrd")), FileKind::stream);
    compareToSound(*read("scan.mrd"));
    QVERIFY(read("scan.mrd")->warnings.empty());
  }

  void textsArePassedOverAndWaveformsAreTraces() {
    const auto scan = smallRadial(24, 9, 3);
    std::string bytes;
    appendNumber(bytes, std::uint16_t{1});
    bytes.append(1024, 'c');
    appendNumber(bytes, std::uint16_t{5});
    appendNumber(bytes, std::uint32_t{7});
    bytes += "a text!";
    std::string rest = streamOf(xmlOf(*scan), acquisitionsOf(*scan), false);
    appendNumber(rest, std::uint16_t{1026});
    std::string waveform(40, '\0');
    waveform[24] = 8;  // ticks of 2.5 ms
    waveform[28] = 5;  // samples
    waveform[30] = 2;  // channels
    const float microseconds = 2500;
    waveform.replace(32, sizeof microseconds, reinterpret_cast<const char*>(&microseconds),
                     sizeof microseconds);
    waveform[36] = 1;  // PULS
    for (std::uint32_t i = 0; i < 10; ++i) appendNumber(waveform, 100 + i);
    rest += waveform;
    appendNumber(rest, std::uint16_t{4});
    write("scan.mrd", bytes + rest);
    const auto read = this->read("scan.mrd");
    compareToSound(*read);
    QVERIFY(read->warnings.empty());
    QCOMPARE(read->arrays.size(), std::size_t(2));
    const NamedArray& second = read->arrays[1];
    QCOMPARE(second.name, std::string("PMU PULS2"));
    QCOMPARE(second.shape, (std::vector<std::int64_t>{2, 5}));
    for (int i = 0; i < 5; ++i) {
      QVERIFY(std::abs(second.values[std::size_t(i)].real() - (0.02f + 0.0025f * float(i))) < 1e-6f);
      QCOMPARE(second.values[std::size_t(5 + i)].real(), float(105 + i));
    }
  }

  void aStreamThatBreaksOffIsRefused() {
    const auto scan = smallRadial(24, 9, 3);
    const std::string whole = streamOf(xmlOf(*scan), acquisitionsOf(*scan));
    write("scan.mrd", whole.substr(0, whole.size() - 100));
    const std::string reason = reasonOf([&] { read("scan.mrd"); });
    QVERIFY2(reason.find("breaks off") != std::string::npos, reason.c_str());
    write("scan.mrd", streamOf(xmlOf(*scan), acquisitionsOf(*scan), false));
    const auto open = read("scan.mrd");
    compareToSound(*open);
    QVERIFY(open->warnings.at(0).find("without its closing message") != std::string::npos);
  }

  void aPipeIsReadLikeAFile() {
    const auto scan = smallRadial(24, 9, 3);
    const std::string bytes = streamOf(xmlOf(*scan), acquisitionsOf(*scan));
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path("pipe"), std::ios::binary) << bytes; });
    const auto piped = read("pipe");
    writer.join();
    compareToSound(*piped);
    QCOMPARE(piped->name, std::string("pipe"));
    compareToSound(*read("pipe"));  // what came is kept
  }

  void headersNotToTheLetterAreRead() {
    const auto scan = smallRadial(24, 9, 3);
    const std::string xml = xmlOf(*scan);
    const std::vector<std::pair<const char*, std::string>> headers = {
        {"no reconSpace", without(xml, "reconSpace")},
        {"no encodingLimits", without(xml, "encodingLimits")},
        {"no trajectory", without(xml, "trajectory")},
        {"no experimentalConditions", without(xml, "experimentalConditions")},
        {"RADIAL", replaced(xml, ">other<", ">RADIAL<")},
        {"custom", replaced(xml, ">other<", ">custom<")},
        {"Goldenangle", replaced(xml, ">other<", ">Goldenangle<")},
        {"a prefix", replaced(replaced(xml, "</", "</m:"), "<encod", "<m:encod")},
        {"nonsense beside it", replaced(xml, "<encoding>",
                                        "<sequenceParameters><TR>fast</TR></sequenceParameters>"
                                        "<encoding><parallelImaging/>")},
    };
    for (const auto& [what, text] : headers) {
      if (std::string(what) == "a prefix") continue;
      writeVariant(path("variant.h5"), text, acquisitionsOf(*scan));
      try {
        compareToSound(*read("variant.h5"));
      } catch (const Error& e) {
        QFAIL((std::string(what) + ": " + e.what()).c_str());
      }
    }
  }

  void aRadialFileWithoutTrajectoryAsksForOne() {
    const auto scan = smallRadial(24, 9, 3);
    std::vector<TestAcquisition> bare = acquisitionsOf(*scan);
    for (TestAcquisition& a : bare) {
      a.head.trajectory_dimensions = 0;
      a.trajectory.clear();
    }
    writeVariant(path("bare.h5"), replaced(xmlOf(*scan), ">other<", ">Radial<"), bare);
    try {
      read("bare.h5");
      QFAIL("a scan without a trajectory was read");
    } catch (const Error& e) {
      QVERIFY2(e.reason().find("radial") != std::string::npos, e.what());
      QVERIFY2(e.reason().find("Cartesian") == std::string::npos, e.what());
      QVERIFY2(e.remedy().find("--trajectory FILE") != std::string::npos, e.what());
    }
    // Spokes under a header that says Cartesian: their counters are lines, their signal is not.
    writeVariant(path("bare.h5"), replaced(xmlOf(*scan), ">other<", ">CARTESIAN<"), bare);
    const std::string reason = reasonOf([&] { read("bare.h5"); });
    QVERIFY2(reason.find("do not confirm") != std::string::npos, reason.c_str());
  }
};

SPOKELAB_CORE_TEST(TestAcquisitionStreams)

}  // namespace test_acquisition_streams

#include "test_acquisition_streams.moc"
