import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockReason, blockWhy } from '../../../../src/editor/contextPanel/blocks/blockReason';
import type { Block } from '../../../../src/contextWindow/block';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { EMPTY_SCRATCHPAD } from '../../../../src/contextWindow/scratchpad';
import { budgetOf, draw, drawnEvents, foldNew, stepEvents } from '../../../support/drawing';
import { actions } from '../../../support/randomSession';
import { playedView, viewOf } from '../support/panelView';
import { passed } from '../../../contextWindow/support/planned';
import { runs } from '../../../support/runs';

describe('the reasons of the blocks', () => {
  it('exist for every block that is not whole; removed blocks have no category', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { view } = playedView(script, 12_000);
        for (const block of view.blocks) {
          const isOut = ['evicted', 'summarised', 'excluded'].includes(block.state);
          expect(block.reason.trim()).not.toBe('');
          expect(block.category === undefined).toBe(isOut);
          if (isOut) expect(block.tokens.tokens).toBe(0);
        }
      }),
      { numRuns: runs(15, 300) },
    );
  });

  it('say why a step weighs nothing, if the recorded counts leave no tokens for it', () => {
    const drawn = draw(`
      0 anchor task  30
      1 step   a.ts  40
      1 step   b.ts  40
    `);
    const [, first, second] = drawn.blocks.toArray();
    const sizes = new Map([[first!.id, { part: first!.id, unrecorded: 0, share: 0 }]]);
    const window: ContextWindow = {
      ...drawn,
      recorded: { tokens: 100, blocks: 3, sizes } as unknown as ContextWindow['recorded'] & object,
    };
    expect(blockWhy(window, first!)).toBe('the agent may have dropped it');
    expect(blockReason(window, first!)).toMatch(/leave no tokens for this step/);
    const cut = { ...first!, state: 'truncated' } as Block;
    const reason = { rule: 'truncateAtAdmission', cuts: [] };
    const decisions = new Map([[cut.id, { reason }]]) as unknown as ContextWindow['decisions'];
    expect(blockWhy({ ...window, decisions }, cut)).toBe('the agent may have dropped it');
    expect(blockReason({ ...window, decisions }, cut)).toMatch(/leave no tokens for this step/);
    expect(blockWhy({ ...drawn, decisions }, cut)).toBe('cut on arrival');
    expect(blockWhy(window, second!)).not.toMatch(/recorded/);
    expect(blockWhy(drawn, first!)).not.toMatch(/recorded/);
  });

  it('have at most six words on a row', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { view } = playedView(script, 6_000);
        for (const { why } of view.blocks) {
          expect(why).toMatch(/^\S+( \S+){0,5}$/);
          expect(why).not.toMatch(/[.:;,]$/);
        }
      }),
      { numRuns: runs(25, 500) },
    );
  });

  it('of a summary count what it replaced that was needed again, also in earlier summaries', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { window, view } = playedView(script, 6_000);
        const needed = new Set(window.refaults.toArray().map(({ blockId }) => `${blockId}`));
        const coversOf = (id: string) => view.blocks.find((block) => block.id === id)?.covers;
        const replaced = (id: string): readonly string[] =>
          coversOf(id)?.flatMap((covered) =>
            coversOf(covered) === undefined ? [covered] : replaced(covered),
          ) ?? [];
        for (const { id, kind, state, why, pinned, leavesNext } of view.blocks) {
          if (kind !== 'summary' || state !== 'whole' || pinned || leavesNext !== undefined)
            continue;
          const all = new Set(replaced(id));
          const again = [...all].filter((each) => needed.has(each)).length;
          if (why.startsWith('restored')) continue;
          expect(why).toBe(
            again === 0 ? 'nothing in it was needed again' : `${again} of ${all.size} needed again`,
          );
        }
      }),
      { numRuns: runs(25, 500) },
    );
  });

  it('of a summary name one read that the agent needed again', () => {
    const before = drawnEvents(
      '1 anchor task 30\n1 read a.ts 600\n1 reply b 600\n1 reply c 30\n1 reply d 30',
    );
    const options = { policy: 'summarise', inputBudget: 1_400, summaries: true } as const;
    const again = stepEvents([{ id: 'later', name: 'a.ts', tokens: 1 }]);
    const whyOf = (events: readonly NewEvent[]) =>
      viewOf(foldNew(events), budgetOf(9_000)).view.blocks.find(({ kind }) => kind === 'summary')
        ?.why;
    const summarised = passed(before, options);
    expect(whyOf(summarised)).toBe('nothing in it was needed again');
    expect(whyOf([...summarised, ...again])).toMatch(/^1 of \d needed again$/);
  });

  it('say which step lost its thinking because an earlier block changed (I9)', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { window, view } = playedView(script, 12_000);
        for (const [index, block] of window.blocks.toArray().entries()) {
          if (block.kind !== 'step' || view.blocks[index]!.category === undefined) continue;
          const lost =
            block.thinkingDropped &&
            block.parts.some(({ type }) => type === 'thinking') &&
            block.state !== 'trimmed';
          expect(view.blocks[index]!.reason.includes('thinking is not sent')).toBe(lost);
        }
      }),
      { numRuns: runs(25, 500) },
    );
  });

  it('say why each block is in the window', () => {
    const { view } = viewOf(
      draw(`
        1 anchor task 30
        1 step   a.ts 40 !
        1 reply  done 5
        2 prompt next 10
        2 step   b.ts 30
      `),
      budgetOf(1_000),
    );
    expect(
      view.blocks.map(({ label, category, reason }) => [label.slice(0, 14), category, reason]),
    ).toEqual([
      ['Task: task····', 'anchor', 'The task: in every request, labelled as the original task'],
      ['read_file a.ts', 'working', 'Pinned by you'],
      ['Reply: done···', 'working', 'Recent: one of the last 8 steps'],
      ['Prompt: next··', 'working', 'The newest prompt'],
      ['read_file b.ts', 'working', 'The newest step: the model has not read its results yet'],
    ]);
  });

  it('say why a note is in the window, and how much of the project memory it holds', () => {
    const { view } = viewOf(
      foldNew([
        ...drawnEvents('1 anchor task 30'),
        {
          type: 'preambleSet',
          system: '',
          tools: [],
          memory: [
            { path: 'AGENTS.md', text: 'head', chars: 9_000 },
            { path: 'CLAUDE.md', text: 'all', chars: 3, origin: { how: 'begin' } },
          ],
        },
        {
          type: 'noteAdded',
          source: { from: 'memory', path: 'lib/AGENTS.md' },
          text: '·····',
          admission: { form: 'whole' },
        },
        {
          type: 'noteAdded',
          source: { from: 'memory', path: 'a/CLAUDE.md', origin: { how: 'allowed', step: 3 } },
          text: '·····',
          admission: { form: 'whole' },
        },
        {
          type: 'scratchpadUpdated',
          scratchpad: { ...EMPTY_SCRATCHPAD, objective: '···' },
          byUser: true,
        },
      ]),
      budgetOf(1_000),
    );
    expect(view.blocks.slice(1).map(({ kind, label, reason }) => [kind, label, reason])).toEqual([
      ['note', 'Project memory: lib/AGENTS.md', 'Project memory: in every request'],
      [
        'note',
        'Project memory: a/CLAUDE.md',
        'Project memory, allowed by you at step 3: in every request',
      ],
      [
        'note',
        'Scratchpad changed by you',
        'Tells the model what you changed in its notes, until a pass shows them again',
      ],
    ]);
    expect(view.memory.filter(({ isNote }) => isNote !== true)).toMatchObject([
      { path: 'AGENTS.md', shownChars: 4, chars: 9_000 },
      {
        path: 'CLAUDE.md',
        shownChars: 3,
        chars: 3,
        origin: 'in the workspace when the session began',
      },
    ]);
    expect(view.profile).toBeUndefined();
  });

  it('say why a reminder is in the window, before and after the model has read it', () => {
    const reminder: NewEvent = {
      type: 'noteAdded',
      source: { from: 'reminder', because: 'age', steps: 13 },
      text: '·····',
      admission: { form: 'whole' },
    };
    const events = [...drawnEvents('1 anchor task 30\n1 step a.ts 4'), reminder];
    const row = (window: ContextWindow) => {
      const { view } = viewOf(window, budgetOf(1_000));
      const { label, reason } = view.blocks.find(({ kind }) => kind === 'note')!;
      return [label, reason];
    };
    const label = 'Reminder of the notes, 13 steps old';
    expect(row(foldNew(events))).toEqual([
      label,
      'A reminder: it stays until the model has read it',
    ]);
    const read = stepEvents([{ id: 'z', name: 'z.ts', tokens: 4 }]);
    expect(row(foldNew([...events, ...read]))).toEqual([
      label,
      'A reminder that the model has read',
    ]);
  });
});
