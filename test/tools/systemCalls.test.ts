import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keyringFilter, withFileOf } from '../../src/tools/processes/systemCalls';

/** What the kernel does about a call: runs the filter as it does, for the steps that the filter has. */
function answerTo(architecture: number, call: number): string {
  const filter = keyringFilter();
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const constant = filter.readUInt32LE(at + 4);
    const skip = (holds: boolean) => (at += 8 * filter.readUInt8(at + (holds ? 2 : 3)));
    switch (filter.readUInt16LE(at)) {
      case 0x20:
        value = constant === 4 ? architecture : call;
        break;
      case 0x54:
        value = (value & constant) >>> 0;
        break;
      case 0x14:
        value = (value - constant) >>> 0;
        break;
      case 0x15:
        skip(value === constant);
        break;
      case 0x25:
        skip(value > constant);
        break;
      case 0x06:
        return constant === 0x7fff0000 ? 'runs' : `fails with ${constant & 0xffff}`;
    }
  }
  return 'ends without an answer';
}

describe('the filter of system calls in the sandbox', () => {
  it.each([
    ['x86_64', 0xc000003e, 248],
    ['i386', 0x40000003, 286],
    ['aarch64', 0xc00000b7, 217],
    ['arm', 0x40000028, 309],
    ['riscv64', 0xc00000f3, 217],
  ])('stops the three calls for keyrings on %s, and no other', (_name, architecture, first) => {
    const stopped = Array.from({ length: 600 }, (_, call) => call).filter(
      (call) => answerTo(architecture, call) !== 'runs',
    );
    expect(stopped).toEqual([first, first + 1, first + 2]);
    expect(answerTo(architecture, first)).toBe('fails with 38');
  });

  it('knows the calls of x32, and leaves other architectures alone', () => {
    expect(answerTo(0xc000003e, 0x40000000 + 250)).toBe('fails with 38');
    expect(answerTo(0x80000015, 271)).toBe('runs');
  });
});

it('gives a file without a name to be read from its start', () => {
  let used = -1;
  const text = withFileOf(Buffer.from('abc'), (file) => {
    used = file;
    expect(fstatSync(file).nlink).toBe(0);
    return readFileSync(file, 'utf8');
  });
  expect(text).toBe('abc');
  expect(() => closeSync(used)).toThrow(/EBADF/);
});
