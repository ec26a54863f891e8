#include "trace/recording/facts.h"

namespace heddle::recording {
namespace {

enum class EventTag : u8 { launch = 0, copy = 1, alloc = 2, free = 3, sync = 4, page_hint = 5 };

/// Register numbers are stored plus one, so that the common "none" is 0.
u64 register_code(u16 number) {
    return static_cast<u16>(number + 1);
}

template <class Enum>
Enum get_enum(ByteReader& in, Enum last) {
    const u64 value = in.fixed(1);
    if (value > static_cast<u64>(last)) ByteReader::damaged();
    return static_cast<Enum>(value);
}

template <class Enum>
void put_enum(Bytes& out, Enum value) {
    put_fixed(out, static_cast<u8>(value), 1);
}

constexpr u64 kMaxTable = u64{1} << 22;

}  // namespace

void put_event(Bytes& out, const ProgramEvent& event, u64 kernel_block) {
    if (std::holds_alternative<LaunchEvent>(event)) {
        put_enum(out, EventTag::launch);
        put_varint(out, kernel_block);
    } else if (const auto* copy = std::get_if<CopyEvent>(&event)) {
        put_enum(out, EventTag::copy);
        put_enum(out, copy->kind);
        for (const u64 v : {copy->destination, copy->source, copy->bytes, copy->stream}) put_varint(out, v);
    } else if (const auto* alloc = std::get_if<AllocEvent>(&event)) {
        put_enum(out, EventTag::alloc);
        put_enum(out, alloc->kind);
        for (const u64 v : {alloc->address, alloc->bytes}) put_varint(out, v);
    } else if (const auto* freed = std::get_if<FreeEvent>(&event)) {
        put_enum(out, EventTag::free);
        put_varint(out, freed->address);
    } else if (const auto* hint = std::get_if<PageHintEvent>(&event)) {
        put_enum(out, EventTag::page_hint);
        put_enum(out, hint->kind);
        put_fixed(out, hint->to_host, 1);
        for (const u64 v : {hint->address, hint->bytes, hint->stream}) put_varint(out, v);
    } else {
        const auto& sync = std::get<SyncEvent>(event);
        put_enum(out, EventTag::sync);
        put_enum(out, sync.kind);
        for (const u64 v : {sync.stream, sync.event}) put_varint(out, v);
    }
}

bool get_event(ByteReader& in, ProgramEvent& event, u64& kernel_block) {
    switch (get_enum(in, EventTag::page_hint)) {
        case EventTag::launch:
            kernel_block = in.varint();
            return false;
        case EventTag::copy: {
            CopyEvent copy;
            copy.kind = get_enum(in, CopyKind::set);
            copy.destination = in.varint();
            copy.source = in.varint();
            copy.bytes = in.varint();
            copy.stream = in.varint();
            event = copy;
            break;
        }
        case EventTag::alloc: {
            AllocEvent alloc;
            alloc.kind = get_enum(in, AllocEvent::Kind::host);
            alloc.address = in.varint();
            alloc.bytes = in.varint();
            event = alloc;
            break;
        }
        case EventTag::free:
            event = FreeEvent{in.varint()};
            break;
        case EventTag::sync: {
            SyncEvent sync;
            sync.kind = get_enum(in, SyncEvent::Kind::host_device);
            sync.stream = in.varint();
            sync.event = in.varint();
            event = sync;
            break;
        }
        case EventTag::page_hint: {
            PageHintEvent hint;
            hint.kind = get_enum(in, PageHintEvent::Kind::no_wish);
            hint.to_host = in.bounded(1) != 0;
            hint.address = in.varint();
            hint.bytes = in.varint();
            hint.stream = in.varint();
            event = hint;
            break;
        }
    }
    return true;
}

void put_range(Bytes& out, const ProgramRange& range) {
    put_string(out, range.name);
    put_string(out, range.domain);
    for (const u64 v : {u64{range.color}, u64{range.is_mark}, range.first_launch, range.launches})
        put_varint(out, v);
}

ProgramRange get_range(ByteReader& in) {
    ProgramRange range;
    range.name = in.string();
    range.domain = in.string();
    range.color = in.varint32();
    range.is_mark = in.bounded(1) != 0;
    range.first_launch = in.varint();
    range.launches = in.varint();
    return range;
}

void put_kernel(Bytes& out, const KernelInfo& info) {
    put_string(out, info.name);
    put_varint(out, info.id);
    for (const Dim3 d : {info.grid, info.block})
        for (const u32 v : {d.x, d.y, d.z}) put_varint(out, v);
    for (const u64 v : {u64{info.shared_bytes}, u64{info.registers}, info.stream, u64{info.warp_lanes},
                        u64{info.register_names}, u64{info.cooperative}})
        put_varint(out, v);
    put_string(out, info.place);
}

KernelInfo get_kernel(ByteReader& in) {
    KernelInfo info;
    info.name = in.string();
    info.id = in.varint();
    for (Dim3* d : {&info.grid, &info.block}) {
        for (u32* v : {&d->x, &d->y, &d->z}) {
            *v = in.varint32();
            if (*v == 0) ByteReader::damaged();
        }
    }
    info.shared_bytes = in.varint32();
    info.registers = in.varint32();
    info.stream = in.varint();
    info.warp_lanes = in.varint32();
    info.register_names = in.varint32();
    info.cooperative = in.bounded(1) != 0;
    info.place = in.string();
    if (info.warp_lanes != 32 && info.warp_lanes != 64) ByteReader::damaged();
    return info;
}

void put_static_insts(Bytes& out, const std::vector<StaticInst>& table, StreamPacker& packer) {
    // Field by field: a column's bytes are alike.
    enum Column { pc, registers, classes, flags, columns };
    std::vector<Bytes> streams(columns);
    u64 last_pc = 0;
    for (const StaticInst& inst : table) {
        put_varint(streams[pc], zigzag(static_cast<i64>(inst.pc - last_pc)));
        last_pc = inst.pc;
        for (const u16 r : inst.dst) put_varint(streams[registers], register_code(r));
        for (const u16 r : inst.src) put_varint(streams[registers], register_code(r));
        put_enum(streams[classes], inst.op);
        put_enum(streams[classes], inst.mem);
        put_enum(streams[classes], inst.space);
        for (const u8 v : {inst.access_bytes, static_cast<u8>(inst.bypass_l1), inst.barrier_id,
                           inst.barrier_warps, static_cast<u8>(inst.barrier_arrive_only), inst.dst_width,
                           static_cast<u8>(inst.async_role), inst.async_keep})
            put_fixed(streams[flags], v, 1);
    }
    put_varint(out, table.size());
    Bytes packed;
    packer.pack(streams, packed);
    put_varint(out, packed.size());
    out.insert(out.end(), packed.begin(), packed.end());
}

std::vector<StaticInst> get_static_insts(ByteReader& in) {
    enum Column { pc, registers, classes, flags, columns };
    const u64 count = in.bounded(kMaxTable);
    const u64 size = in.bounded(in.left());
    const u8* const packed = in.take(size);
    ByteReader part(packed, packed + size);
    const std::vector<Bytes> streams = unpack_streams(part, columns);
    ByteReader pcs(streams[pc]), regs(streams[registers]), cls(streams[classes]), flg(streams[flags]);
    std::vector<StaticInst> table(count);
    u64 last_pc = 0;
    for (StaticInst& inst : table) {
        inst.pc = last_pc += static_cast<u64>(unzigzag(pcs.varint()));
        for (u16& r : inst.dst) r = static_cast<u16>(regs.bounded(0xffff) - 1);
        for (u16& r : inst.src) r = static_cast<u16>(regs.bounded(0xffff) - 1);
        inst.op = get_enum(cls, static_cast<OpClass>(static_cast<u8>(OpClass::count_) - 1));
        inst.mem = get_enum(cls, MemOp::prefetch);
        inst.space = get_enum(cls, MemSpace::texture);
        inst.access_bytes = static_cast<u8>(flg.fixed(1));
        inst.bypass_l1 = flg.fixed(1) != 0;
        inst.barrier_id = static_cast<u8>(flg.fixed(1));
        inst.barrier_warps = static_cast<u8>(flg.fixed(1));
        inst.barrier_arrive_only = flg.fixed(1) != 0;
        inst.dst_width = static_cast<u8>(flg.fixed(1));
        inst.async_role = get_enum(flg, AsyncRole::wait);
        inst.async_keep = static_cast<u8>(flg.fixed(1));
    }
    return table;
}

}  // namespace heddle::recording
