import { describe, expect, it } from 'vitest';
import {
  recordingSettings,
  settingsAsChosen,
  settingsGrown,
} from '../../../src/editor/recordings/recordingSettings';
import { whatIfSettings } from '../../../src/editor/contextPanel/whatIf/derive';
import type { Transcript } from '../../../src/sessions/transcript';
import { validWith } from '../contextPanel/support/inspecting';

/** A recording of an unknown model, whose file names this window. */
function recordingOf(windowTokens?: number): Transcript {
  const window = windowTokens === undefined ? {} : { windowTokens };
  return { format: 'codex', system: '', tools: [], entries: [], notes: [], ...window };
}

/** The settings a recording begins with, or why there are none. */
function begun(context: Parameters<typeof validWith>[0], windowTokens?: number) {
  const result = recordingSettings(validWith(context), recordingOf(windowTokens));
  if (!result.ok) return result.message;
  const { setAside, inForce } = result;
  const { budget, windowSource } = inForce;
  const { contextWindowTokens, highTokens, maxReplyTokens } = budget;
  return { setAside, windowSource, contextWindowTokens, highTokens, maxReplyTokens };
}

const IN_TOKENS = { highWatermark: 120_000, lowWatermark: 60_000 };

describe('the settings of a recording', () => {
  it('apply in full if they fit the window it names', () => {
    expect(begun(IN_TOKENS, 258_400)).toEqual({
      setAside: undefined,
      windowSource: 'from the recording',
      contextWindowTokens: 258_400,
      highTokens: 120_000,
      maxReplyTokens: 4_096,
    });
  });

  it("have the window that the agent's own compactions show, not the larger one of the model", () => {
    const usage = { inputTokens: 155_000, cacheCreationTokens: 0, cacheReadTokens: 0 };
    const reply = {
      type: 'reply' as const,
      model: 'claude-opus-4-6',
      parts: [],
      results: [],
      usage: { ...usage, outputTokens: 1 },
    };
    const windowOf = (compacted: { readonly byUser?: true } | undefined, inputTokens = 155_000) => {
      const entries: Transcript['entries'] = [
        { ...reply, usage: { ...reply.usage, inputTokens } },
        ...(compacted === undefined
          ? []
          : [{ type: 'compacted' as const, summary: 'So far.', ...compacted }]),
      ];
      const result = recordingSettings(validWith({}), { ...recordingOf(), entries });
      return result.ok && result.inForce.budget.contextWindowTokens;
    };
    expect(windowOf({})).toBe(200_000);
    expect(windowOf(undefined)).toBe(1_000_000);
    expect(windowOf({ byUser: true })).toBe(1_000_000);
    expect(windowOf({}, 640_000)).toBe(1_000_000);
  });

  it('win over the window it names, which is ignored if they do not fit it', () => {
    expect(begun(IN_TOKENS, 64_000)).toEqual({
      setAside:
        'Ignored here, because it does not fit: the window of 64,000 tokens in the file. plimsoll.context.highWatermark must be below the input budget of 49,664 tokens, not 120000.',
      windowSource: 'assumed',
      contextWindowTokens: 200_000,
      highTokens: 120_000,
      maxReplyTokens: 4_096,
    });
    expect(begun({}, 5_000)).toMatchObject({
      setAside: expect.stringContaining('the window of 5,000 tokens in the file. '),
      contextWindowTokens: 200_000,
    });
  });

  it('are the defaults if neither fits, with the window it names if the defaults fit that', () => {
    const large = { windowTokens: 1_000_000, highWatermark: 400_000, lowWatermark: 250_000 };
    const sizes = 'your watermarks and reserves (the defaults apply). ';
    const highTokens = Math.floor((258_400 - 14_872) * 0.8);
    expect(begun(large, 258_400)).toMatchObject({
      setAside: expect.stringContaining(`does not fit: ${sizes}`),
      windowSource: 'from the recording',
      contextWindowTokens: 258_400,
      highTokens,
      maxReplyTokens: 4_096,
    });
    expect(begun(large, 5_000)).toMatchObject({
      setAside: expect.stringContaining(`the window of 5,000 tokens in the file, and ${sizes}`),
      contextWindowTokens: 200_000,
    });
    expect(begun(large)).toMatchObject({
      setAside: expect.stringContaining(`does not fit: ${sizes}`),
      windowSource: 'assumed',
    });
  });

  it('are the defaults even if its model has settings of its own', () => {
    const set = { highWatermark: 150_000, prepareWatermark: 140_000, maxReplyTokens: 60_000 };
    expect(begun({ models: { 'model not*': set } }, 100_000)).toMatchObject({
      setAside: expect.stringMatching(
        /\(the defaults apply\)\. plimsoll\.context\.models\["model not\*"\]/,
      ),
      contextWindowTokens: 100_000,
      maxReplyTokens: 4_096,
    });
  });

  it('are refused if the window configured for its model is too small for any settings', () => {
    expect(begun({ models: { 'model*': { windowTokens: 5_000 } } })).toMatch(
      /windowTokens leaves an input budget of/,
    );
  });

  it('lose the choice without a question if it no longer fits', () => {
    const base = validWith();
    const chosen = {
      ...whatIfSettings(base.settings.context, 'salience'),
      highWatermark: 150_000,
    };
    const open = { transcript: recordingOf(258_400), base };
    const before = recordingSettings(base, open.transcript, chosen);
    if (!before.ok) throw new Error(before.message);
    expect(before).toMatchObject({ policy: 'salience', chosen, setAside: undefined });
    expect(settingsGrown({ ...open, ...before }, recordingOf(258_400))).toEqual(before);
    const grown = recordingOf(100_000);
    expect(recordingSettings(base, grown, chosen)).toMatchObject({ ok: false });
    const lost = {
      ok: true,
      policy: 'ladder',
      chosen: undefined,
      setAside:
        'What you chose for this replay no longer fits it and is ignored. plimsoll.context.highWatermark must be below the input budget of 85,664 tokens, not 150000.',
    };
    expect(settingsGrown({ ...open, ...before }, grown)).toMatchObject(lost);
    expect(settingsAsChosen(base, grown, chosen)).toMatchObject(lost);
  });
});
