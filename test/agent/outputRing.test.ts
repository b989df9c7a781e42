import { describe, expect, it } from 'vitest';
import { OutputRing } from '../../src/agent/backgroundCommands';
import { keepSecret } from '../../src/agent/secrets/knownSecrets';

describe('the output of a background command', () => {
  it('is read once, from where the last read ended', () => {
    const ring = new OutputRing();
    ring.add('one\n');
    expect(ring.read()).toEqual({ text: 'one\n', missed: 0 });
    ring.add('two\n');
    expect(ring.read()).toEqual({ text: 'two\n', missed: 0 });
    expect(ring.read()).toEqual({ text: '', missed: 0 });
    expect(ring.all.text).toBe('one\ntwo\n');
  });

  it('keeps its last characters, and says how many were dropped', () => {
    const ring = new OutputRing(10);
    ring.add(`${'a'.repeat(24)}\n`);
    ring.add('0123456789');
    expect(ring.all).toEqual({ text: '0123456789', missed: 25 });
    expect(ring.read()).toEqual({ text: '0123456789', missed: 25 });
    ring.add('xyz');
    expect(ring.read()).toEqual({ text: 'xyz', missed: 0 });
    expect(ring.all).toEqual({ text: '3456789xyz', missed: 28 });
  });

  it('has no colours, even if a chunk ends within a colour code', () => {
    const ring = new OutputRing();
    ring.add('\u001b[31mred\u001b[');
    expect(ring.read().text).toBe('red');
    ring.add('0m and plain');
    expect(ring.read().text).toBe(' and plain');
  });

  it('has a mark in place of a secret, even one that arrived in two chunks', () => {
    keepSecret('sk-of-the-ring-test');
    const ring = new OutputRing();
    ring.add('key sk-of-the');
    expect(ring.read().text).toBe('key ');
    ring.add('-ring-test. ');
    expect(ring.read().text).toBe('[API key]. ');
    ring.add('sk-of');
    expect(ring.read().text).toBe('');
    ring.end();
    expect(ring.read().text).toBe('sk-of');
  });
});
