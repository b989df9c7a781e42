import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `look` finds something, and returns it; fails saying what did not come about. */
export async function until<T>(
  what: string,
  look: () => T | false | undefined | Promise<T | false | undefined>,
  patience = 10_000,
): Promise<T> {
  for (const deadline = Date.now() + patience; ; await sleep(40)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    assert.ok(Date.now() < deadline, `${what}, within ${patience} ms`);
  }
}
