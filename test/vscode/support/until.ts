import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time for a change, in ms: a busy machine is not a failure. */
export const PATIENCE = 50_000;

/**
 * Waits until `look` finds something and returns it; otherwise fails and says what did not happen.
 * `what` may be a function that reports the progress.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | false | undefined | Promise<T | false | undefined>,
  patience = PATIENCE,
): Promise<T> {
  const began = Date.now();
  for (const deadline = began + patience; ; await sleep(pause(Date.now() - began))) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const words = typeof what === 'string' ? what : what();
    assert.ok(Date.now() < deadline, `${words}, within ${patience} ms`);
  }
}

/** Each look costs processor time, so a long wait looks less often; ms. */
function pause(waited: number): number {
  return Math.min(200, Math.max(40, waited / 5));
}

/** Checks for a while that something stays unchanged: use it for what must not happen. */
export async function stays(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 500; Date.now() < end; await sleep(40))
    assert.ok(await look(), what);
}

/** Waits until a file is complete, reads it, and deletes it. */
export async function written(file: string): Promise<string> {
  const read = () => readFile(file, 'utf8').catch(() => '');
  const text = await until(`${file} was written`, async () => {
    const [before] = [await read(), await sleep(100)];
    return before !== '' && before === (await read()) ? before : undefined;
  });
  await rm(file);
  return text;
}
