#pragma once
// Divergence and reconvergence: a warp's splits as a stack, with room to step out of order.
//
// A branch whose lanes disagree leaves the running split waiting at the branch's immediate post-dominator and
// pushes one split a side. A split that reaches its meeting point is popped. This is the classic
// reconvergence stack; it alone would hang where lanes of one warp wait for each other (a lock taken lane by
// lane, a barrier in both sides of a branch). So a split that can't go on steps aside: first its siblings
// run; if none can, lanes that wait at the meeting point go on without it, and it will meet them at the next
// meeting point out. Volta's independent thread scheduling promises such progress, and programs rely on it.

#include "ptx/warp.h"

namespace heddle::ptx {

/// Changes splits; the caller then runs the new top. `next` is the pc after the branch.
void diverge(Warp& w, u32 target, u32 next, u32 rpc, u32 taken, u32 fallen);
/// Pops splits that are at their meeting point.
void reconverge(Warp& w);
/// The running split can't go on (its state says why): puts one that can on top. False if there is none.
bool step_aside(Warp& w);
/// Spinning splits can run again, those at the same place together; one that can run comes on top.
void rouse(Warp& w);
/// Lanes end: they leave every split. Splits without lanes go.
void remove_lanes(Warp& w, u32 lanes);
/// Joins splits that wait for members at the same place into the running one. True if its lanes grew.
bool join_members(Warp& w);
/// The running split is at a bar.warp.sync. If every live member waits at one, here or elsewhere, all others go on; else
/// false.
bool release_members(Warp& w, u32 members);

void retain(Warp& w, u32 call);
void release_call(Warp& w, u32 call);

}  // namespace heddle::ptx
