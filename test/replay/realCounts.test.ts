import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Measurement, measure } from '../../src/contextWindow/account/measure';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { promptTokens } from '../../src/contextWindow/account/spending';
import type { Replayed } from '../../src/replay/replay';
import type { ReplayPolicy } from '../../src/replay/replaySettings';
import { importTranscript } from '../../src/recordings/importTranscript';
import { estimate, replayCounted, settingsOf } from './support/replayed';

const FOLDER = resolve(__dirname, '../../../shared/transcripts');

/** Agents whose files have the usage of their steps. */
const AGENTS = ['claude-code', 'pi', 'codex', 'cline'] as const;

const FILES = existsSync(FOLDER)
  ? AGENTS.flatMap((agent) =>
      readdirSync(join(FOLDER, agent), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.jsonl?$/.test(name))
        .map((name) => join(agent, name)),
    ).toSorted()
  : [];

if (FILES.length === 0) console.log(`Skipped: no recordings in ${FOLDER}.`);

async function replayed(
  file: string,
  policy: ReplayPolicy,
  inputBudget = 2_000_000,
): Promise<Replayed> {
  const read = importTranscript(readFileSync(join(FOLDER, file), 'utf8'), 'auto', file, () => 900);
  if (!read.ok) throw new Error(read.message);
  // Nothing is truncated at admission: only passes make a difference.
  const settings = { ...settingsOf(policy, inputBudget), toolResultCapTokens: inputBudget };
  const done = await replayCounted(read.transcript, settings, {
    estimate,
    warm: () => Promise.resolve(),
    validate: () => undefined,
    now: () => 0,
  });
  if (done === 'stopped') throw new Error('No one stopped it.');
  return done;
}

/**
 * A step's request: the API's count, the window's weight, and the tokens that passes removed so
 * far.
 */
interface Step {
  readonly step: number;
  readonly api: number;
  readonly used: number;
  readonly taken: number;
}

/** The steps with usage; no part of any request is negative. */
function stepsOf({ events, recordedUsage }: Replayed): readonly Step[] {
  const steps: Step[] = [];
  let window = EMPTY_WINDOW;
  let taken = 0;
  let former: Parameters<typeof measure>[2];
  const sizesOf = (parts: Measurement['parts']) =>
    parts.map(({ part, tokens, unrecorded, block }) => [part, tokens, unrecorded, block?.state]);
  for (const event of events) {
    if (event.type === 'replyReceived') {
      const usage = recordedUsage.get(event.step);
      const api = usage === undefined ? 0 : promptTokens(usage);
      const { used, parts } = measure(window, estimate);
      // What the former window already knew changes no number.
      const again = measure(window, estimate, former).parts;
      expect(JSON.stringify(sizesOf(again))).toBe(JSON.stringify(sizesOf(parts)));
      former = { former: { window, parts } };
      for (const { part, tokens, unrecorded = 0 } of parts) {
        if (unrecorded < 0 || tokens < unrecorded) throw new Error(`${part} is negative.`);
      }
      if (api > 0) steps.push({ step: event.step, api, used: used.tokens, taken });
    }
    const before = event.type === 'passApplied' ? measure(window, estimate).used.tokens : 0;
    window = applyEvent(window, event);
    if (event.type === 'passApplied') taken += before - measure(window, estimate).used.tokens;
  }
  return steps;
}

const differing = (steps: readonly Step[]) => steps.filter(({ api, used }) => api !== used);

describe.skipIf(FILES.length === 0)("the API's counts of a real recording", () => {
  it.each(FILES)('equal the window, to the token, at every step: %s', async (file) => {
    const done = await replayed(file, 'none');
    const steps = stepsOf(done);
    expect(steps.length).toBeGreaterThan(0);
    // From there on its agent's requests lack content that Plimsoll's still have.
    const room = done.marks[0]?.step ?? Infinity;
    expect(differing(steps.filter(({ step }) => step < room))).toEqual([]);
    if (room === Infinity) return;
    // A policy that compacts where the recorded agent did has that agent's counts at every step.
    expect(differing(stepsOf(await replayed(file, 'recorded')))).toEqual([]);
  });

  it.each(FILES.filter((file) => /opus47|fable5|sonnet5|376msg/.test(file)))(
    'differ from the window by exactly the tokens that passes removed: %s',
    async (file) => {
      const done = await replayed(file, 'ladder', 100_000);
      const steps = stepsOf(done);
      expect(done.passes.length).toBeGreaterThan(0);
      const apart = steps.map(({ step, api, used, taken }) => [step, api - used - taken]);
      expect(apart.filter(([, tokens]) => tokens !== 0)).toEqual([]);
    },
  );
});
