#pragma once
// Which pages a flush or a change of page tables is about.

#include "vm/page.h"

namespace heddle {

class PageSet {
  public:
    static PageSet everything() { return {}; }
    static PageSet of(u8 app) {
        PageSet s;
        s.every_app_ = false;
        s.app_ = app;
        return s;
    }
    /// The pages, of whatever size, that reach into [first, end).
    static PageSet range(u8 app, VirtAddr first, VirtAddr end) {
        PageSet s = of(app);
        s.first_ = first;
        s.end_ = end;
        return s;
    }

    bool holds(PageKey page) const {
        if (every_app_) return true;
        if (page.app() != app_) return false;
        const VirtAddr begin = page.address();
        return begin < end_ && begin + (u64{1} << page_shift(page.size())) > first_;
    }

  private:
    bool every_app_ = true;
    u8 app_ = 0;
    VirtAddr first_{0}, end_{~u64{0}};
};

}  // namespace heddle
