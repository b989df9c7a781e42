import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/window';
import { EMPTY_WINDOW, fold } from '../../src/contextWindow/fold';
import { recall } from '../../src/tools/recall';
import { scratchpadText } from '../../src/contextWindow/scratchpad';
import { scratchpadTool } from '../../src/tools/scratchpadTool';
import { call, errorOf, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

/** A session of one step whose result was truncated on admission. */
function windowWith(result: string): ContextWindow {
  const use = { id: 'toolu_1' as ToolUseId, name: 'read_file', input: { path: 'a.js' } };
  return fold([
    { type: 'promptSubmitted', at: 1, turn: 1, text: 'Fix it', admission: { form: 'whole' } },
    {
      type: 'replyReceived',
      at: 2,
      step: 1,
      model: 'm',
      parts: [{ type: 'toolUse', use }],
      stopReason: 'tool_use',
      usage: { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
      durationMs: 1,
    },
    {
      type: 'toolFinished',
      at: 3,
      toolUseId: use.id,
      text: result,
      isError: false,
      origin: 'ran',
      durationMs: 1,
      admission: {
        form: 'truncated',
        headChars: 3,
        tailChars: 3,
        tokensBefore: 9,
        tokensAfter: 6,
        capTokens: 6,
      },
    },
  ]);
}

const recalled = async (input: Record<string, unknown>, window: ContextWindow) =>
  (await call(recall, input, tempFolder(), window)).text;

describe('recall', () => {
  it('lists everything removed from the window if no handle is given', async () => {
    expect(await recalled({}, windowWith('0123456789'))).toBe(
      'These were removed from the context window in whole or in part:\nstep-1 (truncated): read_file a.js',
    );
    expect(await recalled({}, EMPTY_WINDOW)).toBe(
      'Nothing was removed: the whole session is in the context window.',
    );
  });

  it('returns a result or a whole block by its handle', async () => {
    const window = windowWith('0123456789');
    expect(await recalled({ handle: 'toolu_1' }, window)).toBe(
      'toolu_1, characters 0-10 of 10\n0123456789',
    );
    expect(await recalled({ handle: 'prompt-1' }, window)).toBe(
      'prompt-1, characters 0-6 of 6\nFix it',
    );
  });

  it('returns a part and says how to continue', async () => {
    const window = windowWith('0123456789');
    expect(await recalled({ handle: 'toolu_1', offset: 2, limit: 3 }, window)).toBe(
      'toolu_1, characters 2-5 of 10; for more, call again with offset 5\n234',
    );
    expect(await recalled({ handle: 'toolu_1', offset: 8, limit: 3 }, window)).toBe(
      'toolu_1, characters 8-10 of 10\n89',
    );
    const long = await recalled({ handle: 'toolu_1' }, windowWith('x'.repeat(8_001)));
    expect(long.split('\n')[0]).toBe(
      'toolu_1, characters 0-8000 of 8001; for more, call again with offset 8000',
    );
  });

  it('does not cut a character in two', async () => {
    const window = windowWith('a😀b😀');
    expect(await recalled({ handle: 'toolu_1', limit: 2 }, window)).toContain('\na😀');
    expect(await recalled({ handle: 'toolu_1', offset: 2, limit: 1 }, window)).toContain('3-4');
    expect(await recalled({ handle: 'toolu_1', offset: 1, limit: 1 }, window)).toContain('\n😀');
  });

  it('lists the handles if the handle is unknown, and the length if the offset is too large', async () => {
    const window = windowWith('0123456789');
    expect(await errorOf(recall, { handle: 'toolu_2' }, tempFolder(), window)).toBe(
      'The handle "toolu_2" does not exist. These were removed from the context window in whole or ' +
        'in part:\nstep-1 (truncated): read_file a.js',
    );
    expect(await errorOf(recall, { handle: 'toolu_1', offset: 10 }, tempFolder(), window)).toBe(
      'toolu_1 has 10 characters; offset 10 is past its end.',
    );
    expect(await recalled({ handle: 'toolu_1' }, windowWith(''))).toBe(
      'toolu_1, characters 0-0 of 0\n',
    );
  });

  it('runs without approval', async () => {
    const prepared = await prepare(recall, {}, tempFolder());
    expect(prepared.approval).toBeUndefined();
  });
});

describe('update_scratchpad', () => {
  const notes = {
    objective: 'Green tests',
    keyFacts: ['limit is in zones.js'],
    decisions: [],
    currentStep: 'reading',
    blockers: [],
  };
  const window: ContextWindow = { ...EMPTY_WINDOW, scratchpad: notes };

  it('replaces the given fields and keeps the rest', async () => {
    const input = { key_facts: ['a', 'b'], current_step: '' };
    expect(await call(scratchpadTool([]), input, tempFolder(), window)).toEqual({
      text: 'Scratchpad updated: key_facts, current_step.',
      isError: false,
      scratchpad: { ...notes, keyFacts: ['a', 'b'], currentStep: '' },
    });
  });

  it('accepts every field', async () => {
    const input = {
      objective: 'o',
      key_facts: ['k'],
      decisions: ['d'],
      current_step: 'c',
      blockers: ['b'],
    };
    expect((await call(scratchpadTool([]), input, tempFolder(), window)).scratchpad).toEqual({
      objective: 'o',
      keyFacts: ['k'],
      decisions: ['d'],
      currentStep: 'c',
      blockers: ['b'],
    });
  });

  it('accepts lists that the user added, and keeps those no longer configured', async () => {
    const tool = scratchpadTool([
      { name: 'API contracts', description: 'What callers rely on.' },
      { name: 'Do not touch', description: 'Files that must not change.' },
    ]);
    const { properties } = tool.definition.inputSchema as {
      readonly properties: Readonly<Record<string, { readonly description: string }>>;
    };
    expect(Object.keys(properties).slice(-2)).toEqual(['api_contracts', 'do_not_touch']);
    expect(properties['do_not_touch']?.description).toBe(
      'Do not touch: Files that must not change.',
    );
    const old = { name: 'Old', items: ['kept'] };
    const before = { ...EMPTY_WINDOW, scratchpad: { ...notes, lists: [old] } };
    const output = await call(tool, { api_contracts: ['no throw'] }, tempFolder(), before);
    expect(output.text).toBe('Scratchpad updated: api_contracts.');
    expect(output.scratchpad).toEqual({
      ...notes,
      lists: [old, { name: 'API contracts', items: ['no throw'] }],
    });
    expect(scratchpadText(output.scratchpad!)).toContain(
      'Old:\n- kept\nAPI contracts:\n- no throw',
    );
    expect(await errorOf(tool, { old: ['x'] }, tempFolder(), before)).toContain('"old"');
    const long = { do_not_touch: Array(31).fill('x') };
    expect(await errorOf(tool, long, tempFolder(), before)).toContain('"do_not_touch": Too big');
  });

  it('refuses an empty update and notes that are too long', async () => {
    expect(await errorOf(scratchpadTool([]), {}, tempFolder(), window)).toContain('at least one');
    expect(
      await errorOf(scratchpadTool([]), { objective: 'x'.repeat(2_001) }, tempFolder(), window),
    ).toContain('"objective": Too big');
    expect(
      await errorOf(scratchpadTool([]), { blockers: Array(31).fill('x') }, tempFolder(), window),
    ).toContain('"blockers": Too big');
  });
});
