import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, describe } from 'vitest';
import { LocalEstimator } from '../support/localEstimator';
import { smallWindowRun, uncachedIn } from '../support/smallWindowRun';

/** The bench has no test whose end could delete it. */
const ROOT = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
process.on('exit', () => rmSync(ROOT, { recursive: true, force: true }));

const READINGS = ['whole files', 'one range each'] as const;

/** The runs take seconds, and their numbers are the same each time. */
const ONCE = { time: 0, iterations: 1, warmupIterations: 0, warmupTime: 0 };

describe('40 reads of 6,400 tokens in a window of 32,000', async () => {
  for (const reading of READINGS) {
    const run = () => smallWindowRun(40, reading, new LocalEstimator('claude-sonnet-5-5'), ROOT);
    const { agent, steps, passes, counts, preambleTokens } = await run();
    const uncached = uncachedIn(agent.requests).toLocaleString('en-US');
    const numbers = `${steps} steps, ${passes} passes, ${counts} counts, ${uncached} uncached tokens`;
    bench(
      `${reading}: ${numbers}; system prompt and tools ${preambleTokens}`,
      async () => {
        await run();
      },
      ONCE,
    );
  }
});
