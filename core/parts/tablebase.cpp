#include "tablebase.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "hash.hpp"

namespace zermelo {
namespace {

constexpr std::uint64_t kMagic = 0x31425a4c4d525a89;  // not the start of any text file
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kPage = 4096;
constexpr const char* kRebuild = "build it again with --rebuild";
constexpr const char* kGoOn = "finished tables are saved: run the same command again to resume";

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

// Bytes per value, including its key.
std::uint64_t bytes_each(Layout layout, std::uint32_t width) {
  if (layout == Layout::scores) return 8 + 8 + 4;
  return (layout == Layout::reachable ? 8 : 0) + width;
}

std::atomic<std::uint64_t> claimed{0};  // bytes of tables that may be loaded into memory

// The limit of these bytes.
std::uint64_t most_claimed() {
  if (const char* given = std::getenv("ZERMELO_TABLE_MEMORY")) {  // bytes; for tests
    return std::strtoull(given, nullptr, 10);
  }
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return std::uint64_t{1} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 2;
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

// -- reading -----------------------------------------------------------------------------------
// Truncating a mapped file would kill the process with SIGBUS, and overwriting one would bypass its
// checksum. Therefore each block is read with pread into its own memory when it is first used. If
// the tables are larger than half the memory, values are read one by one.
TableFile::TableFile(const std::string& path, const std::string& game, const std::string& name)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_.number < 0) {
    throw TableError(path + " cannot be read: " + reason(errno), "build it: zermelo tablebase");
  }
  size_ = platform::file_size(file_.number);
  open_checked(game, name);
  claim();
  if (payload_ &&
      payload_size_ <= kSmall) {  // the number of open files is limited; small ones are closed
    read_at(payload_at_, payload_.get(), payload_size_);
    file_.close();
  }
}

void TableFile::claim() {
  const std::uint64_t size = std::max<std::uint64_t>(payload_size_, 1);
  if (claimed.fetch_add(size) + size <= most_claimed()) {
    payload_ = {static_cast<std::byte*>(std::malloc(size)), FreeTable{size}};
  }
  if (!payload_) claimed.fetch_sub(size);
}

void FreeTable::operator()(std::byte* memory) const {
  std::free(memory);
  claimed.fetch_sub(size);
}

void TableFile::Descriptor::close() {
  if (number >= 0) ::close(std::exchange(number, -1));
}

void TableFile::read_at(std::uint64_t offset, void* to, std::uint64_t size) const {
  auto* at = static_cast<std::byte*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file_.number, at, std::min<std::uint64_t>(size, 1 << 26),
                                static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) broken("cannot be read: " + reason(errno));
    if (got == 0) broken("is truncated: it ends at byte " + std::to_string(offset));
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::uint64_t>(got);
  }
}

void TableFile::broken(const std::string& what) const {
  throw TableError(path_ + " " + what, kRebuild);
}

// Everything in the file is checked before it is used.
void TableFile::open_checked(const std::string& game, const std::string& name) {
  if (size_ < sizeof(Header)) {
    broken("is truncated: it has " + std::to_string(size_) + " bytes");
  }
  Header h;
  read_at(0, &h, sizeof h);
  if (h.magic != kMagic) broken("is not a zermelo tablebase");
  if (h.version != kVersion) {
    broken("has format version " + std::to_string(h.version) + "; this version of zermelo reads " +
           std::to_string(kVersion));
  }
  const std::uint64_t texts = std::uint64_t{h.texts[0]} + h.texts[1] + h.texts[2];
  if (texts > size_ || h.payload > size_) {
    broken("is truncated or damaged: it has " + std::to_string(size_) + " bytes");
  }
  const std::uint64_t blocks = blocks_of(h.payload, kBlock);
  const std::uint64_t hashes_at = (sizeof(Header) + texts + 7) / 8 * 8;
  const std::uint64_t payload_at = blocks_of(hashes_at + 8 * blocks, kPage) * kPage;
  if (size_ != payload_at + h.payload) {
    broken("is truncated or damaged: it has " + std::to_string(size_) + " bytes instead of " +
           std::to_string(payload_at + h.payload));
  }
  std::vector<std::byte> head(hashes_at + 8 * blocks);
  read_at(0, head.data(), head.size());
  if (h.hash != load<Header>(head.data()).hash ||
      h.hash != hash_bytes(head.data() + 16, head.size() - 16)) {
    broken("is damaged: the header does not match its checksum");
  }
  info_.layout = static_cast<Layout>(h.layout);
  const bool known =
      h.layout >= 1 && h.layout <= 3 && (h.width == 1 || h.width == 2 || h.width == 4);
  if (!known || h.count > h.payload || h.count * bytes_each(info_.layout, h.width) != h.payload) {
    broken("is damaged: the sizes in the header are inconsistent");
  }
  const auto* text = reinterpret_cast<const char*>(head.data() + sizeof(Header));
  info_.game.assign(text, h.texts[0]);
  info_.name.assign(text + h.texts[0], h.texts[1]);
  info_.sample.assign(text + h.texts[0] + h.texts[1], h.texts[2]);
  if (info_.game != game) broken("is a table for " + info_.game + ", not for " + game);
  if (!name.empty() && info_.name != name)
    broken("contains the table " + info_.name + ", not " + name);
  info_.width = h.width;
  info_.count = h.count;
  info_.positions = h.positions;
  info_.wins = h.wins, info_.draws = h.draws, info_.losses = h.losses;
  info_.longest = h.longest;
  payload_size_ = h.payload;
  payload_at_ = payload_at;
  hashes_.resize(blocks);
  if (blocks) std::memcpy(hashes_.data(), head.data() + hashes_at, 8 * blocks);
  values_at_ = info_.layout == Layout::endgame ? 0 : 8 * info_.count;
  checked_ = std::make_unique<std::atomic<bool>[]>(blocks);
}

// Loads a block into memory and checks it, unless it is loaded or there is no room.
void TableFile::check(std::uint64_t block) const {
  const std::lock_guard guard(checking_);
  if (checked_[block].load(std::memory_order_relaxed)) return;  // by another thread
  const std::uint64_t from = block * kBlock, size = std::min(kBlock, payload_size_ - from);
  std::vector<std::byte> passing(payload_ ? 0 : size);
  std::byte* data = payload_ ? payload_.get() + from : passing.data();
  if (file_.number >= 0) read_at(payload_at_ + from, data, size);
  if (hash_bytes(data, size) != hashes_[block]) {
    broken("is damaged: block " + std::to_string(block) + " does not match its checksum");
  }
  checked_[block].store(true, std::memory_order_release);
}

void TableFile::check_all() const {
  for (std::uint64_t block = 0; block < blocks_of(payload_size_, kBlock); ++block) check(block);
}

bool TableFile::read(std::uint64_t index, Verdict& verdict) const {
  std::int64_t value, none;
  if (info_.layout == Layout::scores) {
    verdict.value = get<double>(values_at_ + 8 * index);
    verdict.distance = get<std::int32_t>(values_at_ + 8 * info_.count + 4 * index);
    return true;
  }
  const std::uint64_t from = values_at_ + index * info_.width;
  if (info_.width == 1) {
    value = get<std::int8_t>(from), none = INT8_MIN;
  } else if (info_.width == 2) {
    value = get<std::int16_t>(from), none = INT16_MIN;
  } else {
    value = get<std::int32_t>(from), none = INT32_MIN;
  }
  if (value == none) return false;
  verdict.value = (value > 0) - (value < 0);
  verdict.distance = static_cast<int>(value < 0 ? -value : value) - 1;
  return true;
}

std::uint64_t TableFile::key_at(std::uint64_t index) const { return get<std::uint64_t>(8 * index); }

// Keys are uniformly distributed, so interpolation search finds the index.
bool TableFile::find(std::uint64_t key, Verdict& verdict) const {
  const std::uint64_t wanted = mix(key);
  std::uint64_t low = 0, high = info_.count;  // the index is in [low, high)
  std::uint64_t least = 0, most = UINT64_MAX;
  for (int guesses = 0; low < high; ++guesses) {
    std::uint64_t middle = low + (high - low) / 2;
    if (guesses < 8 && most > least) {  // then binary search, for any distribution
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

// A file that is removed unless it was finished.
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
