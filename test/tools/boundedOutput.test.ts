import { describe, expect, it } from 'vitest';
import { BoundedOutput } from '../../src/tools/processes/startedProcess';

describe('BoundedOutput', () => {
  it('keeps everything up to the limit, and only head and tail above it', () => {
    const output = new BoundedOutput(10);
    for (const char of '0123456789') output.add(char);
    expect(output.text()).toBe('0123456789');
    output.add('a');
    expect(output.text()).toBe('01234\n[1 characters of output left out here]\n6789a');
    output.add('b'.repeat(100));
    expect(output.text()).toBe('01234\n[101 characters of output left out here]\nbbbbb');
    expect(output.total).toBe(111);
  });
});
