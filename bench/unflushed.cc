// A peer to measure against, not a part of the shim: what a patch of ns-3's source that stops flushing would
// give. Preloaded, it makes std::endl and std::ostream::flush() write and flush nothing, so that a stream that stays
// open writes when its buffer is full or it is closed. Whatever is in that buffer dies with the process.

#include <ostream>

// By their mangled names, since the templates are already instantiated in libstdc++.
extern "C" std::ostream *_ZNSo5flushEv(std::ostream *out)
{
    return out;
}

extern "C" std::ostream *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(std::ostream *out)
{
    out->put('\n');
    return out;
}
