/* vfork(2), which C can't wrap: the child returns through the frame in which the parent still has to return.
 *
 * The idea: the return address is kept in a register, which the kernel gives back to both; nothing of this frame is on the
 * stack while the child runs. The child sets the thread's mark (self.vfork_child), so that wrappers let everything through;
 * the parent, who continues when the child is gone, sets it back (nested: to what it was).
 */
#if defined __x86_64__
    .text
    .globl vfork
    .type vfork, %function
vfork:
    .cfi_startproc
    endbr64
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call shim_vfork_prepare
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    movq %rax, %r8
    movzbl (%r8), %r9d
    popq %rdx
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdx
    movl $58, %eax
    syscall
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    testq %rax, %rax
    jne 1f
    movb $1, (%r8)
    ret
1:  movq %rax, %rdi
    movl %r9d, %esi
    jmp shim_vfork_parent
    .cfi_endproc
    .size vfork, . - vfork
#elif defined __aarch64__
    .text
    .globl vfork
    .type vfork, %function
vfork:
    .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_adjust_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    bl shim_vfork_prepare
    ldp x29, x30, [sp], 16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    mov x10, x0
    ldrb w11, [x10]
    mov x0, #0x4111 /* CLONE_VM | CLONE_VFORK | SIGCHLD */
    mov x1, #0
    mov x8, #220
    svc #0
    cbnz x0, 1f
    mov w1, #1
    strb w1, [x10]
    ret
1:  mov w1, w11
    b shim_vfork_parent
    .cfi_endproc
    .size vfork, . - vfork
#endif
    .globl __vfork
    .type __vfork, %function
    .set __vfork, vfork
    .section .note.GNU-stack, "", %progbits
