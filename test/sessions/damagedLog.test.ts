import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { openSession } from '../../src/sessions/openSession';
import { readLogBytes } from '../../src/sessions/readSessionLog';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { actions, play } from '../support/randomSession';
import { runs } from '../support/runs';
import { smallBudget } from '../support/smallBudget';
import { tempFolder } from '../tools/support/tempFolder';
import { anyLog } from './support/anyEvent';
import { asLog, prompt } from './support/sampleEvents';

const RUNS = runs(25, 1_000);

const BUDGET = smallBudget();

/** What happens to a line: it is deleted, it is cut, or one of its bytes changes. */
const harm = fc.record({
  line: fc.nat(),
  how: fc.constantFrom('drop' as const, 'cut' as const, 'byte' as const),
  at: fc.nat(),
  // If a changed byte leaves a line JSON, it is read as written: there are no check sums.
  byte: fc.constantFrom(0x00, 0x0a, 0xff),
});

type Harm = (typeof harm extends fc.Arbitrary<infer H> ? H : never) & object;

function harmed(log: string, harms: readonly Harm[]): Buffer {
  let lines: readonly Buffer[] = log
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line));
  for (const { line, how, at, byte } of harms) {
    const hit = line % lines.length;
    lines = lines.flatMap((bytes, index) => {
      if (index !== hit) return [bytes];
      const place = at % Math.max(1, bytes.length);
      if (how === 'drop' && lines.length > 1) return [];
      if (how === 'byte') return [bytes.map((old, i) => (i === place ? byte : old)) as Buffer];
      return [bytes.subarray(0, place)];
    });
  }
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
}

function opened(file: string) {
  const result = openSession(file, () => 1_000_000);
  if (!result.ok) throw new Error(result.message);
  result.stored.close();
  return result;
}

describe('a log with lost lines', () => {
  it('folds the remaining lines, whatever they are', () => {
    fc.assert(
      fc.property(anyLog, fc.array(harm, { minLength: 1, maxLength: 6 }), (events, harms) => {
        const read = readLogBytes('2026-11-22-x.jsonl', harmed(asLog(events), harms));
        if (read.ok) expect(() => toRequest(fold(read.events))).not.toThrow();
      }),
      { numRuns: runs(50, 3_000) },
    );
  });

  it('opens the same way every time, and its next request is valid', () => {
    const folder = tempFolder();
    const file = join(folder, '2026-11-22-x.jsonl');
    let lost = 0;
    fc.assert(
      fc.property(
        actions,
        fc.array(harm, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (acts, harms, summaries) => {
          const { events } = play(acts, BUDGET, { ...POLICY_SETTINGS, summaries });
          const log = harmed(asLog(events), harms);
          writeFileSync(file, log);
          if (!readLogBytes(file, log).ok) {
            // Nothing at all may be left of such a short log.
            expect(harms.length).toBeGreaterThanOrEqual(events.length);
            return;
          }
          const { stored, interrupted } = opened(file);
          expect(readFileSync(file).subarray(0, log.length).equals(log)).toBe(true);
          lost += interrupted.length;
          const again = opened(file);
          expect(again.interrupted).toEqual([]);
          expect(again.stored.session.window).toEqual(stored.session.window);
          const { session } = again.stored;
          again.stored.reopen();
          const { preamble } = fold(events);
          if (JSON.stringify(preamble) !== JSON.stringify(session.window.preamble)) {
            session.append({ type: 'preambleSet', ...preamble });
          }
          session.append(prompt('Go on.'));
          again.stored.close();
          expect(fault(session.window)).toBeUndefined();
        },
      ),
      { numRuns: RUNS },
    );
    expect(lost).toBeGreaterThan(RUNS / 8);
  });
});

/** The reason for which the API would refuse the next request. */
function fault(window: Parameters<typeof toRequest>[0]): string | undefined {
  const body = { model: 'claude-sonnet-5-5', max_tokens: 500, ...toRequest(window) };
  return validateRequest(JSON.parse(JSON.stringify(body)))?.message;
}
