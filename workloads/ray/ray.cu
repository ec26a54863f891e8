// ray: spheres on a chequered plane by ray tracing, with a light, shadows and reflections (ISPASS 2009). One thread a
// pixel follows its ray from reflection to reflection, and looks at all spheres for each piece of its way.
// memory: the spheres are loaded from global memory; constant: they lie in constant memory.

#include "../common/workload.h"

using namespace workloads;

struct alignas(16) Sphere {
    float x, y, z, radius;
    float red, green, blue;
    float mirror;  // the share of a reflection, 0 to 1
};

constexpr u32 kMostSpheres = 256;
// Outside the unnamed namespace: of a variable with internal linkage clang assumes that the host never writes it.
__constant__ Sphere constant_spheres[kMostSpheres];

namespace {

constexpr u32 kWidth = 16, kHeight = 8;  // of a CTA
constexpr float kEye[] = {0, 2.5f, -7};
constexpr float kLight[] = {-6, 9, -7};
constexpr float kAmbient = 0.2f, kPlaneMirror = 0.2f;
constexpr float kTilt = 0.2f;   // how far the view goes down for each unit forward
constexpr float kZoom = 1.2f;   // width of the picture one unit ahead
constexpr float kFar = 40;      // where the plane ends
constexpr float kNear = 1e-3f;  // a ray that starts on a surface leaves it first

__device__ float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float3 operator-(float3 a, float3 b) {
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ float3 operator*(float s, float3 a) {
    return make_float3(s * a.x, s * a.y, s * a.z);
}
__device__ float dot(float3 a, float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ float3 unit(float3 a) {
    return rsqrtf(dot(a, a)) * a;
}

/// How far along the ray it meets the sphere from outside; negative if it does not.
__device__ float distance_to(const Sphere& s, float3 origin, float3 direction) {
    const float3 to = make_float3(s.x, s.y, s.z) - origin;
    const float along = dot(to, direction);
    const float root = s.radius * s.radius - dot(to, to) + along * along;
    return root < 0 ? -1.0f : along - sqrtf(root);
}

__device__ __forceinline__ bool in_shadow(const Sphere* spheres, float3 point, float3 direction, float length,
                                          u32 count) {
    for (u32 i = 0; i < count; ++i) {
        const float d = distance_to(spheres[i], point, direction);
        if (d > kNear && d < length) return true;
    }
    return false;
}

__device__ u32 channel(float value) {
    return static_cast<u32>(fminf(value, 1.0f) * 255.0f + 0.5f);
}

/// Inline, so that loads know where the spheres lie.
__device__ __forceinline__ void trace(u32* picture, u32 width, u32 height, const Sphere* spheres, u32 count,
                                      u32 bounces) {
    const u32 px = blockIdx.x * kWidth + threadIdx.x, py = blockIdx.y * kHeight + threadIdx.y;
    if (px >= width || py >= height) return;
    const float scale = kZoom / static_cast<float>(width);
    float3 origin = make_float3(kEye[0], kEye[1], kEye[2]);
    float3 direction = unit(make_float3(
        (static_cast<float>(px) + 0.5f - 0.5f * static_cast<float>(width)) * scale,
        (0.5f * static_cast<float>(height) - static_cast<float>(py) - 0.5f) * scale - kTilt, 1.0f));
    float3 colour = make_float3(0, 0, 0);
    float share = 1;  // of what the ray still finds
    for (u32 bounce = 0;; ++bounce) {
        float nearest = kFar;
        u32 what = count + 1;  // a sphere, the plane (count), or nothing
        for (u32 i = 0; i < count; ++i) {
            const float d = distance_to(spheres[i], origin, direction);
            if (d > kNear && d < nearest) {
                nearest = d;
                what = i;
            }
        }
        if (direction.y < 0) {
            const float d = -origin.y / direction.y;
            if (d > kNear && d < nearest) {
                nearest = d;
                what = count;
            }
        }
        if (what > count) {  // the sky
            const float height_of_sky = fmaxf(direction.y, 0.0f);
            colour =
                colour + share * make_float3(0.7f - 0.4f * height_of_sky, 0.8f - 0.3f * height_of_sky, 1.0f);
            break;
        }
        const float3 point = origin + nearest * direction;
        float3 normal, paint;
        float mirror;
        if (what == count) {
            const bool light =
                (static_cast<int>(floorf(point.x)) + static_cast<int>(floorf(point.z))) % 2 == 0;
            normal = make_float3(0, 1, 0);
            paint = light ? make_float3(0.9f, 0.9f, 0.9f) : make_float3(0.15f, 0.15f, 0.2f);
            mirror = kPlaneMirror;
        } else {
            const Sphere& s = spheres[what];
            normal = (1.0f / s.radius) * (point - make_float3(s.x, s.y, s.z));
            paint = make_float3(s.red, s.green, s.blue);
            mirror = s.mirror;
        }
        const float3 reflected = direction - 2.0f * dot(direction, normal) * normal;
        const float3 way = make_float3(kLight[0], kLight[1], kLight[2]) - point;
        const float3 to_light = unit(way);
        float brightness = kAmbient, shine = 0;
        const float facing = dot(normal, to_light);
        if (facing > 0 && !in_shadow(spheres, point, to_light, sqrtf(dot(way, way)), count)) {
            brightness += (1 - kAmbient) * facing;
            shine = fmaxf(dot(reflected, to_light), 0.0f);  // its 16th power
            shine *= shine;
            shine *= shine;
            shine *= shine;
            shine *= shine;
        }
        if (bounce == bounces) mirror = 0;
        colour = colour + share * (1 - mirror) * (brightness * paint + 0.4f * shine * make_float3(1, 1, 1));
        if (mirror <= 0) break;
        share *= mirror;
        origin = point;
        direction = reflected;
    }
    picture[u64{py} * width + px] =
        channel(colour.x) | channel(colour.y) << 8 | channel(colour.z) << 16 | 0xFFu << 24;
}

extern "C" __global__ void render_memory(u32* picture, u32 width, u32 height, const Sphere* spheres,
                                         u32 count, u32 bounces) {
    trace(picture, width, height, spheres, count, bounces);
}
extern "C" __global__ void render_constant(u32* picture, u32 width, u32 height, u32 count, u32 bounces) {
    trace(picture, width, height, constant_spheres, count, bounces);
}

/// The reference: recursive, in double precision.
class Tracer {
  public:
    struct Vector {
        double x, y, z;
    };

    Tracer(std::vector<Sphere> scene, u32 width, u32 height, u32 bounces)
        : scene_(std::move(scene)), width_(width), height_(height), bounces_(bounces) {}

    /// The colour at a place of the picture, whose pixels have a width of 1.
    Vector at(double x, double y) const {
        const double scale = double{kZoom} / width_;
        const Vector forward{(x - width_ / 2.0) * scale, (height_ / 2.0 - y) * scale - double{kTilt}, 1};
        return colour({kEye[0], kEye[1], kEye[2]}, unit(forward), bounces_);
    }

  private:
    static double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    /// a + s b
    static Vector sum(const Vector& a, double s, const Vector& b) {
        return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    }
    static Vector unit(const Vector& a) { return sum({0, 0, 0}, 1 / std::sqrt(dot(a, a)), a); }

    /// The nearer root of |origin + t direction - centre| = radius, or infinity.
    static double meets(const Sphere& s, const Vector& origin, const Vector& direction) {
        const Vector from = sum(origin, -1, {s.x, s.y, s.z});
        const double a = dot(direction, direction), b = 2 * dot(from, direction);
        const double c = dot(from, from) - double{s.radius} * double{s.radius};
        const double discriminant = b * b - 4 * a * c;
        if (discriminant < 0) return kNever;
        const double t = (-b - std::sqrt(discriminant)) / (2 * a);
        return t > double{kNear} ? t : kNever;
    }

    Vector colour(const Vector& origin, const Vector& direction, u32 bounces) const {
        double t = direction.y < 0 ? -origin.y / direction.y : kNever;
        if (t <= double{kNear}) t = kNever;
        const Sphere* hit = nullptr;
        for (const Sphere& s : scene_)
            if (const double d = meets(s, origin, direction); d < t) {
                t = d;
                hit = &s;
            }
        if (t >= double{kFar}) {
            const double up = std::max(direction.y, 0.0);
            return {0.7 - 0.4 * up, 0.8 - 0.3 * up, 1};
        }
        const Vector point = sum(origin, t, direction);
        const bool light = (std::llround(std::floor(point.x)) + std::llround(std::floor(point.z))) % 2 == 0;
        Vector paint = light ? Vector{0.9, 0.9, 0.9} : Vector{0.15, 0.15, 0.2};
        Vector normal{0, 1, 0};
        double mirror = double{kPlaneMirror};
        if (hit != nullptr) {
            paint = {hit->red, hit->green, hit->blue};
            normal = unit(sum(point, -1, {hit->x, hit->y, hit->z}));
            mirror = double{hit->mirror};
        }
        const Vector reflected = sum(direction, -2 * dot(direction, normal), normal);
        const Vector way = sum({kLight[0], kLight[1], kLight[2]}, -1, point), to_light = unit(way);
        const double length = std::sqrt(dot(way, way)), facing = dot(normal, to_light);
        const bool lit = facing > 0 && std::none_of(scene_.begin(), scene_.end(), [&](const Sphere& s) {
                             return meets(s, point, to_light) < length;
                         });
        const double brightness = double{kAmbient} + (lit ? (1 - double{kAmbient}) * facing : 0);
        const double shine = lit ? 0.4 * std::pow(std::max(dot(reflected, to_light), 0.0), 16) : 0;
        const Vector own = sum({shine, shine, shine}, brightness, paint);
        if (bounces == 0 || mirror <= 0) return own;
        const Vector seen = colour(point, reflected, bounces - 1);
        return sum(sum({0, 0, 0}, 1 - mirror, own), mirror, seen);
    }

    static constexpr double kNever = 1e300;
    std::vector<Sphere> scene_;
    u32 width_, height_, bounces_;
};

u32 packed(const Tracer::Vector& colour) {
    u32 pixel = 0xFF;
    for (const double c : {colour.z, colour.y, colour.x})
        pixel = pixel << 8 | static_cast<u32>(std::lround(255 * std::min(c, 1.0)));
    return pixel;
}

/// Is each channel as far from the colour as rounding takes it, and at most one more?
bool similar(u32 pixel, const Tracer::Vector& colour) {
    const double channels[] = {colour.x, colour.y, colour.z};
    for (u32 i = 0; i < 3; ++i)
        if (std::fabs(static_cast<double>(pixel >> 8 * i & 0xFF) - 255 * std::min(channels[i], 1.0)) > 1.5)
            return false;
    return pixel >> 24 == 0xFF;
}

/// At an edge, rounding decides on which side a ray passes: a pixel may also have a colour from close by.
bool plausible(u32 pixel, const Tracer& tracer, double x, double y) {
    if (similar(pixel, tracer.at(x, y))) return true;
    for (const double by : {1e-3, 1e-2})
        for (const auto& [dx, dy] : {std::pair{by, 0.0}, {-by, 0.0}, {0.0, by}, {0.0, -by}})
            if (similar(pixel, tracer.at(x + dx, y + dy))) return true;
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("ray", "ray tracing", argc, argv);
    const bool constant =
        args.choice("scene", "where the spheres are stored", {"memory", "constant"}) == "constant";
    const u32 width = args.count("width", "width of the picture", Sizes<u32>{128, 480, 2048});
    const u32 height = args.count("height", "height of the picture", Sizes<u32>{96, 360, 1536});
    const u32 count = args.count("spheres", "spheres in the scene, at most 256", Sizes<u32>{6, 6, 6});
    const u32 bounces = args.count("bounces", "reflections to follow", Sizes<u32>{4, 4, 4}, 0u);
    args.done();
    if (count > kMostSpheres) args.fail("--spheres: at most 256");
    if (bounces > 100) args.fail("--bounces: at most 100");
    if (width > 32'768 || height > 32'768) args.fail("--width and --height: at most 32768");

    Random random(args.seed());
    std::vector<Sphere> scene(count);
    for (Sphere& s : scene) {
        s.radius = random.between(0.4f, 1);
        s.x = random.between(-3, 3);
        s.y = s.radius;  // it stands on the plane
        s.z = random.between(-1, 5);
        s.red = random.between(0.2f, 1);
        s.green = random.between(0.2f, 1);
        s.blue = random.between(0.2f, 1);
        s.mirror = random.between(0.2f, 0.7f);
    }
    DeviceArray<u32> d_picture(std::size_t{width} * height);
    DeviceArray<Sphere> d_scene(scene);
    const dim3 ctas(blocks(width, kWidth), blocks(height, kHeight)), threads(kWidth, kHeight);
    if (constant) {
        must(cudaMemcpyToSymbol(constant_spheres, scene.data(), scene.size() * sizeof(Sphere)));
        render_constant<<<ctas, threads>>>(d_picture.data(), width, height, count, bounces);
    } else {
        render_memory<<<ctas, threads>>>(d_picture.data(), width, height, d_scene.data(), count, bounces);
    }
    must(cudaGetLastError());

    std::printf("ray: %u x %u pixels, %u spheres\n", width, height, count);
    Verdict verdict("ray");
    const Tracer tracer(scene, width, height, bounces);
    const std::vector<u32> picture = d_picture.host();
    // Reflections enlarge errors: the rays of very few pixels end elsewhere.
    constexpr std::size_t kPixelsForOneAstray = 10'000;
    std::vector<std::pair<u32, u32>> astray;
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; ++x)
            if (plausible(picture[std::size_t{y} * width + x], tracer, x + 0.5, y + 0.5))
                verdict.holds("a pixel has its colour", true);
            else
                astray.emplace_back(x, y);
    if (astray.size() * kPixelsForOneAstray > picture.size())
        for (const auto& [x, y] : astray)
            verdict.equal("pixel (" + std::to_string(x) + ", " + std::to_string(y) + ")",
                          picture[std::size_t{y} * width + x], packed(tracer.at(x + 0.5, y + 0.5)));
    return verdict.exit_code();
}
