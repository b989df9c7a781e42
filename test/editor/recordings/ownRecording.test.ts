import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { fold } from '../../../src/contextWindow/fold';
import { recordingHere } from '../../support/recordingHere';
import { Recordings } from '../../../src/editor/recordings/recordings';
import { exportSession, type ExportFormat } from '../../../src/sessions/exportSession';
import { offlineModels } from '../../../src/offline/models';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { logText } from '../../../src/editor/session/inspected';
import type { Inspection } from '../../../src/editor/contextPanel/inspection';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { actions, play } from '../../support/randomSession';
import { runs } from '../../support/runs';
import { scriptedAgent, steps } from '../../support/scriptedAgent';
import { asLog } from '../../sessions/support/sampleEvents';
import { tempFolder } from '../../tools/support/tempFolder';
import {
  bytes,
  inspecting,
  inspectionOf,
  SMALL,
  validWith,
} from '../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

const GOING = new AbortController().signal;
/** The settings of the scripted agent. */
const IN_FORCE = validWith(SMALL, { model: offlineModels[0]!.id });

const liveOf = (events: readonly SessionEvent[]) => inspectionOf(events, IN_FORCE);

function recordingScene(inForce: ValidSettings = IN_FORCE) {
  const recordings: Recordings = new Recordings(
    {
      access: { settings: { valid: inForce }, estimator: STAND_IN_ESTIMATOR },
      report: { log: () => undefined },
    },
    () => undefined,
    recordingHere(STAND_IN_ESTIMATOR),
  );
  onTestFinished(() => recordings.dispose());
  return { recordings, inspection: inspecting(() => recordings.inspected!).inspection };
}

/** A file with the events of a log. */
function logOf(events: readonly SessionEvent[]): string {
  return join(tempFolder({ '2026-11-22-own.jsonl': asLog(events) }), '2026-11-22-own.jsonl');
}

/** A session with passes, an undone change by hand, pins and notes of the user. */
async function session(): Promise<readonly SessionEvent[]> {
  const agent = scriptedAgent({ script: [...steps(24, 1_400), ...steps(4, 1_000, 'more')] });
  const { session: own } = agent;
  await agent.run('Look at every file.');
  own.append({
    type: 'scratchpadUpdated',
    scratchpad: { ...own.window.scratchpad, keyFacts: ['The keel is iron.'] },
    byUser: true,
  });
  own.append({ type: 'blockPinned', blockId: own.window.blocks.at(-2)!.id });
  own.append({ type: 'passUndone', number: own.window.ledger.at(-1)!.pass.number });
  await agent.run('And now the rest.');
  return own.events;
}

/**
 * Leaves out what differs: the name of the view, the lock on changes, the counter of updates, when
 * the prompt cache expires, and the findings. No pass runs in a read-only session, and each finding
 * has a button that changes it.
 */
function comparable(inspection: Inspection) {
  const {
    session: _s,
    source: _f,
    whyReadOnly: _w,
    revision: _r,
    findings: _n,
    coldFrom: _c,
    ...view
  } = inspection.view();
  return view;
}

/** The panel's whole state of a session at a moment. */
async function everything(inspection: Inspection, at: number | 'now') {
  expect(await inspection.travelTo(at)).toBeUndefined();
  const step = at === 'now' ? 'next' : at;
  const request = inspection.requestAt(step)!;
  const view = comparable(inspection);
  return {
    view,
    request: { bytes: bytes(request.request), notes: request.notes },
    timeline: inspection.timeline(),
    decisions: view.passes.map(({ number }) => inspection.decisions(number)),
    preview: at === 'now' ? await inspection.preview() : undefined,
  };
}

/** Compares now and every step, or only some steps. */
async function expectSame(live: Inspection, opened: Inspection, some = Infinity): Promise<void> {
  expect(await everything(opened, 'now')).toEqual(await everything(live, 'now'));
  expect(opened.view().findings).toEqual([]);
  const { first, last } = live.view().travel;
  const stride = Math.max(1, Math.ceil((last - first + 1) / some));
  for (let step = first; step <= last && last > 0; step += stride) {
    expect(await everything(opened, step)).toEqual(await everything(live, step));
  }
}

describe('a log without passes', () => {
  it("does not claim today's policy as its own", async () => {
    const { recordings } = recordingScene();
    const agent = scriptedAgent({ script: steps(2, 100) });
    await agent.run('look');
    await recordings.open(logOf(agent.session.events), GOING);
    expect(recordings.inspected!.source).toMatchObject({ asItWas: true, policyUnknown: true });
  });
});

describe('a Plimsoll session opened from its file', () => {
  // Both hold the same events, so one of them is compared at every step.
  it.each<[ExportFormat, number]>([
    ['jsonl', Infinity],
    ['json', 4],
  ])('is shown as it was, from its %s export', async (format, some) => {
    const events = await session();
    const exported = exportSession(logOf(events), format);
    if (!exported.ok) throw new Error(exported.message);
    const file = join(tempFolder({ 'own.export': exported.bytes.toString('utf8') }), 'own.export');
    const { recordings, inspection } = recordingScene();
    expect(await recordings.open(file, GOING)).toBeUndefined();
    const live = liveOf(events);
    await expectSame(live, inspection, some);
    await inspection.travelTo('now');
    const view = inspection.view();
    expect(view.passes.length).toBeGreaterThan(1);
    expect(view.passes.some(({ undone }) => undone)).toBe(true);
    expect(view.scratchpad.keyFacts).toEqual(['The keel is iron.']);
    expect(view.edits.length).toBeGreaterThan(0);
    expect(view.source).toEqual({
      type: 'recording',
      file: 'own.export',
      format: 'plimsoll',
      following: false,
      asItWas: true,
      notes: [],
    });
    expect(view.whyReadOnly).toMatch(/^A session opened from a file is read only\./);
    expect(view.title).toBe('Look at every file.');
  });

  it('looks like the original, whatever happened in it', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (script) => {
        // The settings' policy is current, and here it ran the whole session.
        const steady = script.filter(({ type }) => type !== 'policy');
        const { events } = play(steady, IN_FORCE.budget, POLICY_SETTINGS);
        const model = { at: 0, type: 'modelSet', model: IN_FORCE.settings.model } as const;
        const [start, ...rest] = events;
        const all = [start!, model, ...rest];
        const { recordings, inspection } = recordingScene();
        expect(await recordings.open(logOf(all), GOING)).toBeUndefined();
        await expectSame(liveOf(all), inspection, 3);
      }),
      { numRuns: runs(6, 300) },
    );
  });

  it('has its own budget and policy, whatever the current settings are', async () => {
    const events = await session();
    const now = validWith({ windowTokens: 100_000, policy: 'salience' });
    const { recordings, inspection } = recordingScene(now);
    await recordings.open(logOf(events), GOING);
    const { balance, policy, windowSource, passes } = inspection.view();
    expect(balance.contextWindowTokens).toBe(12_000);
    expect(policy).toBe('ladder');
    expect(windowSource).toBe('from the recording');
    expect(passes).toEqual(liveOf(events).view().passes);
  });

  it('has a name of its own, since the session itself may be open and ahead', async () => {
    const events = await session();
    const { recordings, inspection } = recordingScene();
    await recordings.open(logOf(events), GOING);
    expect(inspection.view().session).toMatch(/^recording-1-/);
  });

  it('tries scratch settings as they would apply now, and is replayed with applied ones', async () => {
    const events = await session();
    const { recordings, inspection } = recordingScene();
    const file = logOf(events);
    await recordings.open(file, GOING);
    const settings = { ...inspection.view().settings, windowTokens: 60_000 };
    expect(await inspection.whatIf(settings)).toMatchObject({ ok: true, due: false });
    expect(await recordings.apply(settings, GOING)).toBeUndefined();
    const { source, passes, step, balance } = inspection.view();
    expect(balance.contextWindowTokens).toBe(60_000);
    expect([passes, step]).toEqual([[], fold(events).step]);
    expect(source).not.toHaveProperty('asItWas');
    expect(source).toMatchObject({
      format: 'plimsoll',
      notes: expect.arrayContaining([
        expect.stringMatching(/^This is a replay of the session with other settings\./),
        expect.stringMatching(/^\d+ passes of Plimsoll skipped \(a change by hand counts as one\)/),
      ]),
    });
    expect(inspection.requestAt(1)!.notes[0]).toMatch(/^The request Plimsoll would have sent/);
    // The choice survives a reload; opened again, the recording is as at first.
    const later = recordingScene();
    await later.recordings.reopen(recordings.kept!, GOING);
    expect(later.inspection.view().passes).toEqual([]);
    await recordings.open(file, GOING);
    expect(inspection.view().source).toHaveProperty('asItWas', true);
    expect(comparable(inspection)).toEqual(comparable(liveOf(events)));
  });

  it('can be exported with its old id, and opens unchanged', async () => {
    const events = await session();
    const { recordings } = recordingScene();
    await recordings.open(logOf(events), GOING);
    const text = logText(recordings.inspected!);
    expect(text).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const again = recordingScene();
    await again.recordings.open(join(tempFolder({ 'again.jsonl': text }), 'again.jsonl'), GOING);
    expect(comparable(again.inspection)).toEqual(comparable(liveOf(events)));
  });

  it('is followed while it is written, without a half-written line', async () => {
    const events = await session();
    const lines = asLog(events).split(/(?<=\n)/);
    const half = Math.floor(lines.length / 2);
    const file = join(tempFolder({ 'own.jsonl': lines.slice(0, half).join('') }), 'own.jsonl');
    const { recordings, inspection } = recordingScene();
    await recordings.open(file, GOING);
    recordings.follow(true);
    expect(inspection.view().events).toBe(half);
    appendFileSync(file, `${lines[half]}${lines[half + 1]!.slice(0, 20)}`);
    await expect.poll(() => inspection.view().events).toBe(half + 1);
    expect(inspection.view().source).toMatchObject({ notes: [] });
    appendFileSync(file, lines[half + 1]!.slice(20) + lines.slice(half + 2).join(''));
    await expect.poll(() => inspection.view().events).toBe(events.length);
    expect(comparable(inspection)).toEqual(comparable(liveOf(events)));
  });

  it('names a damaged line, and shows the rest', async () => {
    const events = await session();
    const file = logOf(events);
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[6] = lines[6]!.slice(0, -9);
    writeFileSync(file, lines.join('\n'));
    const { recordings, inspection } = recordingScene();
    expect(await recordings.open(file, GOING)).toBeUndefined();
    expect(inspection.view().events).toBe(events.length - 1);
    expect(inspection.view().source).toMatchObject({
      notes: [
        expect.stringMatching(/^Line 7 of 2026-11-22-own\.jsonl is damaged and was left out/),
      ],
    });
  });

  it('is shown even without an answer', async () => {
    const events = (await session()).slice(0, 4);
    expect(events.at(-1)!.type).toBe('promptSubmitted');
    const { recordings, inspection } = recordingScene();
    expect(await recordings.open(logOf(events), GOING)).toBeUndefined();
    expect(inspection.view()).toMatchObject({ step: 0, turn: 1 });
  });

  it('says which file to open instead of a JSON export without events', async () => {
    const exported = exportSession(logOf(await session()), 'json');
    if (!exported.ok) throw new Error(exported.message);
    const { events: _events, ...withoutEvents } = JSON.parse(
      exported.bytes.toString('utf8'),
    ) as Record<string, unknown>;
    const file = join(
      tempFolder({ 'partial.json': JSON.stringify(withoutEvents) }),
      'partial.json',
    );
    const { recordings } = recordingScene();
    expect(await recordings.open(file, GOING)).toBe(
      'partial.json cannot be read: this JSON export of a Plimsoll session holds no events. ' +
        'Export the session as JSONL and open that.',
    );
    const markdown = exportSession(logOf(await session()), 'markdown');
    if (!markdown.ok) throw new Error(markdown.message);
    writeFileSync(file, markdown.bytes);
    expect(await recordings.open(file, GOING)).toBe(
      'partial.json cannot be read: it looks like a Markdown export of a Plimsoll session, made to ' +
        'be read; export the session as JSONL and open that.',
    );
    rmSync(file);
  });
});
