import { describe, expect, it } from 'vitest';
import type { Block, StepBlock, ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { groundingOf } from '../../../src/replay/measures/grounding';
import { prompt, read, said, edit, type Move } from '../support/recording';
import { replayed } from '../support/replayed';

/** The window of a recording's last request, nothing evicted. */
async function windowOf(...moves: readonly Move[]): Promise<ContextWindow> {
  return (await replayed([...moves, said('Done.')], 'none', 100_000)).window;
}

function replaces(path: string, before: string): ToolUse {
  const input = { file_path: path, old_string: before, new_string: 'something else' };
  return { id: 'next' as ToolUseId, name: 'Edit', input };
}

function changed(window: ContextWindow, change: (step: StepBlock) => StepBlock): ContextWindow {
  const blocks = window.blocks.mapped((block): Block =>
    block.kind === 'step' ? change(block) : block,
  );
  return { ...window, blocks };
}

const [TEXT, OTHER] = ['const limit = 40;\nconst rest = 2;', 'never to be seen'];

describe('grounding', () => {
  it('finds the text of an edit in the result of the earlier read', async () => {
    const window = await windowOf(prompt('Go'), read('a.ts', `first\n${TEXT}\nlast`));
    const found = groundingOf(window, [replaces('a.ts', TEXT), replaces('a.ts', OTHER)]);
    expect(found.edits).toEqual({ visible: 1, total: 2 });
  });

  it.each([
    ['arrow', '    1→const limit = 40;\n    2→const rest = 2;'],
    ['tab', '1\tconst limit = 40;\n2\tconst rest = 2;'],
    ['bar', ' 9 | const limit = 40;\n10 | const rest = 2;'],
    ['colon', '1: const limit = 40;\n2: const rest = 2;'],
  ])('ignores line numbers: %s', async (_, numbered) => {
    const window = await windowOf(prompt('Go'), read('a.ts', numbered));
    expect(groundingOf(window, [replaces('a.ts', TEXT)]).edits.visible).toBe(1);
  });

  it("finds the agent's own text in the input of a call", async () => {
    const window = await windowOf(prompt('Go'), edit('a.ts', 'old', TEXT));
    expect(groundingOf(window, [replaces('a.ts', TEXT)]).edits.visible).toBe(1);
  });

  it('finds texts in the system prompt and the project memory', async () => {
    const window = await windowOf(prompt('Go'));
    const memory = [{ path: 'AGENTS.md', text: OTHER, chars: OTHER.length }];
    const told = { ...window, preamble: { ...window.preamble, system: TEXT, memory } };
    const uses = [replaces('AGENTS.md', TEXT), replaces('b.ts', OTHER)];
    expect(groundingOf(told, uses)).toEqual({
      edits: { visible: 2, total: 2 },
      editsLost: [],
      paths: { visible: 1, total: 2 },
    });
  });

  it('finds a path anywhere', async () => {
    const window = await windowOf(prompt('Mend src/a.ts'));
    const found = groundingOf(window, [replaces('src/a.ts', OTHER), replaces('src/b.ts', OTHER)]);
    expect(found.paths).toEqual({ visible: 1, total: 2 });
  });

  it('does not find cleared results', async () => {
    const window = await windowOf(prompt('Go'), read('a.ts', TEXT));
    const cleared = changed(window, (step) => ({
      ...step,
      state: 'cleared',
      pairs: step.pairs.map((pair) => ({ ...pair, cleared: true })),
    }));
    const found = groundingOf(cleared, [replaces('a.ts', TEXT)]);
    expect(found.edits.visible).toBe(0);
    expect(found.paths.visible).toBe(1);
  });

  it('does not find text that was cut out of a result', async () => {
    const text = `head ${'.'.repeat(400)} ${TEXT} ${'.'.repeat(400)} tail`;
    const window = await windowOf(prompt('Go'), read('a.ts', text));
    const truncated = changed(window, (step) => ({
      ...step,
      state: 'truncated',
      pairs: step.pairs.map((pair) => ({
        ...pair,
        result: {
          ...pair.result!,
          admission: {
            form: 'truncated',
            headChars: 100,
            tailChars: 100,
            tokensBefore: 300,
            tokensAfter: 100,
            capTokens: 100,
          },
        },
      })),
    }));
    expect(groundingOf(truncated, [replaces('a.ts', TEXT)]).edits.visible).toBe(0);
    expect(groundingOf(truncated, [replaces('a.ts', 'tail')]).edits.visible).toBe(1);
  });

  it('does not find evicted blocks', async () => {
    const window = await windowOf(prompt('Go'), read('a.ts', TEXT));
    const evicted = changed(window, (step) => ({ ...step, state: 'evicted' }));
    expect(groundingOf(evicted, [replaces('a.ts', TEXT)])).toEqual({
      edits: { visible: 0, total: 1 },
      editsLost: ['next#0'],
      paths: { visible: 0, total: 1 },
    });
  });

  it('needs nothing for calls that neither replace a text nor name a path', async () => {
    const window = await windowOf(prompt('Go'));
    const use: ToolUse = { id: 'next' as ToolUseId, name: 'Bash', input: { command: 'ls' } };
    expect(groundingOf(window, [use]).edits.total).toBe(0);
    expect(groundingOf(window, [use]).paths.total).toBe(0);
  });
});
