import { describe, expect, it } from 'vitest';
import type { ToolResult, ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { asOnDisk } from '../../../src/contextWindow/files/asOnDisk';
import type { FileChoice, Lines } from '../../../src/contextWindow/files/fileChoices';
import type { KnownFile } from '../../../src/contextWindow/files/knownFile';
import { pageIn } from '../../../src/contextWindow/files/pageIn';
import { foldNew, passThat, promptEvent, resultEvent } from '../../support/drawing';
import { estimate } from '../../support/player';
import { numbered } from './support/files';
import { expectLinesOf } from '../../support/shownText';

const PATH = 'a.ts';
const LINES = Array.from({ length: 120 }, (_, at) => `const line${at + 1} = ${at + 1};`);

const asked = (id: string, use: Omit<ToolUse, 'id'>): NewEvent => ({
  type: 'replyReceived',
  model: 'test',
  parts: [{ type: 'toolUse', use: { id: id as ToolUseId, ...use } }],
  stopReason: 'tool_use',
  usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
  durationMs: 1,
});

const EDIT = {
  name: 'edit_file',
  input: { path: PATH, old_text: LINES[59], new_text: 'changed' },
};

const CHANGED: ToolResult = {
  text: 'Changed.',
  isError: false,
  origin: 'ran',
  durationMs: 1,
  admission: { form: 'whole' },
};

/**
 * The lines sent with the result of an edit of line 60, with the read of the file in the window or
 * not.
 */
function brought(
  more: {
    readonly stays?: boolean;
    readonly choices?: readonly (readonly [FileChoice, Lines?])[];
    readonly inputBudget?: number;
    readonly asItIs?: (file: KnownFile) => KnownFile;
  } = {},
) {
  const choices = (more.choices ?? []).map(([choice, lines]): NewEvent => ({
    type: 'fileChosen',
    path: PATH,
    choice,
    ...(lines === undefined ? {} : { lines }),
  }));
  const window = foldNew([
    promptEvent('Change line 60'),
    asked('read', { name: 'read_file', input: { path: PATH } }),
    resultEvent('read', numbered(LINES, 1)),
    ...(more.stays === true ? [] : [passThat('evict', ['step-1'])]),
    ...choices,
    asked('edit', EDIT),
  ]);
  const { inputBudget = 80_000 } = more;
  return pageIn(window, 'edit' as ToolUseId, CHANGED, { inputBudget }, estimate, more.asItIs);
}

const numbersOf = (shown: ReturnType<typeof brought>): readonly number[] =>
  shown.flatMap(({ first, text }) => text.split('\n').map((_, index) => first! + index));

describe('the lines sent with an edit’s result', () => {
  it('are the current ones around the edit, if the window no longer shows them', () => {
    const shown = brought();
    expect(numbersOf(shown)).toEqual(expect.arrayContaining([59, 60, 61]));
    for (const part of shown) {
      expect(part.path).toBe(PATH);
      expectLinesOf(LINES.with(59, 'changed'), part);
    }
  });

  it('are none if the window shows the file', () => {
    expect(brought({ stays: true })).toEqual([]);
  });

  it('take at most a tenth of the input budget, and 4,000 tokens', () => {
    const tokens = (inputBudget: number) =>
      brought({ inputBudget }).reduce((sum, { text }) => sum + estimate(text), 0);
    expect(tokens(20_000)).toBeGreaterThan(0);
    expect(tokens(20_000)).toBeLessThanOrEqual(2_000);
    expect(tokens(1_000_000)).toBeLessThanOrEqual(4_000);
  });

  it('are mostly below the edit, where the next edits of a file mostly are', () => {
    const numbers = numbersOf(brought({ inputBudget: 4_000 }));
    const below = numbers.filter((number) => number > 60);
    const above = numbers.filter((number) => number < 60);
    expect(above.length).toBeGreaterThan(0);
    expect(below.length).toBeGreaterThan(1.5 * above.length);
  });

  it('reach no further than 150 lines down and 50 up if the window shows more of the file', () => {
    const lines = Array.from({ length: 600 }, (_, at) => `const line${at + 1} = ${at + 1};`);
    const edit = { path: PATH, old_text: lines[299], new_text: 'changed' };
    const numbersWith = (visible: number): readonly number[] => {
      const window = foldNew([
        promptEvent('Change line 300'),
        asked('read', { name: 'read_file', input: { path: PATH } }),
        resultEvent('read', numbered(lines, 1)),
        passThat('evict', ['step-1']),
        asked('again', { name: 'read_file', input: { path: PATH } }),
        resultEvent('again', numbered(lines.slice(0, visible), 1)),
        asked('edit', { ...EDIT, input: edit }),
      ]);
      const shown = pageIn(window, 'edit' as ToolUseId, CHANGED, { inputBudget: 80_000 }, estimate);
      return numbersOf(shown);
    };
    const many = numbersWith(100);
    expect(Math.min(...many)).toBeGreaterThan(300 - 50 - 12);
    expect(Math.max(...many)).toBeGreaterThan(300 + 100);
    expect(Math.max(...many)).toBeLessThan(300 + 150 + 12);
    expect(Math.max(...numbersWith(50))).toBeGreaterThan(300 + 150 + 12);
  });

  it('never include lines chosen as never', () => {
    expect(brought({ choices: [['never']] })).toEqual([]);
    const lines = { first: 50, last: 70 };
    const numbers = numbersOf(brought({ choices: [['never', lines]] }));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.filter((number) => number >= 50 && number <= 70)).toEqual([]);
  });

  it('begin with lines chosen as always', () => {
    const lines = { first: 1, last: 5 };
    const few = { inputBudget: 4_000 };
    expect(numbersOf(brought(few))).not.toContain(1);
    const numbers = numbersOf(brought({ ...few, choices: [['always', lines]] }));
    expect(numbers).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]));
  });

  it('are those on disk, with a note if something else changed the file', () => {
    const now = ['first', ...LINES.with(59, 'changed').with(57, 'by another')];
    const shown = brought({ asItIs: (file) => asOnDisk(file, now.join('\n')) });
    expect(numbersOf(shown)).toContain(61);
    for (const part of shown) {
      expectLinesOf(now, part);
      expect(part.changedOutside).toBe(true);
    }
  });
});
