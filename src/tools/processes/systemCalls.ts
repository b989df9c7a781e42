import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The calls of the Linux kernel that reach a user's keyrings: `add_key`, `request_key` and `keyctl`, three
 * numbers in a row, by the kernel's name for the architecture (AUDIT_ARCH_*) and the first of the numbers.
 */
const KEYRING_CALLS: readonly (readonly [architecture: number, first: number])[] = [
  [0xc000003e, 248], // x86_64
  [0x40000003, 286], // i386, also on x86_64
  [0xc00000b7, 217], // aarch64
  [0x40000028, 309], // arm, also on aarch64
  [0xc00000f3, 217], // riscv64
];

/** Bit of the calls of programs for x32, which have the numbers of x86_64 apart from it. */
const X32 = 0x40000000;

/** Classic BPF: code, the steps to skip if the comparison holds and if not, and a constant. */
type Step = readonly [code: number, ifTrue: number, ifFalse: number, constant: number];
const LOAD = 0x20;
const AND = 0x54;
const SUBTRACT = 0x14;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const RETURN = 0x06;
/** Offsets in what the kernel shows of a call. */
const [CALL, ARCHITECTURE] = [0, 4];
const ALLOW = 0x7fff0000;
/** `ENOSYS`, as of a kernel without keyrings. */
const FAIL = 0x00050000 | 38;

/** A seccomp filter that lets all system calls through except those for keyrings. */
export function keyringFilter(): Buffer {
  const steps: readonly Step[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    ...KEYRING_CALLS.flatMap(([architecture, first]): readonly Step[] => [
      [IF_EQUAL, 0, 6, architecture],
      [LOAD, 0, 0, CALL],
      [AND, 0, 0, ~X32 >>> 0],
      [SUBTRACT, 0, 0, first],
      // A smaller number wraps around.
      [IF_GREATER, 1, 0, 2],
      [RETURN, 0, 0, FAIL],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, ifTrue, ifFalse, constant]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(constant, index * 8 + 4);
  }
  return bytes;
}

/** Calls `start` with an open file that holds some bytes and has no name. */
export function withFileOf<T>(bytes: Buffer, start: (file: number) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-filter-'));
  const file = openSync(join(folder, 'filter'), 'wx+', 0o600);
  try {
    rmSync(folder, { recursive: true });
    // At a place of its own, so that the next reader begins at the start.
    writeSync(file, bytes, 0, bytes.length, 0);
    return start(file);
  } finally {
    closeSync(file);
  }
}
