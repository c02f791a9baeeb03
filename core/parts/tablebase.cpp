#include "tablebase.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>

#include "hash.hpp"

namespace zermelo {
namespace {

constexpr std::uint64_t kMagic = 0x31425a4c4d525a89;  // no text begins like this
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kPage = 4096;
constexpr const char* kRebuild = "build it again with --rebuild";
constexpr const char* kGoOn = "what is finished is kept: run the same again to go on";

struct Header {
  std::uint64_t magic, hash;  // hash: of all that follows it, up to the payload
  std::uint32_t version, layout, width, texts[3];
  std::uint64_t count, positions, wins, draws, losses, payload;
  std::int64_t longest;
};

std::uint64_t blocks_of(std::uint64_t bytes, std::uint64_t block) {
  return bytes / block + (bytes % block != 0);
}

std::string reason(int error) { return std::strerror(error); }

// Bytes a value takes in all, its key included.
std::uint64_t bytes_each(Layout layout, std::uint32_t width) {
  if (layout == Layout::scores) return 8 + 8 + 4;
  return (layout == Layout::reachable ? 8 : 0) + width;
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

// -- reading -----------------------------------------------------------------------------------
TableFile::TableFile(const std::string& path, const std::string& game, const std::string& name)
    : path_(path) {
  try {
    file_ = platform::FileMap(path);
  } catch (const std::system_error& e) {
    throw TableError(path + " cannot be read: " + reason(e.code().value()),
                     "build it: zermelo tablebase");
  } catch (const std::bad_alloc&) {
    throw TableError(path + " cannot be mapped into memory", "free some memory");
  }
  open_checked(game, name);
}

void TableFile::broken(const std::string& what) const {
  throw TableError(path_ + " " + what, kRebuild);
}

// Nothing in the file is believed before it is checked.
void TableFile::open_checked(const std::string& game, const std::string& name) {
  const std::uint64_t size = file_.size();
  if (size < sizeof(Header)) broken("is cut short: it has " + std::to_string(size) + " bytes");
  const std::byte* base = file_.data();
  const auto h = load<Header>(base);
  if (h.magic != kMagic) broken("is no table of zermelo");
  if (h.version != kVersion) {
    broken("was written in format " + std::to_string(h.version) + "; this program reads format " +
           std::to_string(kVersion));
  }
  const std::uint64_t texts = std::uint64_t{h.texts[0]} + h.texts[1] + h.texts[2];
  if (texts > size || h.payload > size) {
    broken("is cut short or damaged: it has " + std::to_string(size) + " bytes");
  }
  const std::uint64_t blocks = blocks_of(h.payload, kBlock);
  const std::uint64_t hashes_at = (sizeof(Header) + texts + 7) / 8 * 8;
  const std::uint64_t payload_at = blocks_of(hashes_at + 8 * blocks, kPage) * kPage;
  if (size != payload_at + h.payload) {
    broken("is cut short or damaged: it has " + std::to_string(size) + " bytes of " +
           std::to_string(payload_at + h.payload));
  }
  if (h.hash != hash_bytes(base + 16, hashes_at + 8 * blocks - 16)) {
    broken("is damaged: its header does not fit its checksum");
  }
  info_.layout = static_cast<Layout>(h.layout);
  const bool known =
      h.layout >= 1 && h.layout <= 3 && (h.width == 1 || h.width == 2 || h.width == 4);
  if (!known || h.count > h.payload || h.count * bytes_each(info_.layout, h.width) != h.payload) {
    broken("is damaged: its sizes contradict each other");
  }
  const auto* text = reinterpret_cast<const char*>(base + sizeof(Header));
  info_.game.assign(text, h.texts[0]);
  info_.name.assign(text + h.texts[0], h.texts[1]);
  info_.sample.assign(text + h.texts[0] + h.texts[1], h.texts[2]);
  if (info_.game != game) broken("is a table of " + info_.game + ", not of " + game);
  if (!name.empty() && info_.name != name) broken("is the table " + info_.name + ", not " + name);
  info_.width = h.width;
  info_.count = h.count;
  info_.positions = h.positions;
  info_.wins = h.wins, info_.draws = h.draws, info_.losses = h.losses;
  info_.longest = h.longest;
  payload_size_ = h.payload;
  payload_ = base + payload_at;
  hashes_ = reinterpret_cast<const std::uint64_t*>(base + hashes_at);
  values_at_ = info_.layout == Layout::endgame ? 0 : 8 * info_.count;
  checked_ = std::make_unique<std::atomic<bool>[]>(blocks);
}

// Two threads may do the same at once; both find the same.
void TableFile::check(std::uint64_t block) const {
  const std::uint64_t from = block * kBlock, size = std::min(kBlock, payload_size_ - from);
  if (hash_bytes(payload_ + from, size) != hashes_[block]) {
    broken("is damaged: block " + std::to_string(block) + " does not fit its checksum");
  }
  checked_[block].store(true, std::memory_order_relaxed);
}

void TableFile::check_all() const {
  for (std::uint64_t block = 0; block < blocks_of(payload_size_, kBlock); ++block) check(block);
}

bool TableFile::read(std::uint64_t index, Verdict& verdict) const {
  std::int64_t value, none;
  if (info_.layout == Layout::scores) {
    verdict.value = load<double>(touch(values_at_ + 8 * index));
    verdict.distance = load<std::int32_t>(touch(values_at_ + 8 * info_.count + 4 * index));
    return true;
  }
  const std::byte* from = touch(values_at_ + index * info_.width);
  if (info_.width == 1) {
    value = load<std::int8_t>(from), none = INT8_MIN;
  } else if (info_.width == 2) {
    value = load<std::int16_t>(from), none = INT16_MIN;
  } else {
    value = load<std::int32_t>(from), none = INT32_MIN;
  }
  if (value == none) return false;
  verdict.value = (value > 0) - (value < 0);
  verdict.distance = static_cast<int>(value < 0 ? -value : value) - 1;
  return true;
}

std::uint64_t TableFile::key_at(std::uint64_t index) const {
  return load<std::uint64_t>(touch(8 * index));
}

// The keys are spread evenly: the place of one can be guessed, and the guess be mended.
bool TableFile::find(std::uint64_t key, Verdict& verdict) const {
  const std::uint64_t wanted = mix(key);
  std::uint64_t low = 0, high = info_.count;  // the place is in [low, high)
  std::uint64_t least = 0, most = UINT64_MAX;
  for (int guesses = 0; low < high; ++guesses) {
    std::uint64_t middle = low + (high - low) / 2;
    if (guesses < 8 && most > least) {  // then plain halving, whatever the keys are
      const auto part = static_cast<platform::Uint128>(wanted - least) * (high - low);
      middle = std::min(low + static_cast<std::uint64_t>(part / (most - least)), high - 1);
    }
    const std::uint64_t there = key_at(middle);
    if (there == wanted) return read(middle, verdict);
    if (there < wanted) {
      low = middle + 1, least = there;
    } else {
      high = middle, most = there;
    }
    if (wanted < least || wanted > most) return false;  // keys out of order: a forged file
  }
  return false;
}

// -- writing -----------------------------------------------------------------------------------
namespace {

// A file that is removed again unless it was finished.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path), part_(path + ".part") {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail();
  }
  ~NewFile() {
    if (file_ >= 0) ::close(file_);
    if (!done_) ::unlink(part_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, std::uint64_t size) {
    const auto* from = static_cast<const char*>(data);
    while (size > 0) {
      const ssize_t written = ::write(file_, from, std::min<std::uint64_t>(size, 1 << 26));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      from += written;
      size -= static_cast<std::uint64_t>(written);
    }
  }

  void finish() {
    if (::fsync(file_) != 0) fail();
    if (::close(std::exchange(file_, -1)) != 0) fail();
    if (::rename(part_.c_str(), path_.c_str()) != 0) fail();
    done_ = true;
  }

 private:
  [[noreturn]] void fail() const {
    throw TableError(path_ + " cannot be written: " + reason(errno), kGoOn);
  }

  std::string path_, part_;
  int file_ = -1;
  bool done_ = false;
};

}  // namespace

void write_table(const std::string& path, const TableInfo& info,
                 std::span<const std::byte> payload) {
  Header h{};
  h.magic = kMagic;
  h.version = kVersion;
  h.layout = static_cast<std::uint32_t>(info.layout);
  h.width = info.width;
  const std::string* texts[] = {&info.game, &info.name, &info.sample};
  std::string head(sizeof h, '\0');
  for (int i = 0; i < 3; ++i) {
    h.texts[i] = static_cast<std::uint32_t>(texts[i]->size());
    head += *texts[i];
  }
  h.count = info.count, h.positions = info.positions;
  h.wins = info.wins, h.draws = info.draws, h.losses = info.losses;
  h.longest = info.longest;
  h.payload = payload.size();
  head.resize((head.size() + 7) / 8 * 8);
  for (std::uint64_t from = 0; from < payload.size(); from += TableFile::kBlock) {
    const std::uint64_t size = std::min<std::uint64_t>(TableFile::kBlock, payload.size() - from);
    const std::uint64_t hash = hash_bytes(payload.data() + from, size);
    head.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  std::memcpy(head.data(), &h, sizeof h);
  h.hash = hash_bytes(head.data() + 16, head.size() - 16);
  std::memcpy(head.data(), &h, sizeof h);
  head.resize(blocks_of(head.size(), kPage) * kPage);
  NewFile file(path);
  file.write(head.data(), head.size());
  file.write(payload.data(), payload.size());
  file.finish();
}

// -- asking ------------------------------------------------------------------------------------
Tablebase::Tablebase(const Game& game, std::vector<std::shared_ptr<const TableFile>> files)
    : game_(game), key_(game.lasting_key ? game.lasting_key : game.key) {
  const Endgames* e = game.endgames;
  if (e) classes_.resize(e->classes);
  for (auto& file : files) {
    if (file->info().layout != Layout::endgame) {
      reachable_ = std::move(file);
      continue;
    }
    for (int number = 0; e && number < e->classes; ++number) {
      if (file->info().name == e->name(game.self, number) &&
          file->info().count == e->size(game.self, number)) {
        classes_[number] = file;
      }
    }
  }
}

}  // namespace zermelo
