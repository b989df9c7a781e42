import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validWith } from '../contextPanel/support/inspecting';
import { MODEL, GOING, recorded, recordingScene } from './support/recordingScene';

describe('the window of a recording', () => {
  it('uses the settings for its own model, not those for the current one', async () => {
    const inForce = validWith({
      windowTokens: 70_000,
      models: { [MODEL]: { windowTokens: 50_000 }, 'claude-sonnet*': { highWatermark: 0.6 } },
    });
    const { recordings, inspection, file } = recordingScene(recorded(2), inForce);
    await recordings.open(file, GOING);
    const { settings, balance } = inspection.view();
    expect(settings).toMatchObject({ windowTokens: 50_000, highWatermark: null });
    expect(balance.contextWindowTokens).toBe(50_000);
    const tried = { ...settings, windowTokens: 40_000 };
    expect(await recordings.apply(tried, GOING)).toBeUndefined();
    expect(inspection.view().balance.contextWindowTokens).toBe(40_000);
  });

  it('includes tokens that its API counted and its file does not contain', async () => {
    const lines = recorded(4, 400, { counted: 27_142 });
    const { recordings, inspection, file } = recordingScene(lines);
    await recordings.open(file, GOING);
    await inspection.travelTo(1);
    const { balance, travel, source } = inspection.view();
    expect([balance.used, balance.source]).toEqual([{ tokens: 27_142, exact: true }, 'recorded']);
    const { unrecorded } = balance.categories;
    expect(source).toMatchObject({
      origin: 'Reconstructed: this file has no system prompt or tools.',
      lacks: `≈ ${unrecorded.toLocaleString('en-US')} tokens of the first request, and later thinking, are not in the file; the bar shows them hatched.`,
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
      'that are missing from the recording',
    );
  });

  it('is planned for this size, both in a replay and in what-if', async () => {
    const lines = { counted: 20_000 };
    const { recordings, inspection, file } = recordingScene(recorded(30, 1_200, lines));
    await recordings.open(file, GOING);
    const small = { ...inspection.view().settings, windowTokens: 40_000 };
    const { unrecorded } = inspection.view().balance.categories;
    const tried = await inspection.whatIf(small);
    expect(tried).toMatchObject({ ok: true, due: true });
    expect(tried.ok && tried.balance.categories.unrecorded).toBe(unrecorded);
    await recordings.apply(small, GOING);
    expect(inspection.view().passes.length).toBeGreaterThan(0);
    const { categories } = inspection.view().balance;
    // Removed steps take their thinking with them; system prompt and tools stay.
    expect(categories.unrecorded).toBeLessThan(unrecorded);
    expect(categories.unrecorded).toBeGreaterThan(19_000);
  });

  it('says that the real window was fuller if nothing was counted, and nothing if all was counted', async () => {
    const uncounted = recordingScene(recorded(2, 400, { counted: -10_000 }));
    await uncounted.recordings.open(uncounted.file, GOING);
    expect(uncounted.inspection.view().source).toMatchObject({
      lacks: expect.stringMatching(/^The window of its agent was fuller/),
    });
    const { balance } = uncounted.inspection.view();
    expect(balance.categories.unrecorded).toBe(0);
    const whole = recordingScene(recorded(1, 400, { counted: 1 }));
    await whole.recordings.open(whole.file, GOING);
    expect(whole.inspection.view().source).not.toMatchObject({
      lacks: expect.anything() as unknown,
    });
    const thought = recordingScene(recorded(9, 400, { counted: 1 }));
    await thought.recordings.open(thought.file, GOING);
    expect(thought.inspection.view().source).toMatchObject({
      lacks: expect.stringMatching(
        /^≈ \d+ tokens of the window, such as thinking, are not in the file/,
      ),
    });
  });

  it('has the size of its own model, else the assumed one, else the chosen one', async () => {
    const inForce = validWith({}, { model: 'claude-opus-4-8' });
    const { recordings, inspection, file } = recordingScene(
      recorded(2, 400, { model: '' }),
      inForce,
    );
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

  it('has the size in its file, also if that arrives later', async () => {
    const line = (type: string, payload: object) => `${JSON.stringify({ type, payload })}\n`;
    const says = (role: string, text: string) =>
      line('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] });
    const opening = [
      line('session_meta', { id: 'one' }),
      line('turn_context', { model: 'gpt-5.4' }),
      says('user', 'Go'),
      says('assistant', 'Gone.'),
    ].join('');
    // The window that it names at the end is too small for this watermark.
    const inForce = validWith({ highWatermark: 150_000, lowWatermark: 60_000 });
    const { recordings, inspection, file } = recordingScene(opening, inForce);
    await recordings.open(file, GOING);
    expect(inspection.view().windowSource).toBe('assumed');
    recordings.follow(true);
    const info = { model_context_window: 258_400, last_token_usage: { input_tokens: 9_000 } };
    appendFileSync(file, line('event_msg', { type: 'token_count', info }));
    await expect.poll(() => inspection.view().windowSource).toBe('from the recording');
    expect(inspection.view().balance.contextWindowTokens).toBe(258_400);
    expect(inspection.view().source).not.toMatchObject({ setAside: expect.anything() as unknown });
    const smaller = { ...info, model_context_window: 100_000 };
    appendFileSync(file, line('event_msg', { type: 'token_count', info: smaller }));
    await expect
      .poll(() => inspection.view().source)
      .toMatchObject({ setAside: expect.any(String) as unknown });
    expect(inspection.view().windowSource).toBe('assumed');
    expect(inspection.view().problem).toBeUndefined();
  });
});
