import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Recordings } from '../../../src/host/recordings/recordings';
import { whatIfSettings } from '../../../src/views/whatIf';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { estimate } from '../../support/player';
import { inspecting, validWith } from '../../views/support/inspecting';

const MODEL = 'claude-sonnet-4-5';
const GOING = new AbortController().signal;

/** A recording of Claude Code: a prompt, and so many reads of `chars` characters. */
function recorded(steps: number, chars = 400, more: ReadMore = {}): string {
  const lines = [
    { type: 'user', message: { role: 'user', content: 'Mend the parser.' } },
    ...Array.from({ length: steps }, (_, index) => readLines(index, chars, more)).flat(),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

interface ReadMore {
  /** Of every reply; '' for none. */
  readonly model?: string;
  /** Input tokens the API counted in the first request; each that follows has a step more. */
  readonly counted?: number;
}

/** A call and its result, with a little thinking that the file does not hold. */
function stepTokens(chars: number): number {
  return Math.ceil(chars / 3) + 40;
}

function readLines(
  index: number,
  chars: number,
  { model = MODEL, counted = 100 }: ReadMore = {},
): readonly object[] {
  const id = `toolu_${index}`;
  return [
    {
      type: 'assistant',
      message: {
        id: `msg_${index}`,
        role: 'assistant',
        model,
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `f${index}.ts` } }],
        usage: { input_tokens: counted + index * stepTokens(chars), output_tokens: 5 },
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(chars) }],
      },
    },
  ];
}

function desk(text: string, inForce: ValidSettings = validWith()) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-recording-'));
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, text);
  const seen = { changed: 0, problems: [] as string[] };
  /** What was shown, by policy and last step. */
  const shown: string[] = [];
  let passage = Promise.resolve();
  let open = (): void => undefined;
  /** Holds replays up while it is closed. */
  const gate = {
    close: () => {
      passage = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
  const recordings: Recordings = new Recordings({
    inForce: () => inForce,
    estimator: { warm: () => passage, estimate, learn: () => undefined, media: () => 0 },
    changed: () => {
      seen.changed += 1;
      const { inspected } = recordings;
      if (inspected !== undefined) shown.push(`${inspected.policy} ${inspected.window.step}`);
    },
    problem: (message) => seen.problems.push(message),
  });
  onTestFinished(() => {
    recordings.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const { inspection } = inspecting(() => recordings.inspected!);
  return { recordings, inspection, file, seen, gate, shown };
}

describe('a recording', () => {
  it('is shown with its own model, steps and reported usage, and can only be looked at', async () => {
    const { recordings, inspection, file, seen } = desk(recorded(4));
    expect(recordings.inspected).toBeUndefined();
    expect(await recordings.open(file, GOING)).toBeUndefined();
    expect(seen.changed).toBe(1);
    await inspection.travelTo(2);
    // The replay says what it was fitted to.
    expect(inspection.view().travel).toEqual({ at: 2, first: 1, last: 4, recordedTokens: 274 });
    expect(inspection.view()).toMatchObject({
      model: MODEL,
      windowSource: validWith().windowSource,
    });
    await inspection.travelTo('now');
    const view = inspection.view();
    expect(view).toMatchObject({
      source: { type: 'recording', file: 'session.jsonl', following: false },
      title: 'session.jsonl',
      model: MODEL,
      step: 4,
      whyReadOnly: 'A recording of another agent is read only.',
    });
    const { points, totals } = inspection.timeline();
    const inputs = [100, 274, 448, 622];
    expect(points.map(({ recordedBill }) => recordedBill?.billed.fresh)).toEqual(inputs);
    // Plimsoll's own requests are as large, but what is the same is read from the cache.
    const own = points.map(({ billed }) => billed!);
    expect(own.map(({ cacheRead, cacheWrite }) => cacheRead + cacheWrite)).toEqual(inputs);
    expect(own.map(({ fresh }) => fresh)).toEqual([0, 0, 0, 0]);
    expect(own[1]!.cacheRead).toBeGreaterThan(0);
    expect(totals).toMatchObject({
      cost: '≈ $0.00',
      recordedBill: { cost: '$0.00', cacheReadShare: 0 },
    });
    expect(totals.cacheReadShare).toBeGreaterThan(0);
    expect(view.passes.map(({ measured }) => measured)).toEqual([]);
  });

  it("has a name of its own, which is no other file's first recording and does not tell its path", async () => {
    const [one, other] = [desk(recorded(2)), desk(recorded(2))];
    await one.recordings.open(one.file, GOING);
    await other.recordings.open(other.file, GOING);
    const first = one.inspection.view().session;
    expect(other.inspection.view().session).not.toBe(first);
    expect(first).toMatch(/^recording-1-[0-9a-f]+$/);
    await one.recordings.open(one.file, GOING);
    expect(one.inspection.view().session).toMatch(/^recording-2-/);
  });

  it('is replayed by the ladder where the settings leave the editing to the API', async () => {
    const { recordings, inspection, file } = desk(recorded(3), validWith({ policy: 'server' }));
    await recordings.open(file, GOING);
    expect(inspection.view().policy).toBe('ladder');
    expect(inspection.requestAt('next')!.request).not.toHaveProperty('contextEdits');
    expect(await inspection.preview()).toBeDefined();
  });

  it('counts what is set for its own model, not what is set for the one at work', async () => {
    const inForce = validWith({
      windowTokens: 70_000,
      models: { [MODEL]: { windowTokens: 50_000 }, 'claude-sonnet*': { highWatermark: 0.6 } },
    });
    const { recordings, inspection, file } = desk(recorded(2), inForce);
    await recordings.open(file, GOING);
    const { settings, balance } = inspection.view();
    expect(settings).toMatchObject({ windowTokens: 50_000, highWatermark: null });
    expect(balance.contextWindowTokens).toBe(50_000);
    const tried = { ...settings, windowTokens: 40_000 };
    expect(await recordings.apply(tried, GOING)).toBeUndefined();
    expect(inspection.view().balance.contextWindowTokens).toBe(40_000);
  });

  it('is replayed anew under other settings, and stays as it is where they do not fit', async () => {
    const { recordings, inspection, file } = desk(recorded(30, 3_000));
    await recordings.open(file, GOING);
    expect(inspection.view().passes).toEqual([]);
    const settings = inspection.view().settings;
    const small = { ...settings, windowTokens: 30_000 };
    expect(await recordings.apply(small, GOING)).toBeUndefined();
    expect(inspection.view().passes.length).toBeGreaterThan(0);
    expect(inspection.view().settings).toEqual(small);
    const shown = recordings.inspected;
    expect(await recordings.apply({ ...small, highWatermark: 2 }, GOING)).toMatch(
      /^plimsoll\.context\.highWatermark must/,
    );
    expect(await recordings.apply({ ...small, policy: 'server' }, GOING)).toBe(
      'The policy server cannot be replayed: the API does its editing. Choose another.',
    );
    expect(recordings.inspected).toEqual(shown);
    expect(await recordings.apply({ ...small, policy: 'clairvoyant' }, GOING)).toBeUndefined();
    expect(inspection.view().policy).toBe('clairvoyant');
  });

  it('is not opened where the file is none, and what was shown stays', async () => {
    const { recordings, file } = desk(recorded(2));
    expect(await recordings.open(`${file}.gone`, GOING)).toBe(
      `${file}.gone cannot be read (ENOENT). Choose another file.`,
    );
    await recordings.open(file, GOING);
    const { inspected } = recordings;
    writeFileSync(file, 'no recording at all');
    expect(await recordings.open(file, GOING)).toMatch(/session\.jsonl/);
    expect(recordings.inspected).toEqual(inspected);
  });

  it('is not shown where the user stopped, or where another was opened meanwhile', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    const stopped = AbortSignal.abort();
    expect(await recordings.open(file, stopped)).toBe(
      'Stopped. The panel shows what it showed before.',
    );
    expect(recordings.inspected).toBeUndefined();
    await recordings.open(file, GOING);
    const settings = whatIfSettings(recordings.inspected!.inForce.settings.context, 'ladder');
    const overtaken = recordings.apply({ ...settings, policy: 'salience' }, GOING);
    const last = recordings.apply({ ...settings, policy: 'headTail' }, GOING);
    expect(await Promise.all([overtaken, last])).toEqual([undefined, undefined]);
    expect(inspection.view().policy).toBe('headTail');
    const closing = recordings.apply(settings, GOING);
    recordings.close();
    await closing;
    expect(recordings.inspected).toBeUndefined();
  });

  it('grows with its file while it is followed, at the step that is looked at', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    expect(recordings.follow(true)).toBe('No recording is open.');
    await recordings.open(file, GOING);
    expect(recordings.follow(true)).toBeUndefined();
    await inspection.travelTo(2);
    const more = readLines(3, 400).map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(file, more.join(''));
    await expect
      .poll(() => inspection.view().travel, { timeout: 8_000 })
      .toMatchObject({
        at: 2,
        last: 4,
      });
    expect(inspection.view().source).toMatchObject({ following: true });
    expect(recordings.follow(false)).toBeUndefined();
    expect(inspection.view().source).toMatchObject({ following: false });
  }, 15_000);

  it('leaves out a line that was written half while it is followed, and says so', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    const lines = readLines(3, 400).map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(file, `{"type":"assis\n${lines.join('')}`);
    await expect.poll(() => inspection.view().travel.last, { timeout: 8_000 }).toBe(4);
    expect(inspection.view().source).toMatchObject({
      following: true,
      notes: [expect.stringMatching(/^Line 8 left out; it cannot be read: column \d+: /)],
    });
    expect(inspection.view().problem).toBeUndefined();
  }, 15_000);

  it('lets the user choose another policy while it grows, and shows what it grew by', async () => {
    const { recordings, inspection, file } = desk(recorded(40));
    await recordings.open(file, GOING);
    recordings.follow(true);
    const lines = readLines(40, 400).map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(file, lines.join(''));
    const { settings } = inspection.view();
    // Whatever is replayed of the growth by then gives way.
    expect(await recordings.apply({ ...settings, policy: 'salience' }, GOING)).toBeUndefined();
    expect(inspection.view().policy).toBe('salience');
    await expect.poll(() => inspection.view().travel.last, { timeout: 8_000 }).toBe(41);
    expect(inspection.view().policy).toBe('salience');
  }, 15_000);

  it('is another session than a recording of the same name opened before', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    await recordings.open(file, GOING);
    const first = inspection.view();
    await recordings.open(file, GOING);
    const second = inspection.view();
    expect(second.title).toBe(first.title);
    expect(second.session).not.toBe(first.session);
  });

  it('stands in a window that holds what its API counted and the file does not hold', async () => {
    const lines = recorded(4, 400, { counted: 27_142 });
    const { recordings, inspection, file } = desk(lines);
    await recordings.open(file, GOING);
    await inspection.travelTo(1);
    const { balance, travel, source } = inspection.view();
    expect([balance.used, balance.source]).toEqual([{ tokens: 27_142, exact: true }, 'recorded']);
    const { unrecorded } = balance.categories;
    const held = 27_142 - unrecorded;
    expect(source).toMatchObject({
      lacks: `The API counted 27,142 tokens in its first request, of which the file holds ≈ ${held}. The other ≈ ${unrecorded.toLocaleString('en-US')}, such as its system prompt and tools, and what it counted later beyond the file, such as thinking, are not in the recording and stand in the window as a part of their own.`,
    });
    expect(travel.recordedTokens).toBe(27_142);
    const { points } = inspection.timeline();
    expect(points.map(({ recordedTokens }) => recordedTokens)).toEqual([
      27_142, 27_316, 27_490, 27_664,
    ]);
    expect(points[0]!.system).toBeGreaterThanOrEqual(unrecorded);
    for (const { system, archive, working, exact, recordedTokens } of points) {
      expect([system + archive + working, exact]).toEqual([recordedTokens, true]);
    }
    const { categories, headroom, reserved, contextWindowTokens } = balance;
    const parts = [...Object.values(categories), headroom, ...Object.values(reserved)];
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(contextWindowTokens);
    expect(inspection.requestAt('next')!.notes.join(' ')).toContain(
      'that are not in the recording',
    );
  });

  it('is planned for that window, in a replay as in what if', async () => {
    const lines = { counted: 20_000 };
    const { recordings, inspection, file } = desk(recorded(30, 1_200, lines));
    await recordings.open(file, GOING);
    const small = { ...inspection.view().settings, windowTokens: 44_000 };
    const { unrecorded } = inspection.view().balance.categories;
    const tried = await inspection.whatIf(small);
    expect(tried).toMatchObject({ ok: true, due: true });
    expect(tried.ok && tried.balance.categories.unrecorded).toBe(unrecorded);
    await recordings.apply(small, GOING);
    expect(inspection.view().passes.length).toBeGreaterThan(0);
    const { categories } = inspection.view().balance;
    // What was thought in steps that left is gone with them; system prompt and tools stay.
    expect(categories.unrecorded).toBeLessThan(unrecorded);
    expect(categories.unrecorded).toBeGreaterThan(19_000);
  });

  it('says that its window was fuller where nobody counted, and nothing where all is counted', async () => {
    const uncounted = desk(recorded(2, 400, { counted: -10_000 }));
    await uncounted.recordings.open(uncounted.file, GOING);
    expect(uncounted.inspection.view().source).toMatchObject({
      lacks: expect.stringMatching(/^The file holds no system prompt and no tools: .*fuller/),
    });
    const { balance } = uncounted.inspection.view();
    expect(balance.categories.unrecorded).toBe(0);
    const whole = desk(recorded(1, 400, { counted: 1 }));
    await whole.recordings.open(whole.file, GOING);
    expect(whole.inspection.view().source).not.toHaveProperty('lacks');
    const thought = desk(recorded(9, 400, { counted: 1 }));
    await thought.recordings.open(thought.file, GOING);
    expect(thought.inspection.view().source).toMatchObject({
      lacks: expect.stringMatching(
        /^The API counted more than the file holds: ≈ \d+ tokens of the/,
      ),
    });
  });

  it('has the window of its own model, else the one assumed, else the one chosen', async () => {
    const inForce = validWith({}, { model: 'claude-opus-4-8' });
    const { recordings, inspection, file } = desk(recorded(2, 400, { model: '' }), inForce);
    await recordings.open(file, GOING);
    const { model, windowSource, balance, settings } = inspection.view();
    expect([model, balance.contextWindowTokens, windowSource]).toEqual([
      'model not recorded',
      200_000,
      'assumed',
    ]);
    await recordings.apply({ ...settings, windowTokens: 60_000 }, GOING);
    expect(inspection.view().windowSource).toBe('chosen here');
    await recordings.apply({ ...settings, policy: 'salience' }, GOING);
    expect(inspection.view().windowSource).toBe('assumed');
  });

  it('has the window its file says, also where that comes while it grows', async () => {
    const line = (type: string, payload: object) => `${JSON.stringify({ type, payload })}\n`;
    const says = (role: string, text: string) =>
      line('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] });
    const opening = [
      line('session_meta', { id: 'one' }),
      line('turn_context', { model: 'gpt-5.4' }),
      says('user', 'Go'),
      says('assistant', 'Gone.'),
    ].join('');
    // The window it names is too small for this watermark in the end.
    const inForce = validWith({ highWatermark: 150_000, lowWatermark: 60_000 });
    const { recordings, inspection, file } = desk(opening, inForce);
    await recordings.open(file, GOING);
    expect(inspection.view().windowSource).toBe('assumed');
    recordings.follow(true);
    const info = { model_context_window: 258_400, last_token_usage: { input_tokens: 9_000 } };
    appendFileSync(file, line('event_msg', { type: 'token_count', info }));
    await expect
      .poll(() => inspection.view().windowSource, { timeout: 8_000 })
      .toBe('from the recording');
    expect(inspection.view().balance.contextWindowTokens).toBe(258_400);
    expect(inspection.view().source).not.toHaveProperty('setAside');
    const smaller = { ...info, model_context_window: 100_000 };
    appendFileSync(file, line('event_msg', { type: 'token_count', info: smaller }));
    await expect
      .poll(() => inspection.view().source, { timeout: 8_000 })
      .toHaveProperty('setAside');
    expect(inspection.view().windowSource).toBe('assumed');
    expect(inspection.view().problem).toBeUndefined();
  }, 15_000);

  it('is not replayed while nobody sees it, and catches up when somebody does', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    recordings.setSeen(false);
    appendFileSync(
      file,
      readLines(3, 400)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    await setTimeout(600);
    expect(inspection.view().travel.last).toBe(3);
    expect(inspection.view().source).toMatchObject({ following: true });
    recordings.setSeen(true);
    await expect.poll(() => inspection.view().travel.last, { timeout: 8_000 }).toBe(4);
  }, 15_000);

  it('is not replayed again for being followed', async () => {
    const { recordings, file } = desk(recorded(3));
    await recordings.open(file, GOING);
    const { window } = recordings.inspected!;
    recordings.follow(true);
    await setTimeout(600);
    expect(recordings.inspected!.window).toBe(window);
  });

  it('forgets what was wrong with its file when it is not followed any more', async () => {
    const { recordings, inspection, file, seen } = desk(recorded(3));
    await recordings.open(file, GOING);
    recordings.follow(true);
    rmSync(file);
    await expect.poll(() => seen.problems.length, { timeout: 8_000 }).toBeGreaterThan(0);
    expect(inspection.view().problem).toContain('cannot be read any more');
    recordings.follow(false);
    expect(inspection.view().problem).toBeUndefined();
  }, 15_000);

  it('is opened again as it was looked at, under its name, or says that the file is gone', async () => {
    const first = desk(recorded(3));
    await first.recordings.open(first.file, GOING);
    await first.recordings.open(first.file, GOING);
    const { settings } = first.inspection.view();
    await first.recordings.apply({ ...settings, policy: 'salience', windowTokens: 60_000 }, GOING);
    first.recordings.follow(true);
    const kept = first.recordings.kept!;
    const later = desk(recorded(3));
    expect(await later.recordings.reopen(kept, GOING)).toBeUndefined();
    expect(later.inspection.view()).toMatchObject({
      session: first.inspection.view().session,
      policy: 'salience',
      windowSource: 'chosen here',
      source: { following: true },
    });
    expect(later.recordings.kept).toEqual(kept);
    later.recordings.close();
    expect(later.recordings.kept).toBeUndefined();
    rmSync(first.file);
    expect(await later.recordings.reopen(kept, GOING)).toEqual({
      ok: false,
      message: expect.stringContaining('cannot be read (ENOENT)'),
      cause: 'lost',
    });
    expect(later.recordings.inspected).toBeUndefined();
  });

  it('tells apart why it is not opened again', async () => {
    const { recordings, file } = desk(recorded(2));
    const kept = { file, number: 1, following: false };
    const cause = async (from: typeof kept, signal = GOING) =>
      (await recordings.reopen(from, signal))?.cause;
    expect(await cause(kept, AbortSignal.abort())).toBe('stopped');
    // It is there, and cannot be read.
    expect(await cause({ ...kept, file: dirname(file) })).toBe('other');
    writeFileSync(file, 'no recording at all');
    expect(await cause(kept)).toBe('lost');
    rmSync(file);
    expect(await cause(kept)).toBe('lost');
  });

  it('has a name of its own also where another is opened at the same time, and is not followed for it', async () => {
    const { recordings, inspection, file } = desk(recorded(3));
    const other = desk(recorded(4));
    const first = recordings.open(file, GOING);
    const second = recordings.open(other.file, GOING);
    await first;
    expect(inspection.view().session).toMatch(/^recording-1-/);
    recordings.follow(true);
    await second;
    expect(inspection.view().session).toMatch(/^recording-2-/);
    expect(inspection.view()).toMatchObject({ step: 4, source: { following: false } });
  });

  it('lets a wish of the user go before growth that waits for its turn', async () => {
    const { recordings, inspection, file, gate, shown } = desk(recorded(3));
    await recordings.open(file, GOING);
    const { settings } = inspection.view();
    recordings.follow(true);
    gate.close();
    const first = recordings.apply({ ...settings, policy: 'salience' }, GOING);
    const lines = readLines(3, 400).map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(file, lines.join(''));
    // The follower reads meanwhile, and what it read waits for the replay that runs.
    await setTimeout(1_200);
    const second = recordings.apply({ ...settings, policy: 'headTail' }, GOING);
    shown.length = 0;
    gate.open();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    await expect.poll(() => inspection.view().travel.last, { timeout: 8_000 }).toBe(4);
    expect(shown).toEqual(['salience 3', 'headTail 3', 'headTail 4']);
  }, 15_000);
});
