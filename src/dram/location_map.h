#pragma once
// From a byte address inside a channel to pseudo-channel, rank, group, bank, row and column.

#include <string>
#include <vector>

#include "dram/geometry.h"

namespace heddle::dram {

struct Location {
    u32 bank = 0;  // flat, as Geometry counts
    u32 row = 0;
    u32 column = 0;  // access (column command) in the row
    friend bool operator==(const Location&, const Location&) = default;
};

class LocationMap {
  public:
    /// Fields as in MemorySettings::map. InputError if a part's counts do not make its size, or if a line of
    /// line_bytes would not lie in one row.
    LocationMap(const Geometry& geometry, const std::vector<std::string>& fields, BankHash hash,
                u32 line_bytes);

    Location locate(u64 address) const {
        return powers_of_two_ ? locate_bits(address, piece_count_) : locate_digits(address);
    }
    /// Bank and row alone.
    Location locate_row(u64 address) const {
        if (!simple_rows_) return powers_of_two_ ? locate_bits(address, row_pieces_) : locate_digits(address);
        // Without a branch: the pieces that are not needed have no bits.
        u64 bank = 0;
        for (const Piece& p : simple_banks_) bank |= (address & p.mask) >> p.shift;
        return {static_cast<u32>(bank), static_cast<u32>((address & simple_row_.mask) >> simple_row_.shift)};
    }
    /// First byte address of a location; the inverse of locate.
    u64 address(const Location& location) const;
    /// "byte:32 group:4 column:32 bank:4 row", as it was given or chosen.
    const std::string& text() const { return text_; }

  private:
    enum class Part : u8 { byte, column, group, bank, rank, pseudo, row };
    struct Field {
        Part part;
        u32 count;       // 0: the rest
        u32 shift = 0;   // bit position in the address, if all are powers of two
        u64 weight = 1;  // of this digit in its part
    };

    void add(const std::string& field);
    void check(u32 line_bytes);
    Location assemble(u64 column, u64 group, u64 bank, u64 rank, u64 pseudo, u64 row) const;
    Location locate_bits(u64 address, u32 pieces) const;
    Location locate_digits(u64 address) const;
    void hash_bank(u64& group, u64& bank, u64 row, bool inverse) const;

    Geometry geometry_;
    BankHash hash_;
    bool powers_of_two_ = true;
    std::vector<Field> fields_;
    std::string text_;

    /// Bits of the address that go to one of the results, for the common case. A field never moves up.
    struct Piece {
        u64 mask;   // in the address
        u32 shift;  // down
        u32 out;    // 0 flat bank, 1 row, 2 column
    };
    std::array<Piece, 16> pieces_{};
    /// The usual case of locate_row: banks of at most four pieces and not hashed, rows of one.
    bool simple_rows_ = false;
    std::array<Piece, 4> simple_banks_{};
    Piece simple_row_{};
    u32 piece_count_ = 0, row_pieces_ = 0, bank_pieces_ = 0;  // first those of banks, then rows, then columns
    u32 flat_group_shift_ = 0, group_bits_ = 0, bank_bits_ = 0;
};

}  // namespace heddle::dram
