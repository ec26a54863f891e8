#pragma once
// SHA-256 (FIPS 180-4): what names the contents of files and whole runs.

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // libcrypto's context

namespace heddle::study {

class Sha256 {
  public:
    Sha256();
    void add(std::string_view bytes);
    /// 64 lowercase hexadecimal digits. Nothing may be added afterwards.
    std::string hex();

  private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string sha256(std::string_view bytes);

/// Of a file's contents. Throws InputError if it can't be read.
std::string sha256_of_file(const std::string& path);

}  // namespace heddle::study
