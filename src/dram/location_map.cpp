#include "dram/location_map.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>

#include "config/manual.h"
#include "dram/setting_error.h"

namespace heddle::dram {

namespace {

constexpr std::array<std::string_view, 7> kPartNames = {"byte", "column", "group", "bank",
                                                        "rank", "pseudo", "row"};

u32 log2_of(u64 n) {
    return static_cast<u32>(std::countr_zero(n));
}

std::vector<std::string> usual_map(const Geometry& g, u32 line_bytes) {
    const u32 line_columns = std::max(1u, line_bytes / g.access_bytes);
    std::vector<std::string> map = {fmt::format("byte:{}", g.access_bytes)};
    auto field = [&map](std::string_view name, u32 count) {
        if (count > 1) map.push_back(fmt::format("{}:{}", name, count));
    };
    field("column", line_columns);
    field("pseudo", g.pseudo_channels);
    field("group", g.groups);
    field("column", g.columns / line_columns);
    field("bank", g.banks_per_group);
    field("rank", g.ranks);
    map.push_back("row");
    return map;
}

}  // namespace

LocationMap::LocationMap(const Geometry& geometry, const std::vector<std::string>& fields, BankHash hash,
                         u32 line_bytes)
    : geometry_(geometry), hash_(hash) {
    const std::vector<std::string> chosen = fields.empty() ? usual_map(geometry, line_bytes) : fields;
    for (const std::string& f : chosen) {
        add(f);
        text_ += (text_.empty() ? "" : " ") + f;
    }
    check(line_bytes);
}

void LocationMap::add(const std::string& field) {
    const std::size_t colon = field.find(':');
    const std::string_view name = std::string_view(field).substr(0, colon);
    const auto it = std::find(kPartNames.begin(), kPartNames.end(), name);
    if (it == kPartNames.end())
        throw SettingError({"map"},
                           fmt::format("field '{}'{}", field,
                                       config::suggestion(name, {kPartNames.begin(), kPartNames.end()})));
    u32 count = 0;
    if (colon != std::string::npos) {
        const char* first = field.data() + colon + 1;
        const char* last = field.data() + field.size();
        const auto [end, error] = std::from_chars(first, last, count);
        if (error != std::errc() || end != last || count == 0)
            throw SettingError({"map"},
                               fmt::format("field '{}' has no count after ':', as in 'bank:4'", field));
    }
    fields_.push_back({static_cast<Part>(it - kPartNames.begin()), count});
}

namespace {

/// What a map must fit.
std::vector<std::string> organisation_keys() {
    return {"map",  "ranks",     "bank_groups", "banks_per_group", "pseudo_channels",
            "rows", "row_bytes", "width_bits",  "burst_length",    "part"};
}

}  // namespace

void LocationMap::check(u32 line_bytes) {
    const Geometry& g = geometry_;
    const std::array<u64, 7> sizes = {g.access_bytes, g.columns,         g.groups, g.banks_per_group,
                                      g.ranks,        g.pseudo_channels, g.rows};
    std::array<u64, 7> product;
    product.fill(1);
    u64 shift = 0;
    u64 low_bytes = 1;  // that the fields below the first bank or row field span
    bool low = true, rest = false;
    for (Field& f : fields_) {
        const std::size_t p = static_cast<std::size_t>(f.part);
        if (rest || (f.count == 0 && f.part != Part::row))
            throw SettingError({"map"},
                               fmt::format("'{}': only the last field, row, goes without a count", text_));
        if (f.count == 0) {
            rest = true;
            f.count = static_cast<u32>(std::max<u64>(1, sizes[p] / product[p]));
        }
        f.weight = product[p];
        f.shift = static_cast<u32>(shift);
        product[p] *= f.count;
        powers_of_two_ = powers_of_two_ && std::has_single_bit(f.count);
        shift += log2_of(f.count);
        low = low && (f.part == Part::byte || f.part == Part::column);
        if (low) low_bytes *= f.count;
    }
    for (std::size_t p = 0; p < sizes.size(); ++p)
        if (product[p] != sizes[p])
            throw SettingError(organisation_keys(), fmt::format("'{}' gives '{}' {} values, but there are {}",
                                                                text_, kPartNames[p], product[p], sizes[p]));
    if (fields_.front().part != Part::byte || fields_.front().count != g.access_bytes)
        throw SettingError(organisation_keys(),
                           fmt::format("'{}' must begin with byte:{}, the bytes of one column command", text_,
                                       g.access_bytes));
    if (low_bytes % std::max(line_bytes, g.access_bytes) != 0)
        throw SettingError(
            {"map", "line_bytes"},
            fmt::format("'{}' splits a line of {} bytes over banks; put column:{} after byte:{}", text_,
                        line_bytes, line_bytes / g.access_bytes, g.access_bytes));
    if (!powers_of_two_ || fields_.size() > pieces_.size()) {
        powers_of_two_ = false;
        return;
    }
    bank_bits_ = log2_of(g.banks_per_group);
    group_bits_ = log2_of(g.groups);
    const u32 rank_shift = bank_bits_ + group_bits_;
    bool moves_up = false;
    for (const Field& f : fields_) {
        const u32 digit = log2_of(f.weight);
        // A row beyond the last is kept: addresses are checked where they come in.
        const u64 mask = f.part == Part::row && &f == &fields_.back() ? ~u64{0} : f.count - 1;
        auto piece = [&](u32 out, u32 out_shift) {
            if (f.shift < out_shift) moves_up = true;
            pieces_[piece_count_++] = {mask << f.shift, f.shift - out_shift, out};
        };
        if (f.count == 1 && f.part != Part::row) continue;
        switch (f.part) {
            case Part::byte:
                break;
            case Part::column:
                piece(2, digit);
                break;
            case Part::row:
                piece(1, digit);
                break;
            case Part::bank:
                piece(0, digit);
                break;
            case Part::group:
                piece(0, bank_bits_ + digit);
                break;
            case Part::rank:
                piece(0, rank_shift + digit);
                break;
            case Part::pseudo:
                piece(0, rank_shift + log2_of(g.ranks) + digit);
                break;
        }
    }
    if (moves_up) {
        powers_of_two_ = false;  // the general way knows all maps
        return;
    }
    const auto columns = std::stable_partition(pieces_.begin(), pieces_.begin() + piece_count_,
                                               [](const Piece& p) { return p.out != 2; });
    row_pieces_ = static_cast<u32>(columns - pieces_.begin());
    bank_pieces_ = static_cast<u32>(
        std::stable_partition(pieces_.begin(), columns, [](const Piece& p) { return p.out == 0; }) -
        pieces_.begin());
    simple_rows_ =
        hash_ == BankHash::none && bank_pieces_ <= simple_banks_.size() && row_pieces_ == bank_pieces_ + 1;
    if (!simple_rows_) return;
    std::copy_n(pieces_.begin(), bank_pieces_, simple_banks_.begin());
    simple_row_ = pieces_[bank_pieces_];
}

void LocationMap::hash_bank(u64& group, u64& bank, u64 row, bool inverse) const {
    if (hash_ == BankHash::none) return;
    const u64 n = u64{geometry_.groups} * geometry_.banks_per_group;
    u64 flat = bank * geometry_.groups + group;
    if (std::has_single_bit(n)) {
        flat ^= row & (n - 1);
    } else {
        flat = (flat + (inverse ? n - row % n : row % n)) % n;
    }
    group = flat % geometry_.groups;
    bank = flat / geometry_.groups;
}

Location LocationMap::assemble(u64 column, u64 group, u64 bank, u64 rank, u64 pseudo, u64 row) const {
    const Geometry& g = geometry_;
    hash_bank(group, bank, row, false);
    return {static_cast<u32>(((pseudo * g.ranks + rank) * g.groups + group) * g.banks_per_group + bank),
            static_cast<u32>(row), static_cast<u32>(column)};
}

Location LocationMap::locate_bits(u64 address, u32 pieces) const {
    const auto gather = [&](u32 first, u32 last) {
        u64 bits = 0;
        for (u32 k = first; k < last; ++k) bits |= (address & pieces_[k].mask) >> pieces_[k].shift;
        return bits;
    };
    u64 flat = gather(0, bank_pieces_);
    const u64 row = gather(bank_pieces_, row_pieces_);
    if (hash_ != BankHash::none) {
        u64 bank = flat & ((u64{1} << bank_bits_) - 1);
        u64 group = flat >> bank_bits_ & ((u64{1} << group_bits_) - 1);
        const u64 above = flat >> (bank_bits_ + group_bits_);
        const u64 mixed =
            (bank << group_bits_ | group) ^ (row & ((u64{1} << (bank_bits_ + group_bits_)) - 1));
        bank = mixed >> group_bits_;
        group = mixed & ((u64{1} << group_bits_) - 1);
        flat = above << (bank_bits_ + group_bits_) | group << bank_bits_ | bank;
    }
    return {static_cast<u32>(flat), static_cast<u32>(row), static_cast<u32>(gather(row_pieces_, pieces))};
}

Location LocationMap::locate_digits(u64 address) const {
    std::array<u64, 7> part{};
    for (const Field& f : fields_) {
        const bool last = &f == &fields_.back();
        const u64 digit = last && f.part == Part::row ? address : address % f.count;
        part[static_cast<std::size_t>(f.part)] += digit * f.weight;
        address /= f.count;
    }
    return assemble(part[1], part[2], part[3], part[4], part[5], part[6]);
}

u64 LocationMap::address(const Location& l) const {
    const Geometry& g = geometry_;
    u64 bank = l.bank % g.banks_per_group;
    u64 group = l.bank / g.banks_per_group % g.groups;
    const u64 rank = g.rank_of(l.bank) % g.ranks;
    const u64 pseudo = g.pseudo_of(l.bank);
    hash_bank(group, bank, l.row, true);
    const std::array<u64, 7> part = {0, l.column, group, bank, rank, pseudo, l.row};
    u64 address = 0, weight = 1;
    for (const Field& f : fields_) {
        const u64 value = part[static_cast<std::size_t>(f.part)] / f.weight;
        address += (&f == &fields_.back() && f.part == Part::row ? value : value % f.count) * weight;
        weight *= f.count;
    }
    return address;
}

}  // namespace heddle::dram
