#include "study/sha256.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <openssl/evp.h>
#include <vector>

#include "sim/error.h"
#include "sim/types.h"

namespace heddle::study {

void Sha256::Free::operator()(EVP_MD_CTX* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
}

void Sha256::add(std::string_view bytes) {
    EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
    std::vector<u8> sum(EVP_MAX_MD_SIZE);
    unsigned length = 0;
    EVP_DigestFinal_ex(context_.get(), sum.data(), &length);
    sum.resize(length);
    std::string text;
    for (const u8 byte : sum) text += fmt::format("{:02x}", byte);
    return text;
}

std::string sha256(std::string_view bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.hex();
}

std::string sha256_of_file(const std::string& path) {
    auto fail = [&path] { throw InputError(fmt::format("{}: {}", path, std::strerror(errno))); };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (file == nullptr) fail();
    Sha256 sum;
    std::vector<char> buffer(std::size_t{1} << 18);
    std::size_t n = 0;
    while ((n = std::fread(buffer.data(), 1, buffer.size(), file.get())) != 0) sum.add({buffer.data(), n});
    if (std::ferror(file.get()) != 0) fail();
    return sum.hex();
}

}  // namespace heddle::study
