import { PersistentList } from '../../../../src/contextWindow/persistentList';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../src/contextWindow/event';
import { fold } from '../../../../src/contextWindow/fold';
import { POLICY_NAMES, REPLAY_ONLY_NAMES } from '../../../../src/contextWindow/plan';
import type { PolicyComparison } from '../../../../src/editor/contextPanel/comparison/state';
import type { WhatIfSettings } from '../../../../src/editor/contextPanel/whatIf/state';
import type { BlockId } from '../../../../src/contextWindow/block';
import { comparePolicies, type ComparisonProgress } from '../../../../src/replay/comparePolicies';
import { replay } from '../../../../src/replay/replay';
import type { Inspected } from '../../../../src/editor/session/inspected';
import { plannedComparison } from '../../../../src/editor/contextPanel/comparison/derive';
import { replaySettings } from '../../../../src/editor/recordings/recordingSettings';
import { whatIfSettings } from '../../../../src/editor/contextPanel/whatIf/derive';
import { filler, prompt, read, recorded, said, type Move } from '../../../replay/support/recording';
import { transcriptOf } from '../../../recordings/support/drawnTranscript';
import { dated, drawnEvents, evicting } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { runs } from '../../../support/runs';
import { lookedAt, SMALL, validWith } from '../support/inspecting';

const PORTS = { estimate, warm: () => Promise.resolve(), now: () => 0 };

const asSet = ({ inForce, policy }: Inspected): WhatIfSettings =>
  whatIfSettings(inForce.settings.context, policy);

function planned(inspected: Inspected, wished = asSet(inspected)) {
  const result = plannedComparison(inspected, wished);
  if (!result.ok) throw new Error(result.message);
  return result.planned;
}

async function compared(inspected: Inspected, wished?: WhatIfSettings): Promise<PolicyComparison> {
  const { task, view } = planned(inspected, wished);
  const results = await comparePolicies(
    task,
    () => PORTS,
    () => undefined,
  );
  if (results === 'stopped') throw new Error('It was stopped.');
  return view(results);
}

/** A recording as the panel shows it: replayed with the ladder. */
async function recording(moves: readonly Move[]): Promise<Inspected> {
  const transcript = transcriptOf(recorded(...moves));
  const inForce = validWith(SMALL);
  const settings = replaySettings(inForce, 'ladder');
  const replayed = await replay(transcript, settings, { ...PORTS, validate: () => undefined });
  if (replayed === 'stopped') throw new Error('It was stopped.');
  const { events, window } = replayed;
  const source = {
    type: 'recording',
    file: 'a.json',
    format: 'messages',
    following: false,
    notes: [],
  } as const;
  return { ...lookedAt({ events, window }, inForce), source, transcript };
}

/** A log whose window is this one. */
const session = (events: readonly SessionEvent[]): Inspected =>
  lookedAt({ events, window: fold(events) });

/** A read whose text no other read has. */
const content = (index: number, path: string) => filler(`${path} as read ${index}`, 900);

/** Many reads of a few files; the window holds some of them. */
const reads = fc
  .array(fc.integer({ min: 0, max: 7 }), { minLength: 12, maxLength: 26 })
  .map((files): readonly Move[] => [
    prompt('Look at the files.'),
    ...files.map((file, index) => read(`f${file}.ts`, content(index, `f${file}.ts`))),
    said('Done.'),
  ]);

/** The policies that a session is replayed with. */
const OF_A_SESSION = [...POLICY_NAMES, 'ladderNoExcerpts'];

describe('the policies that would have kept a block needed again', () => {
  it('are named if and only if their request at that step contained all of it', async () => {
    let named = 0;
    let unnamed = 0;
    await fc.assert(
      fc.asyncProperty(reads, async (moves) => {
        const inspected = await recording(moves);
        const { kept } = await compared(inspected);
        const { refaults, blocks } = inspected.window;
        expect(kept.map(({ step, what }) => ({ step, what }))).toEqual(
          refaults.map(({ step, what }) => ({ step, what })),
        );
        for (const policy of POLICY_NAMES) {
          if (policy === 'ladder') continue;
          const requests = new Map<number, string>();
          const settings = replaySettings(inspected.inForce, policy);
          await replay(inspected.transcript!, settings, {
            ...PORTS,
            validate: () => undefined,
            onRequest: (request, _model, step) => requests.set(step, JSON.stringify(request)),
          });
          for (const [index, { step, blockId }] of refaults.toArray().entries()) {
            const block = blocks.find(({ id }) => id === blockId);
            const texts =
              block?.kind === 'step' ? block.pairs.map(({ result }) => result!.text) : [];
            const isThere = texts.every((text) => requests.get(step)!.includes(text));
            expect(kept[index]!.by.includes(policy)).toBe(isThere);
            if (isThere) named += 1;
            else unnamed += 1;
          }
        }
        // The policy shown had removed it.
        expect(kept.every(({ by }) => !by.includes('ladder'))).toBe(true);
      }),
      { numRuns: runs(8, 200), seed: 5 },
    );
    expect(named).toBeGreaterThan(0);
    expect(unnamed).toBeGreaterThan(0);
  });

  it('are all policies if only the user compacted, even with damaged step numbers in the log', async () => {
    const events = readAgain();
    const whole = await compared(session(events));
    expect(whole.kept).toEqual([{ step: 3, what: 'a.ts', by: POLICY_NAMES }]);
    expect(whole.asShown).toEqual({ isReplay: false, passes: 1, neededAgain: 1 });
    // The line of a step is lost: later steps keep their numbers, and a replay counts its own.
    const damaged = events.filter((event) => !JSON.stringify(event).includes('tool_1_2'));
    const { task, view } = planned(session(damaged));
    expect(task.needs).toEqual([{ step: 2, blockId: 'step-1' }]);
    const results = await comparePolicies(
      task,
      () => PORTS,
      () => undefined,
    );
    if (results === 'stopped') throw new Error('It was stopped.');
    expect(view(results).kept).toEqual([{ step: 3, what: 'a.ts', by: POLICY_NAMES }]);
  });

  it('are none if no replay has it', async () => {
    const inspected = session(readAgain());
    const [refault] = inspected.window.refaults;
    const lost = { ...refault!, blockId: 'summary-1' as BlockId };
    const window = { ...inspected.window, refaults: PersistentList.of([lost, refault!]) };
    const { kept } = await compared({ ...inspected, window });
    expect(kept).toEqual([
      { step: 3, what: 'a.ts', by: [], isUnknown: true },
      { step: 3, what: 'a.ts', by: POLICY_NAMES },
    ]);
  });
});

describe('the compared policies', () => {
  it('are those that can be tried, each with the scratch settings', async () => {
    const inspected = session(readAgain());
    const wished = { ...asSet(inspected), windowTokens: 4_000, keepTurns: 30, maxHistoryTurns: 20 };
    const { task } = planned(inspected, wished);
    expect(task.settings.map(({ budget }) => budget.contextWindowTokens)).toEqual(
      OF_A_SESSION.slice(1).map(() => 4_000),
    );
    const { rows, settings } = await compared(inspected, wished);
    expect(settings).toBe(wished);
    expect(rows.map(({ policy }) => policy)).toEqual(OF_A_SESSION);
    // The others are still compared.
    expect(rows.filter(({ ok }) => !ok)).toEqual([
      { ok: false, policy: 'lastTurns', message: expect.stringContaining('keepTurns') },
    ]);
  });

  it('have a cost only if every model has a list price, and name models without one', async () => {
    const unknown = await compared(session(readAgain()));
    expect(unknown.rows.map((row) => row.ok && row.cost)).toEqual(OF_A_SESSION.map(() => null));
    expect(unknown.notes).toContain('The cost is unknown: there is no list price for test.');
    const known = await compared(session(readAgain('claude-sonnet-4-5')));
    expect(known.rows.every((row) => row.ok && row.cost !== null && row.cost > 0)).toBe(true);
    expect(known.notes.join()).not.toContain('No cost');
  });

  it('say what replaces a model, and what they ignore', async () => {
    const inspected = await recording([
      prompt('Look at the files.'),
      ...Array.from({ length: 24 }, (_, index) =>
        read(`f${index}.ts`, content(index, `f${index}.ts`)),
      ),
    ]);
    const { rows, notes, asShown } = await compared(inspected);
    expect(notes[0]).toMatch(/^No model is called: a work note stands in for every summary\./);
    expect(notes.filter((note) => note.startsWith('server: ')).length).toBe(2);
    expect(notes).toContain('The recording names no model, so its cost is unknown.');
    const isLeast = rows.map((row) => row.ok && row.isLeast === true && row.policy);
    expect(isLeast.filter((name) => name !== false)).toEqual(['server']);
    // Nothing was cleared, so the number is exact.
    const small = await compared(session(readAgain()));
    expect(small.rows.some((row) => row.ok && row.isLeast === true)).toBe(false);
    expect(small.notes.filter((note) => note.startsWith('server: ')).length).toBe(1);
    expect(rows.map(({ policy }) => policy).slice(-4)).toEqual(REPLAY_ONLY_NAMES);
    // The panel shows a replay: it is a row of the table.
    expect(asShown).toBeUndefined();
    // With other estimates it is not a row of the table; with other settings there may be no row.
    const otherwise = async (wished: WhatIfSettings) => {
      const { task, view } = planned(inspected, wished);
      const half = { ...PORTS, estimate: (text: string) => Math.ceil(estimate(text) / 2) };
      const results = await comparePolicies(
        task,
        () => half,
        () => undefined,
      );
      return results === 'stopped' ? undefined : view(results).asShown;
    };
    const { ledger, refaults } = inspected.window;
    const shown = { isReplay: true, passes: ledger.length, neededAgain: refaults.length };
    expect(await otherwise({ ...asSet(inspected), policy: 'summarise' })).toEqual(shown);
    expect(await otherwise({ ...asSet(inspected), windowTokens: 20_000 })).toBeUndefined();
  });

  it('need at least one step', () => {
    const inspected = session(dated(drawnEvents('1 anchor task 30')));
    expect(plannedComparison(inspected, asSet(inspected))).toEqual({
      ok: false,
      message: 'There is nothing to compare yet: the session has no step.',
    });
  });

  it("begin with the API's count if there is one", async () => {
    const used = { inputTokens: 100, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 };
    const counted = readAgain().map((event) =>
      event.type === 'replyReceived' ? { ...event, usage: used } : event,
    );
    const told: ComparisonProgress[] = [];
    await comparePolicies(
      planned(session(counted)).task,
      () => PORTS,
      (progress) => told.push(progress),
    );
    const of = 3 * (OF_A_SESSION.length + 1);
    expect(told.slice(0, 4)).toEqual([
      { done: 1, of },
      { done: 2, of },
      { done: 3, of },
      { policy: 'ladder', done: 4, of },
    ]);
    expect(told.at(-1)).toEqual({ policy: 'ladderNoExcerpts', done: of, of });
  });

  it('report their progress step by step, and can be stopped', async () => {
    const { task } = planned(session(readAgain()));
    const told: ComparisonProgress[] = [];
    const stop = new AbortController();
    const done = await comparePolicies(
      task,
      () => PORTS,
      (progress) => {
        told.push(progress);
        if (told.length === 5) stop.abort();
      },
      stop.signal,
    );
    expect(done).toBe('stopped');
    expect(told.map(({ done: steps }) => steps)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(told.map(({ of }) => of))).toEqual(new Set([3 * OF_A_SESSION.length]));
    expect(told.map(({ policy }) => policy)).toEqual([
      ...Array<string>(3).fill('ladder'),
      ...Array<string>(2).fill('slidingWindow'),
    ]);
  });
});

/** A session that read a file again after the user compacted. */
function readAgain(model = 'test'): readonly SessionEvent[] {
  const drawn = drawnEvents('1 anchor task 30\n1 step a.ts 40\n1 step b.ts 30\n1 step a.ts 40').map(
    (event) => (event.type === 'replyReceived' ? { ...event, model } : event),
  );
  return dated([...drawn.slice(0, -2), evicting('step-1'), ...drawn.slice(-2)]);
}
