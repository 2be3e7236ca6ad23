#include "engine/core/documents/document_head.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spokelab {
namespace {

using nlohmann::json;

class HeadReader final : public nlohmann::json_sax<json> {
 public:
  explicit HeadReader(const std::vector<std::string>& keys) : keys_(keys) {}
  std::map<std::string, std::string> texts;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& text) override {
    if (depth_ == 1 && std::find(keys_.begin(), keys_.end(), key_) != keys_.end()) texts[key_] = text;
    return texts.size() < keys_.size();
  }
  bool key(string_t& key) override {
    if (depth_ == 1) key_ = key;
    return true;
  }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return --depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  const std::vector<std::string>& keys_;
  std::string key_;
  int depth_ = 0;
};

}  // namespace

std::map<std::string, std::string> textsOfHead(const std::string& start,
                                               const std::vector<std::string>& keys) {
  HeadReader head(keys);
  json::sax_parse(start, &head);
  return head.texts;
}

}  // namespace spokelab
