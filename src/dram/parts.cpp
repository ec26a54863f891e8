// Organisations and speed bins, as published simulators ship them. Sources: R1 = Ramulator 1 (214f635),
// R2 = Ramulator 2.1 (c5b1c3a), D3 = DRAMsim3 (2981759), GS = GPGPU-Sim tested configurations.

#include "dram/parts.h"

#include <array>

namespace heddle::dram {

namespace {

using P = Param;

// Activate windows of DDR speed bins are those of x8 devices, so only these stand here.
// Density of a device or HBM channel in Mbit; columns are counted in data-bus widths of the device.
constexpr Part kParts[] = {
    // name, standard, density, pins, channels/device, pseudo, ranks, groups, banks, rows, columns, bus, burst
    {"ddr3_1gb_x8", "ddr3", 1024, 8, 1, 1, 1, 1, 8, 16384, 1024, 64, 8, "R2 ddr3.py"},
    {"ddr3_2gb_x8", "ddr3", 2048, 8, 1, 1, 1, 1, 8, 32768, 1024, 64, 8, "R2 ddr3.py"},
    {"ddr3_4gb_x8", "ddr3", 4096, 8, 1, 1, 1, 1, 8, 65536, 1024, 64, 8, "R2 ddr3.py"},
    {"ddr3_8gb_x8", "ddr3", 8192, 8, 1, 1, 1, 1, 8, 131072, 1024, 64, 8, "R2 ddr3.py"},
    {"ddr4_4gb_x8", "ddr4", 4096, 8, 1, 1, 1, 4, 4, 32768, 1024, 64, 8, "R2 ddr4.py"},
    {"ddr4_8gb_x8", "ddr4", 8192, 8, 1, 1, 1, 4, 4, 65536, 1024, 64, 8, "R2 ddr4.py"},
    {"ddr4_16gb_x8", "ddr4", 16384, 8, 1, 1, 1, 4, 4, 131072, 1024, 64, 8, "R2 ddr4.py"},
    {"ddr5_8gb_x8", "ddr5", 8192, 8, 1, 1, 1, 8, 2, 65536, 1024, 32, 16, "R2 ddr5.py"},
    {"ddr5_16gb_x8", "ddr5", 16384, 8, 1, 1, 1, 8, 4, 65536, 1024, 32, 16, "R2 ddr5.py"},
    {"ddr5_32gb_x8", "ddr5", 32768, 8, 1, 1, 1, 8, 4, 131072, 1024, 32, 16, "R2 ddr5.py"},
    {"gddr5_1gb_x32", "gddr5", 1024, 32, 1, 1, 1, 4, 4, 4096, 512, 32, 8, "R1 GDDR5.cpp; Hynix H5GQ1H24AFR"},
    {"gddr5_2gb_x32", "gddr5", 2048, 32, 1, 1, 1, 4, 4, 8192, 512, 32, 8, "R1 GDDR5.cpp"},
    {"gddr5_4gb_x32", "gddr5", 4096, 32, 1, 1, 1, 4, 4, 16384, 512, 32, 8, "R1 GDDR5.cpp"},
    {"gddr5_8gb_x32", "gddr5", 8192, 32, 1, 1, 1, 4, 4, 16384, 1024, 32, 8, "R1 GDDR5.cpp"},
    {"gddr6_8gb_x16", "gddr6", 8192, 16, 2, 1, 1, 4, 4, 16384, 1024, 16, 16, "R2 gddr6.py"},
    {"gddr6_16gb_x16", "gddr6", 16384, 16, 2, 1, 1, 4, 4, 16384, 2048, 16, 16, "R2 gddr6.py"},
    {"gddr6_32gb_x16", "gddr6", 32768, 16, 2, 1, 1, 4, 4, 32768, 2048, 16, 16, "R2 gddr6.py"},
    {"hbm2_4gb", "hbm2", 4096, 64, 1, 2, 1, 4, 4, 16384, 128, 64, 4, "R2 hbm2.py, rows for the density"},
    {"hbm2_8gb", "hbm2", 8192, 64, 1, 2, 1, 4, 4, 32768, 128, 64, 4, "R2 hbm2.py, rows for the density"},
    {"hbm2e_8gb", "hbm2e", 8192, 64, 1, 2, 1, 4, 4, 32768, 128, 64, 4, "as HBM2"},
    {"hbm2e_16gb", "hbm2e", 16384, 64, 1, 2, 1, 4, 4, 65536, 128, 64, 4, "as HBM2, twice the rows"},
    {"hbm3_4gb", "hbm3", 4096, 32, 1, 2, 1, 4, 4, 16384, 256, 32, 8, "R2 hbm3.py"},
    {"hbm3_8gb_8hi", "hbm3", 8192, 32, 1, 2, 2, 4, 4, 16384, 256, 32, 8, "R2 hbm3.py, rows for the density"},
    {"hbm3_16gb_8hi", "hbm3", 16384, 32, 1, 2, 2, 4, 4, 32768, 256, 32, 8,
     "R2 hbm3.py, rows for the density"},
    {"hbm3_32gb_16hi", "hbm3", 32768, 32, 1, 2, 4, 4, 4, 32768, 256, 32, 8, "R2 hbm3.py"},
    {"lpddr5_8gb_x16", "lpddr5", 8192, 16, 1, 1, 1, 4, 4, 32768, 1024, 16, 16, "R2 lpddr5.py"},
    {"lpddr5_16gb_x16", "lpddr5", 16384, 16, 1, 1, 1, 4, 4, 65536, 1024, 16, 16, "R2 lpddr5.py"},
};

constexpr std::pair<P, u32> kDdr31066f[] = {{P::BL, 4},    {P::CL, 7},   {P::CWL, 6},  {P::RCDRD, 7},
                                            {P::RCDWR, 7}, {P::RP, 7},   {P::RAS, 20}, {P::RC, 27},
                                            {P::RTP, 4},   {P::WR, 8},   {P::CCDS, 4}, {P::RRDS, 4},
                                            {P::FAW, 20},  {P::WTRS, 4}, {P::CS, 2},   {P::REFI, 4160}};
constexpr std::pair<P, u32> kDdr31333h[] = {{P::BL, 4},    {P::CL, 9},   {P::CWL, 7},  {P::RCDRD, 9},
                                            {P::RCDWR, 9}, {P::RP, 9},   {P::RAS, 24}, {P::RC, 33},
                                            {P::RTP, 5},   {P::WR, 10},  {P::CCDS, 4}, {P::RRDS, 4},
                                            {P::FAW, 20},  {P::WTRS, 5}, {P::CS, 2},   {P::REFI, 5200}};
constexpr std::pair<P, u32> kDdr31600k[] = {{P::BL, 4},     {P::CL, 11},  {P::CWL, 8},  {P::RCDRD, 11},
                                            {P::RCDWR, 11}, {P::RP, 11},  {P::RAS, 28}, {P::RC, 39},
                                            {P::RTP, 6},    {P::WR, 12},  {P::CCDS, 4}, {P::RRDS, 5},
                                            {P::FAW, 24},   {P::WTRS, 6}, {P::CS, 2},   {P::REFI, 6240}};
constexpr std::pair<P, u32> kDdr31866l[] = {{P::BL, 4},     {P::CL, 12},  {P::CWL, 9},  {P::RCDRD, 12},
                                            {P::RCDWR, 12}, {P::RP, 12},  {P::RAS, 32}, {P::RC, 44},
                                            {P::RTP, 7},    {P::WR, 14},  {P::CCDS, 4}, {P::RRDS, 5},
                                            {P::FAW, 26},   {P::WTRS, 7}, {P::CS, 2},   {P::REFI, 7283}};
constexpr std::pair<P, u32> kDdr32133m[] = {{P::BL, 4},     {P::CL, 13},  {P::CWL, 10}, {P::RCDRD, 13},
                                            {P::RCDWR, 13}, {P::RP, 13},  {P::RAS, 36}, {P::RC, 49},
                                            {P::RTP, 8},    {P::WR, 16},  {P::CCDS, 4}, {P::RRDS, 6},
                                            {P::FAW, 27},   {P::WTRS, 8}, {P::CS, 2},   {P::REFI, 8325}};
constexpr std::pair<P, u32> kDdr42133p[] = {
    {P::BL, 4},   {P::CL, 15},  {P::CWL, 11}, {P::RCDRD, 15}, {P::RCDWR, 15}, {P::RP, 15},  {P::RAS, 36},
    {P::RC, 51},  {P::RTP, 8},  {P::WR, 16},  {P::CCDS, 4},   {P::CCDL, 6},   {P::RRDS, 4}, {P::RRDL, 6},
    {P::FAW, 23}, {P::WTRS, 3}, {P::WTRL, 8}, {P::CS, 2},     {P::REFI, 8325}};
constexpr std::pair<P, u32> kDdr42400r[] = {
    {P::BL, 4},   {P::CL, 16},  {P::CWL, 12}, {P::RCDRD, 16}, {P::RCDWR, 16}, {P::RP, 16},  {P::RAS, 39},
    {P::RC, 55},  {P::RTP, 9},  {P::WR, 18},  {P::CCDS, 4},   {P::CCDL, 6},   {P::RRDS, 4}, {P::RRDL, 6},
    {P::FAW, 26}, {P::WTRS, 3}, {P::WTRL, 9}, {P::CS, 2},     {P::REFI, 9364}};
constexpr std::pair<P, u32> kDdr42666u[] = {
    {P::BL, 4},   {P::CL, 18},  {P::CWL, 14},  {P::RCDRD, 18}, {P::RCDWR, 18},  {P::RP, 18},  {P::RAS, 43},
    {P::RC, 61},  {P::RTP, 10}, {P::WR, 20},   {P::CCDS, 4},   {P::CCDL, 7},    {P::RRDS, 4}, {P::RRDL, 7},
    {P::FAW, 28}, {P::WTRS, 4}, {P::WTRL, 10}, {P::CS, 2},     {P::REFI, 10400}};
constexpr std::pair<P, u32> kDdr42933y[] = {
    {P::BL, 4},   {P::CL, 21},  {P::CWL, 16},  {P::RCDRD, 21}, {P::RCDWR, 21},  {P::RP, 21},  {P::RAS, 47},
    {P::RC, 68},  {P::RTP, 11}, {P::WR, 22},   {P::CCDS, 4},   {P::CCDL, 8},    {P::RRDS, 4}, {P::RRDL, 8},
    {P::FAW, 31}, {P::WTRS, 4}, {P::WTRL, 11}, {P::CS, 2},     {P::REFI, 11437}};
constexpr std::pair<P, u32> kDdr43200aa[] = {
    {P::BL, 4},   {P::CL, 22},  {P::CWL, 16},  {P::RCDRD, 22}, {P::RCDWR, 22},  {P::RP, 22},  {P::RAS, 52},
    {P::RC, 74},  {P::RTP, 12}, {P::WR, 24},   {P::CCDS, 4},   {P::CCDL, 8},    {P::RRDS, 4}, {P::RRDL, 8},
    {P::FAW, 34}, {P::WTRS, 4}, {P::WTRL, 12}, {P::CS, 2},     {P::REFI, 12480}};
constexpr std::pair<P, u32> kDdr53200bn[] = {
    {P::BL, 8},      {P::CL, 26},      {P::CWL, 24}, {P::RCDRD, 26},  {P::RCDWR, 26}, {P::RP, 26},
    {P::RAS, 52},    {P::RC, 78},      {P::RTP, 12}, {P::WR, 48},     {P::CCDS, 8},   {P::CCDL, 8},
    {P::CCDS_WR, 8}, {P::CCDL_WR, 32}, {P::RRDS, 8}, {P::RRDL, 5},    {P::FAW, 32},   {P::WTRS, 6},
    {P::WTRL, 16},   {P::CS, 2},       {P::PPD, 2},  {P::REFI, 6240}, {P::RREFD, 48}};
constexpr std::pair<P, u32> kDdr54800bn[] = {
    {P::BL, 8},      {P::CL, 36},      {P::CWL, 34}, {P::RCDRD, 36},  {P::RCDWR, 36}, {P::RP, 36},
    {P::RAS, 77},    {P::RC, 113},     {P::RTP, 18}, {P::WR, 72},     {P::CCDS, 8},   {P::CCDL, 12},
    {P::CCDS_WR, 8}, {P::CCDL_WR, 48}, {P::RRDS, 8}, {P::RRDL, 12},   {P::FAW, 48},   {P::WTRS, 6},
    {P::WTRL, 24},   {P::CS, 2},       {P::PPD, 2},  {P::REFI, 9375}, {P::RREFD, 72}};
constexpr std::pair<P, u32> kDdr55600an[] = {
    {P::BL, 8},      {P::CL, 40},      {P::CWL, 38},  {P::RCDRD, 40},   {P::RCDWR, 40}, {P::RP, 40},
    {P::RAS, 90},    {P::RC, 130},     {P::RTP, 20},  {P::WR, 84},      {P::CCDS, 8},   {P::CCDL, 12},
    {P::CCDS_WR, 8}, {P::CCDL_WR, 56}, {P::RRDS, 14}, {P::RRDL, 14},    {P::FAW, 56},   {P::WTRS, 5},
    {P::WTRL, 28},   {P::CS, 2},       {P::PPD, 2},   {P::REFI, 10925}, {P::RREFD, 84}};
constexpr std::pair<P, u32> kDdr56400an[] = {
    {P::BL, 8},      {P::CL, 46},      {P::CWL, 44},  {P::RCDRD, 46},   {P::RCDWR, 46}, {P::RP, 46},
    {P::RAS, 103},   {P::RC, 149},     {P::RTP, 24},  {P::WR, 96},      {P::CCDS, 8},   {P::CCDL, 16},
    {P::CCDS_WR, 8}, {P::CCDL_WR, 64}, {P::RRDS, 16}, {P::RRDL, 16},    {P::FAW, 64},   {P::WTRS, 5},
    {P::WTRL, 32},   {P::CS, 2},       {P::PPD, 2},   {P::REFI, 12500}, {P::RREFD, 96}};
constexpr std::pair<P, u32> kGddr54000[] = {
    {P::BL, 2},   {P::CL, 12},     {P::CWL, 3},  {P::RCDRD, 12}, {P::RCDWR, 10}, {P::RP, 12},
    {P::RAS, 28}, {P::RC, 40},     {P::RTP, 2},  {P::WR, 12},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 6}, {P::RRDL, 6},    {P::FAW, 23}, {P::AW32, 184}, {P::WTRS, 5},   {P::WTRL, 5},
    {P::PPD, 1},  {P::REFI, 3900}, {P::RREFD, 6}};
constexpr std::pair<P, u32> kGddr54500[] = {
    {P::BL, 2},   {P::CL, 14},     {P::CWL, 4},  {P::RCDRD, 14}, {P::RCDWR, 12}, {P::RP, 14},
    {P::RAS, 32}, {P::RC, 46},     {P::RTP, 2},  {P::WR, 14},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 7}, {P::RRDL, 7},    {P::FAW, 26}, {P::AW32, 207}, {P::WTRS, 6},   {P::WTRL, 6},
    {P::PPD, 2},  {P::REFI, 4388}, {P::RREFD, 7}};
constexpr std::pair<P, u32> kGddr55000[] = {
    {P::BL, 2},   {P::CL, 15},     {P::CWL, 4},  {P::RCDRD, 15}, {P::RCDWR, 13}, {P::RP, 15},
    {P::RAS, 35}, {P::RC, 50},     {P::RTP, 2},  {P::WR, 15},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 7}, {P::RRDL, 7},    {P::FAW, 29}, {P::AW32, 230}, {P::WTRS, 7},   {P::WTRL, 7},
    {P::PPD, 2},  {P::REFI, 4875}, {P::RREFD, 7}};
constexpr std::pair<P, u32> kGddr55500[] = {
    {P::BL, 2},   {P::CL, 17},     {P::CWL, 5},  {P::RCDRD, 17}, {P::RCDWR, 14}, {P::RP, 17},
    {P::RAS, 39}, {P::RC, 56},     {P::RTP, 2},  {P::WR, 17},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 8}, {P::RRDL, 8},    {P::FAW, 32}, {P::AW32, 253}, {P::WTRS, 7},   {P::WTRL, 7},
    {P::PPD, 2},  {P::REFI, 5363}, {P::RREFD, 8}};
constexpr std::pair<P, u32> kGddr56000[] = {
    {P::BL, 2},   {P::CL, 18},     {P::CWL, 5},  {P::RCDRD, 18}, {P::RCDWR, 15}, {P::RP, 18},
    {P::RAS, 42}, {P::RC, 60},     {P::RTP, 2},  {P::WR, 18},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 9}, {P::RRDL, 9},    {P::FAW, 35}, {P::AW32, 276}, {P::WTRS, 8},   {P::WTRL, 8},
    {P::PPD, 2},  {P::REFI, 5850}, {P::RREFD, 9}};
constexpr std::pair<P, u32> kGddr56500[] = {
    {P::BL, 2},   {P::CL, 20},     {P::CWL, 5},  {P::RCDRD, 20}, {P::RCDWR, 17}, {P::RP, 20},
    {P::RAS, 46}, {P::RC, 66},     {P::RTP, 2},  {P::WR, 20},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 9}, {P::RRDL, 9},    {P::FAW, 38}, {P::AW32, 299}, {P::WTRS, 9},   {P::WTRL, 9},
    {P::PPD, 2},  {P::REFI, 6338}, {P::RREFD, 9}};
constexpr std::pair<P, u32> kGddr57000[] = {
    {P::BL, 2},    {P::CL, 21},     {P::CWL, 6},   {P::RCDRD, 21}, {P::RCDWR, 18}, {P::RP, 21},
    {P::RAS, 49},  {P::RC, 70},     {P::RTP, 2},   {P::WR, 21},    {P::CCDS, 2},   {P::CCDL, 3},
    {P::RRDS, 10}, {P::RRDL, 10},   {P::FAW, 41},  {P::AW32, 322}, {P::WTRS, 9},   {P::WTRL, 9},
    {P::PPD, 2},   {P::REFI, 6825}, {P::RREFD, 10}};
constexpr std::pair<P, u32> kGddr6140001350mv[] = {
    {P::BL, 2},   {P::CL, 24},  {P::CWL, 6},   {P::RCDRD, 27}, {P::RCDWR, 16},  {P::RP, 27},   {P::RAS, 53},
    {P::RC, 79},  {P::RTP, 4},  {P::WR, 27},   {P::CCDS, 2},   {P::CCDL, 4},    {P::RRDS, 8},  {P::RRDL, 8},
    {P::FAW, 29}, {P::WTRS, 9}, {P::WTRL, 11}, {P::PPD, 1},    {P::REFI, 3333}, {P::RREFD, 15}};
constexpr std::pair<P, u32> kGddr6140001250mv[] = {
    {P::BL, 2},   {P::CL, 24},  {P::CWL, 6},   {P::RCDRD, 30}, {P::RCDWR, 20},  {P::RP, 30},   {P::RAS, 60},
    {P::RC, 90},  {P::RTP, 4},  {P::WR, 30},   {P::CCDS, 2},   {P::CCDL, 4},    {P::RRDS, 11}, {P::RRDL, 11},
    {P::FAW, 43}, {P::WTRS, 9}, {P::WTRL, 11}, {P::PPD, 2},    {P::REFI, 3333}, {P::RREFD, 22}};
constexpr std::pair<P, u32> kHbm21600[] = {
    {P::BL, 2},   {P::CL, 10},  {P::CWL, 4},  {P::RCDRD, 10},  {P::RCDWR, 8}, {P::RP, 10},  {P::RAS, 24},
    {P::RC, 34},  {P::RTP, 4},  {P::WR, 12},  {P::CCDS, 2},    {P::CCDL, 4},  {P::RRDS, 4}, {P::RRDL, 4},
    {P::FAW, 12}, {P::WTRS, 5}, {P::WTRL, 6}, {P::REFI, 3120}, {P::RREFD, 7}};
constexpr std::pair<P, u32> kHbm22000[] = {
    {P::BL, 2},   {P::CL, 14},  {P::CWL, 5},  {P::RCDRD, 14},  {P::RCDWR, 12}, {P::RP, 14},  {P::RAS, 34},
    {P::RC, 48},  {P::RTP, 5},  {P::WR, 16},  {P::CCDS, 2},    {P::CCDL, 4},   {P::RRDS, 4}, {P::RRDL, 4},
    {P::FAW, 15}, {P::WTRS, 6}, {P::WTRL, 8}, {P::REFI, 3900}, {P::RREFD, 8}};
constexpr std::pair<P, u32> kHbm22400[] = {
    {P::BL, 2},   {P::CL, 17},  {P::CWL, 6},   {P::RCDRD, 17},  {P::RCDWR, 14}, {P::RP, 17},  {P::RAS, 40},
    {P::RC, 57},  {P::RTP, 6},  {P::WR, 19},   {P::CCDS, 2},    {P::CCDL, 4},   {P::RRDS, 5}, {P::RRDL, 5},
    {P::FAW, 19}, {P::WTRS, 8}, {P::WTRL, 10}, {P::REFI, 4682}, {P::RREFD, 10}};
constexpr std::pair<P, u32> kHbm2e3200[] = {
    {P::BL, 2},   {P::CL, 23},   {P::CWL, 8},   {P::RCDRD, 23},  {P::RCDWR, 20}, {P::RP, 23},  {P::RAS, 55},
    {P::RC, 77},  {P::RTP, 8},   {P::WR, 26},   {P::CCDS, 2},    {P::CCDL, 4},   {P::RRDS, 7}, {P::RRDL, 7},
    {P::FAW, 24}, {P::WTRS, 10}, {P::WTRL, 13}, {P::REFI, 6240}, {P::RREFD, 13}};
constexpr std::pair<P, u32> kHbm2e3600[] = {
    {P::BL, 2},   {P::CL, 26},   {P::CWL, 9},   {P::RCDRD, 26},  {P::RCDWR, 22}, {P::RP, 26},  {P::RAS, 62},
    {P::RC, 87},  {P::RTP, 9},   {P::WR, 29},   {P::CCDS, 2},    {P::CCDL, 4},   {P::RRDS, 8}, {P::RRDL, 8},
    {P::FAW, 27}, {P::WTRS, 11}, {P::WTRL, 15}, {P::REFI, 7020}, {P::RREFD, 15}};
constexpr std::pair<P, u32> kHbm36400[] = {
    {P::BL, 2},   {P::CL, 20},  {P::CWL, 10},    {P::RCDRD, 31}, {P::RCDWR, 15}, {P::RP, 26},
    {P::RAS, 45}, {P::RC, 72},  {P::RTP, 9},     {P::WR, 33},    {P::CCDS, 2},   {P::CCDL, 4},
    {P::CCDR, 3}, {P::RRDS, 4}, {P::RRDL, 5},    {P::FAW, 24},   {P::WTRS, 7},   {P::WTRL, 10},
    {P::RTW, 20}, {P::PPD, 2},  {P::REFI, 6240}, {P::RREFD, 8}};
constexpr std::pair<P, u32> kLpddr56400[] = {
    {P::BL, 2},      {P::CL, 17},     {P::CWL, 9},  {P::RCDRD, 15},  {P::RCDWR, 15}, {P::RP, 15},
    {P::RAS, 34},    {P::RC, 49},     {P::RTP, 8},  {P::WR, 28},     {P::CCDS, 2},   {P::CCDL, 4},
    {P::CCDS_WR, 2}, {P::CCDL_WR, 4}, {P::RRDS, 4}, {P::RRDL, 4},    {P::FAW, 16},   {P::WTRS, 5},
    {P::WTRL, 10},   {P::CS, 2},      {P::PPD, 2},  {P::REFI, 3125}, {P::RREFD, 6},  {P::PBR, 72}};

constexpr SpeedBin kSpeedBins[] = {
    {"ddr3_1066f", "ddr3", 533333333, 1066, kDdr31066f, "R2 ddr3.py (x8)"},
    {"ddr3_1333h", "ddr3", 666666667, 1333, kDdr31333h, "R2 ddr3.py (x8)"},
    {"ddr3_1600k", "ddr3", 800000000, 1600, kDdr31600k, "R2 ddr3.py (x8)"},
    {"ddr3_1866l", "ddr3", 933333333, 1866, kDdr31866l, "R2 ddr3.py (x8)"},
    {"ddr3_2133m", "ddr3", 1066666667, 2133, kDdr32133m, "R2 ddr3.py (x8)"},
    {"ddr4_2133p", "ddr4", 1066666667, 2133, kDdr42133p, "R2 ddr4.py (x8)"},
    {"ddr4_2400r", "ddr4", 1200000000, 2400, kDdr42400r, "R2 ddr4.py (x8)"},
    {"ddr4_2666u", "ddr4", 1333333333, 2666, kDdr42666u, "R2 ddr4.py (x8)"},
    {"ddr4_2933y", "ddr4", 1466666667, 2933, kDdr42933y, "R2 ddr4.py (x8)"},
    {"ddr4_3200aa", "ddr4", 1600000000, 3200, kDdr43200aa, "R2 ddr4.py (x8)"},
    {"ddr5_3200bn", "ddr5", 1600000000, 3200, kDdr53200bn, "R2 ddr5.py (x8); tREFSBRD 30 ns, JESD79-5"},
    {"ddr5_4800bn", "ddr5", 2400000000, 4800, kDdr54800bn, "R2 ddr5.py (x8); tREFSBRD 30 ns, JESD79-5"},
    {"ddr5_5600an", "ddr5", 2800000000, 5600, kDdr55600an, "R2 ddr5.py (x8); tREFSBRD 30 ns, JESD79-5"},
    {"ddr5_6400an", "ddr5", 3200000000, 6400, kDdr56400an, "R2 ddr5.py (x8); tREFSBRD 30 ns, JESD79-5"},
    {"gddr5_4000", "gddr5", 1000000000, 4000, kGddr54000, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_4500", "gddr5", 1125000000, 4500, kGddr54500, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_5000", "gddr5", 1250000000, 5000, kGddr55000, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_5500", "gddr5", 1375000000, 5500, kGddr55500, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_6000", "gddr5", 1500000000, 6000, kGddr56000, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_6500", "gddr5", 1625000000, 6500, kGddr56500, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr5_7000", "gddr5", 1750000000, 7000, kGddr57000, "R1 GDDR5.cpp; RREFD as RRD"},
    {"gddr6_14000_1350mv", "gddr6", 1754385965, 14000, kGddr6140001350mv, "R2 gddr6.py (tCK 570 ps)"},
    {"gddr6_14000_1250mv", "gddr6", 1754385965, 14000, kGddr6140001250mv, "R2 gddr6.py (tCK 570 ps)"},
    {"hbm2_1600", "hbm2", 800000000, 1600, kHbm21600, "R2 hbm2.py"},
    {"hbm2_2000", "hbm2", 1000000000, 2000, kHbm22000, "R2 hbm2.py"},
    {"hbm2_2400", "hbm2", 1200000000, 2400, kHbm22400, "R2 hbm2.py"},
    {"hbm2e_3200", "hbm2e", 1600000000, 3200, kHbm2e3200, "estimate: the times of HBM2 2 Gb/s at this clock"},
    {"hbm2e_3600", "hbm2e", 1800000000, 3600, kHbm2e3600, "estimate: the times of HBM2 2 Gb/s at this clock"},
    {"hbm3_6400", "hbm3", 1600000000, 6400, kHbm36400, "R2 hbm3.py"},
    {"lpddr5_6400", "lpddr5", 800000000, 6400, kLpddr56400, "R2 lpddr5.py"},
};

// All-bank, one-bank and same-bank refresh by density.
constexpr RefreshTime kRefreshTimes[] = {
    {"ddr3", P::RFC, 1024, 110000},      {"ddr3", P::RFC, 2048, 160000},
    {"ddr3", P::RFC, 4096, 260000},      {"ddr3", P::RFC, 8192, 350000},
    {"ddr4", P::RFC, 4096, 260000},      {"ddr4", P::RFC, 8192, 360000},
    {"ddr4", P::RFC, 16384, 550000},     {"ddr5", P::RFC, 8192, 195000},
    {"ddr5", P::RFCsb, 8192, 115000},    {"ddr5", P::RFC, 16384, 295000},
    {"ddr5", P::RFCsb, 16384, 130000},   {"ddr5", P::RFC, 32768, 410000},
    {"ddr5", P::RFCsb, 32768, 190000},   {"gddr5", P::RFC, 1024, 110000},
    {"gddr5", P::RFCpb, 1024, 60000},    {"gddr5", P::RFC, 2048, 160000},
    {"gddr5", P::RFCpb, 2048, 80000},    {"gddr5", P::RFC, 4096, 260000},
    {"gddr5", P::RFCpb, 4096, 130000},   {"gddr5", P::RFC, 8192, 350000},
    {"gddr5", P::RFCpb, 8192, 180000},   {"gddr6", P::RFC, 8192, 120270},
    {"gddr6", P::RFCpb, 8192, 60420},    {"gddr6", P::RFC, 16384, 120270},
    {"gddr6", P::RFCpb, 16384, 60420},   {"gddr6", P::RFC, 32768, 120270},
    {"gddr6", P::RFCpb, 32768, 60420},   {"hbm2", P::RFC, 1024, 110000},
    {"hbm2", P::RFCpb, 1024, 160000},    {"hbm2", P::RFC, 2048, 160000},
    {"hbm2", P::RFCpb, 2048, 160000},    {"hbm2", P::RFC, 4096, 260000},
    {"hbm2", P::RFCpb, 4096, 160000},    {"hbm2", P::RFC, 8192, 350000},
    {"hbm2", P::RFCpb, 8192, 160000},    {"hbm2e", P::RFC, 8192, 350000},
    {"hbm2e", P::RFCpb, 8192, 160000},   {"hbm2e", P::RFC, 16384, 350000},
    {"hbm2e", P::RFCpb, 16384, 160000},  {"hbm3", P::RFC, 4096, 260000},
    {"hbm3", P::RFCpb, 4096, 200000},    {"hbm3", P::RFC, 8192, 260000},
    {"hbm3", P::RFCpb, 8192, 200000},    {"hbm3", P::RFC, 16384, 350000},
    {"hbm3", P::RFCpb, 16384, 200000},   {"hbm3", P::RFC, 32768, 350000},
    {"hbm3", P::RFCpb, 32768, 200000},   {"lpddr5", P::RFC, 8192, 210000},
    {"lpddr5", P::RFCpb, 8192, 120000},  {"lpddr5", P::RFC, 16384, 280000},
    {"lpddr5", P::RFCpb, 16384, 140000},
};

}  // namespace

std::span<const Part> parts() {
    return kParts;
}
std::span<const SpeedBin> speed_bins() {
    return kSpeedBins;
}
std::span<const RefreshTime> refresh_times() {
    return kRefreshTimes;
}

}  // namespace heddle::dram
