// A small simulator that writes traces the way ns-3's LTE module and its forks do.
//
// Six trace files, one record in each per simulated millisecond. In the mode "reopen" (the default) the
// first record truncates the file and writes the header; every later one opens the file for appending,
// writes one line with std::endl, and closes it. The other modes are what a patch of the simulator's source
// would do instead: "flush" keeps the files open and still flushes every record (std::endl), "buffered" keeps
// them open and does not. All three write the same bytes, and the same on every run.
//
//     simulator [--mode reopen|flush|buffered] [--records N]      (N in all, default 60000)

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

namespace
{

enum class Mode { reopen, flush, buffered };

// The pseudo-random numbers of the simulated radio: the same everywhere (Knuth's MMIX generator).
class Radio
{
  public:
    unsigned below(unsigned limit)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<unsigned>(state >> 33) % limit;
    }

  private:
    std::uint64_t state = 20;
};

// One trace file: what it is called, its header, and how it is kept open or not.
class Trace
{
  public:
    Trace(const char *name, const char *header, Mode mode) : name(name), header(header), mode(mode)
    {
    }

    // begin() gives the stream for one record, end() finishes the record.
    std::ofstream &begin()
    {
        if (fresh) {
            stream.open(name);
            require("open");
            stream << header;
            if (mode == Mode::buffered)
                stream << '\n';
            else
                stream << std::endl;
            fresh = false;
        } else if (mode == Mode::reopen) {
            stream.open(name, std::ios_base::app);
            require("open");
        }
        return stream;
    }

    void end()
    {
        if (mode == Mode::buffered)
            stream << '\n';
        else
            stream << std::endl;
        require("write");
        if (mode == Mode::reopen)
            finish();
    }

    void finish()
    {
        if (stream.is_open())
            stream.close();
        require("close");
    }

  private:
    void require(const char *what)
    {
        if (!stream) {
            std::cerr << "simulator: cannot " << what << " " << name << ": " << std::strerror(errno) << "\n";
            std::exit(1);
        }
    }

    const char *name;
    const char *header;
    Mode mode;
    bool fresh = true;
    std::ofstream stream;
};

void mac_record(Trace &trace, Radio &radio, unsigned ms, bool downlink)
{
    unsigned user = radio.below(8) + 1;
    std::ofstream &out = trace.begin();
    out << ms / 1000.0 << "\t" << user % 2 + 1 << "\t" << user << "\t" << ms / 10 + 1 << "\t" << ms % 10 + 1 << "\t"
        << (user + 1) / 2 << "\t" << radio.below(29) << "\t" << radio.below(2196);
    if (downlink)
        out << "\t0\t0";
    out << "\t0";
    trace.end();
}

void bearer_record(Trace &trace, Radio &radio, unsigned ms)
{
    unsigned user = radio.below(8) + 1;
    unsigned sent = radio.below(5), size = 30 + radio.below(1400);
    double delay = 0.003 + radio.below(1000) / 1e6;
    std::ofstream &out = trace.begin();
    out << ms / 1000.0 << "\t" << (ms + 1) / 1000.0 << "\t" << user % 2 + 1 << "\t" << user << "\t" << (user + 1) / 2
        << "\t3\t" << sent << "\t" << sent * size << "\t" << sent << "\t" << sent * size << "\t" << delay << "\t0\t"
        << delay << "\t" << delay << "\t" << size << "\t0\t" << size << "\t" << size;
    trace.end();
}

[[noreturn]] void usage()
{
    std::cerr << "usage: simulator [--mode reopen|flush|buffered] [--records N]\n";
    std::exit(2);
}

} // namespace

int main(int argc, char **argv)
{
    Mode mode = Mode::reopen;
    unsigned long records = 60000;
    for (int i = 1; i < argc; i += 2) {
        std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        char *rest = nullptr;
        if (option == "--mode" && value == "reopen")
            mode = Mode::reopen;
        else if (option == "--mode" && value == "flush")
            mode = Mode::flush;
        else if (option == "--mode" && value == "buffered")
            mode = Mode::buffered;
        else if (option == "--records" && (records = std::strtoul(value.c_str(), &rest, 10)) > 0 && !*rest)
            continue;
        else
            usage();
    }

    const char *dl_mac = "% time\tcellId\tIMSI\tframe\tsframe\tRNTI\tmcsTb1\tsizeTb1\tmcsTb2\tsizeTb2\tccId";
    const char *ul_mac = "% time\tcellId\tIMSI\tframe\tsframe\tRNTI\tmcs\tsize\tccId";
    const char *bearer = "% "
                         "start\tend\tCellId\tIMSI\tRNTI\tLCID\tnTxPDUs\tTxBytes\tnRxPDUs\tRxBytes\tdelay\tstdDev\t"
                         "min\tmax\tPduSize\tstdDev\tmin\tmax";
    Trace traces[] = {
        {"DlMacStats.txt", dl_mac, mode}, {"UlMacStats.txt", ul_mac, mode},  {"DlRlcStats.txt", bearer, mode},
        {"UlRlcStats.txt", bearer, mode}, {"DlPdcpStats.txt", bearer, mode}, {"UlPdcpStats.txt", bearer, mode},
    };

    Radio radio;
    for (unsigned long record = 0; record < records; record++) {
        unsigned ms = static_cast<unsigned>(record / 6), which = static_cast<unsigned>(record % 6);
        if (which < 2)
            mac_record(traces[which], radio, ms, which == 0);
        else
            bearer_record(traces[which], radio, ms);
    }
    for (Trace &trace : traces)
        trace.finish();
    return 0;
}
