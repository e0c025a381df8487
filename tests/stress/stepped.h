/* How a stepped program talks to its stepper (stepper.c): a breakpoint instruction with a magic number in one register and what
 * it says in another; the stepper may answer in that one. The magic is gone at once, so that no other breakpoint has it. */
#ifndef STRESS_STEPPED_H
#define STRESS_STEPPED_H

#define STEP_MAGIC 0x7374657070656421

enum step_says {
    STEP_BEGIN = 1, /* from here on step; answered with 1 when everything was seen and the program should end */
    STEP_END,       /* the call that is stepped is over */
    STEP_HANDLER,   /* a handler begins: run it at full speed */
    STEP_HANDLED    /* it ends */
};

static inline long step_mark(enum step_says what)
{
#if defined __x86_64__
    register long magic __asm__("rsi") = STEP_MAGIC;
    register long said __asm__("rdi") = what;
    __asm__ volatile("int3; xor %%esi, %%esi" : "+r"(said), "+r"(magic) : : "memory", "cc");
#elif defined __aarch64__
    register long magic __asm__("x1") = STEP_MAGIC;
    register long said __asm__("x0") = what;
    __asm__ volatile("brk #0; mov x1, xzr" : "+r"(said), "+r"(magic) : : "memory");
#endif
    return said;
}

#endif
