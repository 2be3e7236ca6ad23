// Raw data of a Siemens scanner for tests, in the layouts VB and VD: any protocol, any lines.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace spokelab::test {

enum class TwixStyle { vb, vd };

struct TestLine {
  std::uint64_t flags = 0;
  std::array<std::uint16_t, 14>
      counters{};  // line, average, slice, partition, echo, phase, repetition, set ...
  std::vector<std::vector<std::complex<float>>> coils;  // [coil][sample]
  std::array<float, 3> position{};
  std::array<float, 4> quaternion{1, 0, 0, 0};
  std::uint16_t centreSample = 0, centreLine = 0, centrePartition = 0, cutBefore = 0, cutBehind = 0;
  std::uint32_t stamp = 0, physiologyStamp = 0;
  std::string packet;  // of a line with other devices' data
};

struct TestMeasurement {
  std::string protocol;  // lines "name = value"
  std::string nested;    // parameters in braces
  std::string name = "gre";
  std::vector<TestLine> lines;
  bool ends = true;  // with its end mark
};

class TwixWriter {
 public:
  explicit TwixWriter(TwixStyle style) : vd_(style == TwixStyle::vd) {}

  std::string file(const std::vector<TestMeasurement>& measurements) const {
    if (!vd_) return measurement(measurements.front());
    constexpr std::size_t block = 512, list = 10240, entry = 152;
    std::string bytes(list, '\0');
    put(bytes, 4, std::uint32_t(measurements.size()));
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      const std::string m = measurement(measurements[i]);
      const std::size_t at = 8 + i * entry;
      put(bytes, at, std::uint32_t(100 + i));
      put(bytes, at + 8, std::uint64_t(bytes.size()));
      put(bytes, at + 16, std::uint64_t(m.size()));
      bytes.replace(at + 24, 6, "xxxxxx");
      bytes.replace(at + 88, measurements[i].name.size(), measurements[i].name);
      bytes += m;
      bytes.resize((bytes.size() + block - 1) / block * block);
    }
    return bytes;
  }

  std::string measurement(const TestMeasurement& m) const {
    const std::string yaps = "### ASCCONV BEGIN ###\n" + m.protocol + "### ASCCONV END ###\n";
    std::string header(8, '\0');
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>{"Config", m.nested}, {"MeasYaps", yaps}}) {
      header += name + '\0';
      append(header, std::uint32_t(text.size()));
      header += text;
    }
    constexpr std::size_t align = 32;
    header.resize((header.size() + align - 1) / align * align);
    put(header, 0, std::uint32_t(header.size()));
    put(header, 4, std::uint32_t{2});
    for (std::size_t i = 0; i < m.lines.size(); ++i) header += line(m.lines[i], std::uint32_t(i + 1));
    TestLine end;
    end.flags = 1;
    if (m.ends) header += line(end, std::uint32_t(m.lines.size() + 1));
    return header;
  }

  std::string line(const TestLine& l, std::uint32_t number) const {
    const std::size_t samples = l.coils.empty() ? 0 : l.coils.front().size();
    std::string bytes = head(l, number, 0);
    if (!vd_ && !l.coils.empty()) bytes.clear();
    for (std::size_t c = 0; c < l.coils.size(); ++c) {
      std::string coil = vd_ ? std::string(32, '\0') : head(l, number, std::uint16_t(c));
      if (vd_) put(coil, 24, std::uint16_t(c));
      coil.append(reinterpret_cast<const char*>(l.coils[c].data()), samples * sizeof(std::complex<float>));
      bytes += coil;
    }
    return bytes + l.packet;
  }

 private:
  template <class T>
  static void put(std::string& bytes, std::size_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  template <class T>
  static void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string head(const TestLine& l, std::uint32_t number, std::uint16_t channel) const {
    const std::size_t samples = l.coils.empty() ? 0 : l.coils.front().size();
    std::string b(vd_ ? 192 : 128, '\0');
    put(b, 0, std::uint32_t(b.size() + l.packet.size()));
    put(b, 4, std::int32_t{24});
    put(b, 8, number);
    put(b, 12, l.stamp);
    put(b, 16, l.physiologyStamp);
    put(b, vd_ ? 40 : 20, l.flags);
    const std::size_t counts = vd_ ? 48 : 28;
    put(b, counts, std::uint16_t(samples));
    put(b, counts + 2, std::uint16_t(l.coils.size()));
    put(b, counts + 4, l.counters);
    put(b, counts + 32, l.cutBefore);
    put(b, counts + 34, l.cutBehind);
    put(b, counts + 36, l.centreSample);
    put(b, counts + 48, l.centreLine);
    put(b, counts + 50, l.centrePartition);
    put(b, vd_ ? 100 : 96, l.position);
    put(b, vd_ ? 112 : 108, l.quaternion);
    if (!vd_) put(b, 124, channel);
    return b;
  }

  bool vd_;
};

inline constexpr std::uint64_t twixBit(int bit) {
  return std::uint64_t{1} << bit;
}

// A protocol as both layouts write it, of a plane with 2-fold oversampling.
inline std::string twixProtocol(int base, int lines, double fov, double thickness,
                                const std::string& more = "") {
  const auto text = [](double v) { return std::to_string(v); };
  return "tSequenceFileName\t = \t\"%SiemensSeq%\\gre\"\ntProtocolName = \"gre_test\"\nlContrasts = 1\n"
         "sTXSPEC.asNucleusInfo[0].tNucleus = \"1H\"\nsTXSPEC.asNucleusInfo[0].lFrequency = 123250000\n"
         "sRXSPEC.alDwellTime[0] = 5000\nalTR[0] = 10000\nalTE[0] = 4200\nadFlipAngleDegree[0] = 12.5\n"
         "sSliceArray.asSlice[0].dThickness = " +
         text(thickness) + "\nsSliceArray.asSlice[0].dPhaseFOV = " + text(fov * lines / base) +
         "\nsSliceArray.asSlice[0].dReadoutFOV = " + text(fov) +
         "\nsKSpace.lBaseResolution = " + std::to_string(base) +
         "\nsKSpace.lPhaseEncodingLines = " + std::to_string(lines) +
         "\nsKSpace.ucDimension = 0x2\nsKSpace.ucTrajectory = 0x1\n" + more;
}

inline const std::string twixNested =
    "<XProtocol> { <ParamString.\"tPatientPosition\"> { \"HFS\" } <ParamDouble.\"flReadoutOSFactor\"> "
    "{ <Precision> 6 2.000000 } <ParamString.\"SoftwareVersions\"> { \"syngo MR E11\" } }";

}  // namespace spokelab::test
