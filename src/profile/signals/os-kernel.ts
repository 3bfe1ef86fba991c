import type { DomainSignals } from "./schema.ts";

export const osKernel: DomainSignals = {
  domain: "os-kernel",
  about: "An operating system, its kernel, a boot loader, hypervisor or driver for it.",
  nature: "product",
  definingFiles:
    "Kbuild arch/x86/Kconfig grub.cfg limine.cfg limine.conf kernel.ld kernel/kernel.ld arch/x86/boot/bootsect.S boot/boot.asm multiboot.S kernel/linker.ld linker.ld Bochsrc bochsrc",
  uniqueFiles:
    "Kconfig mkfs.c initcode.S swtch.S *.ld entry.S bootblock.S isr.asm vectors.S trapasm.S",
  frameworks: {
    cargo:
      "bootloader bootloader_api x86_64 uefi multiboot2 limine rustsbi raw-cpuid x86 pic8259 uart_16550 acpi kernel linked_list_allocator",
    native: "edk2 opensbi",
    go: "github.com/u-root/u-root",
  },
  helpers: { cargo: "spin lazy_static volatile bitflags riscv aarch64-cpu" },
  entries: "cargo:bare-metal",
  extensions: "ld lds",
  generalExtensions: "s asm nasm",
  uniqueDirectories: "kernel arch bootloader",
  directories: "boot mm drivers fs user ipc sched syscall init libc hal",
  categories: ["cargo:os", "python:Topic :: System :: Operating System Kernels"],
  statements: [
    "\\b(?:operating system|microkernel|unikernel|hypervisor|boot ?loader|exokernel)\\b(?! concepts)",
    "\\b(?:unix-like|unix version|os|linux|system|monolithic|hobby|teaching|toy|x86|risc-v) kernel\\b",
    "\\b(?:hobby os|\\w+os kernel)\\b",
  ],
  keywords: ["kernel", "os", "osdev", "operating-system", "bootloader", "unikernel"],
  against: { "entry-point:own-name": 0.2 },
};
