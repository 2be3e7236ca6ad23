// Traces of the physiological unit (ECG, pulse, respiration ...) among the lines of a measurement.
// Blocks of three formats: before XA, XA (some versions keep the one before), and XA61 on.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace spokelab {

enum class TwixBlocks { beforeXa, xa, xa61 };

struct TwixTrace {
  std::vector<double> seconds;  // since midnight, as the stamps of the lines
  std::vector<float> values;    // of full scale, or as the unit calibrates them (XA61)
};

class TwixTraces {
 public:
  explicit TwixTraces(const std::string& softwareVersion);  // "syngo MR XA30"
  // Adds the bytes behind the header of a line with other devices' data. Damaged blocks end early.
  void add(std::span<const char> bytes);
  // By the name of the signal: "ECG1".
  const std::map<std::string, TwixTrace>& signals() const { return signals_; }
  int others() const { return otherBlocks_; }  // blocks that are not traces

 private:
  void addBlock(std::span<const char> data);
  void addXa61(std::span<const char> data);

  bool isXa61_;
  std::map<std::string, TwixTrace> signals_;
  int otherBlocks_ = 0;
};

}  // namespace spokelab
