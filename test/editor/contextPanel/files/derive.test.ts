import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathsShown } from '../../../../src/contextWindow/label';
import { placeFactorsAt, touchesAt } from '../../../../src/contextWindow/files/regions';
import type { Player } from '../../../support/player';
import { findBlock, blocksInWindow } from '../../../../src/contextWindow/window';
import type { Excerpts } from '../../../../src/contextWindow/plan';
import { PersistentMap } from '../../../../src/contextWindow/persistentMap';
import { planPass } from '../../../../src/contextWindow/passes/policies/policies';
import { policyFacts } from '../../../../src/contextWindow/passes/rungs/policyInput';
import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { excerptsText } from '../../../../src/contextWindow/request/placeholder';
import { fileLives } from '../../../../src/editor/contextPanel/blocks/lives';
import { passReport } from '../../../../src/editor/contextPanel/exports/passReport';
import { passWords } from '../../../../src/editor/contextPanel/exports/viewRows';
import type { Balance } from '../../../../src/editor/contextPanel/state';
import { plannedNext, planView } from '../../../../src/editor/contextPanel/ledger/nextPass';
import { passViews } from '../../../../src/editor/contextPanel/ledger/derive';
import {
  regionReason,
  excerptsView,
  excerptsOfBlock,
} from '../../../../src/editor/contextPanel/files/derive';
import { blockReason } from '../../../../src/editor/contextPanel/blocks/blockReason';
import { budgetOf } from '../../../support/drawing';
import { inspectionOf } from '../support/inspecting';
import { FileSession, fileActions, playFiles } from '../../../support/fileSession';
import { estimate } from '../../../support/player';
import { runs } from '../../../support/runs';

const BUDGET = budgetOf(4_000);

const excerptsOf = ({ window }: Player): readonly Excerpts[] =>
  window.ledger
    .toArray()
    .flatMap(({ pass }) => (pass.excerpts === undefined ? [] : [pass.excerpts]));

const CAUSE = { editedAt: 0, readAt: 8, seenAt: 8 };

describe('the reason for a region', () => {
  it.each([
    [{ ...CAUSE, chosen: true } as const, 'You chose: always show'],
    [CAUSE, 'File read 2 steps ago, last read or written at step 8'],
    [{ ...CAUSE, readAt: 10 }, 'File read in the newest step, last read or written at step 8'],
    [{ ...CAUSE, editedAt: 9 }, 'File edited 1 step ago, last read or written at step 8'],
    [
      { ...CAUSE, readAt: 1, seenAt: 1, named: true } as const,
      'File named by the newest prompt or the notes, last read or written at step 1',
    ],
    [
      { ...CAUSE, editedAt: 9, edit: { step: 9, distance: 0 } },
      'File edited 1 step ago, changed at step 9, last read or written at step 8',
    ],
    [
      { ...CAUSE, editedAt: 9, edit: { step: 9, distance: 1 } },
      'File edited 1 step ago, near an edit of step 9 (1 line away), last read or written at step 8',
    ],
    [{ ...CAUSE, seenAt: 0 }, 'File read 2 steps ago, these lines not read yet'],
  ])('%j', (why, words) => {
    expect(regionReason(why, 10)).toBe(words);
  });

  it('is shown next to a file that something else changed', () => {
    const score = { why: CAUSE, score: 1, touch: 1, near: 0, seen: 1 };
    const drawn = excerptsView(
      {
        id: 'files-1' as Excerpts['id'],
        step: 10,
        shown: [{ path: 'a.ts', first: 1, text: 'a', changedOutside: true, ...score }],
        hidden: [
          { path: 'b.ts', readAt: 3, editedAt: 0, onDisk: 'deleted' },
          { path: 'c.ts', readAt: 3, editedAt: 4 },
        ],
        tokens: 9,
      },
      PersistentMap.of(),
    );
    expect(drawn.regions.map(({ why }) => why)).toEqual([
      'File read 2 steps ago, last read or written at step 8; something other than the agent changed the file',
    ]);
    expect(drawn.hidden.map(({ what }) => what)).toEqual([
      'read at step 3, does not exist any more',
      'edited at step 4',
    ]);
  });
});

describe('the excerpts in the panel', () => {
  it('have the numbers of the pass, and reasons that explain their scores', () => {
    let seen = 0;
    fc.assert(
      fc.property(fileActions, (actions) => {
        const player = playFiles(actions, BUDGET);
        for (const view of excerptsOf(player)) {
          seen += 1;
          const drawn = excerptsView(view, player.window.fileChoices);
          const lines = view.shown.map(({ text }) => text.split('\n').length);
          expect(drawn).toMatchObject({
            id: view.id,
            step: view.step,
            files: pathsShown(view).length,
            lines: lines.reduce((sum, count) => sum + count, 0),
            tokens: estimate(excerptsText(view)),
          });
          expect(drawn.regions.map((region) => region.lines)).toEqual(lines);
          expect(drawn.hidden.map(({ path }) => path)).toEqual(view.hidden.map(({ path }) => path));
          for (const [at, region] of view.shown.entries()) {
            const { touch, near, seen: looked, why } = region;
            expect(touch).toBe(Math.max(...Object.values(touchesAt(why, view.step))));
            expect({ near, seen: looked }).toEqual(placeFactorsAt(why, view.step));
            expect(drawn.regions[at]?.why).toBe(regionReason(why, view.step));
            expect(Math.max(why.editedAt, why.readAt, why.seenAt)).toBeLessThanOrEqual(view.step);
          }
        }
      }),
      { numRuns: runs(40, 1_000) },
    );
    expect(seen).toBeGreaterThan(10);
  });

  it('appear with their pass: the size in the ledger, the tokens among the rungs, a row in words', () => {
    fc.assert(
      fc.property(fileActions, (actions) => {
        const player = playFiles(actions, BUDGET);
        const { window } = player;
        const drawn = passViews(
          window,
          () => ({ by: { offline: true } }),
          () => undefined,
        );
        for (const { pass } of window.ledger.toArray()) {
          const shows = drawn.find(({ number }) => number === pass.number)?.shows;
          expect(shows === undefined).toBe(pass.excerpts === undefined);
          const gains = rungGains(pass);
          expect(gains.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
            pass.before.tokens - pass.after.tokens,
          );
          const { excerpts: view } = pass;
          if (view === undefined || shows === undefined) continue;
          const taken = pass.decisions.filter(
            ({ reason: { rule } }) =>
              rule === 'evictFormerExcerpts' || rule === 'clearHeldByExcerpts',
          );
          const freed = taken.reduce((sum, one) => sum + one.before.tokens - one.after.tokens, 0);
          expect(gains.find(({ rung }) => rung === 'excerpts')).toEqual({
            rung: 'excerpts',
            blocks: taken.length,
            tokens: freed - view.tokens,
          });
          expect(excerptsOfBlock(window, shows.id)).toBe(view);
          const block = findBlock(window, view.id);
          if (block?.state !== 'whole') continue;
          const files = shows.files === 1 ? '1 file' : `${shows.files} files`;
          const lines = shows.lines === 1 ? '1 line' : `${shows.lines} lines`;
          expect(blockReason(window, block)).toBe(
            `Shows ${lines} of ${files} in work, the most likely to be needed, as they were after step ${view.step}`,
          );
        }
      }),
      { numRuns: runs(40, 1_000) },
    );
  });

  it("appear in the files' histories: how many lines are shown, from when to when", () => {
    let seen = 0;
    fc.assert(
      fc.property(fileActions, (actions) => {
        const { window, events } = playFiles(actions, BUDGET);
        const lives = fileLives({ events, window, estimate, showsFiles: true });
        const now = blocksInWindow(window).flatMap((block) =>
          block.kind === 'excerpts' ? block.shown : [],
        );
        for (const life of lives) {
          const shown = now.filter(({ path }) => path === life.title);
          const lines = shown.reduce((sum, { text }) => sum + text.split('\n').length, 0);
          expect(life.shown).toBe(lines);
          if (lines === 0) continue;
          seen += 1;
          const count = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
          expect(life.moments.map(({ words }) => words)).toContainEqual(
            expect.stringMatching(new RegExp(`^${count} shown by pass \\d+$`)),
          );
          expect(['whole', 'part']).toContain(life.spans.at(-1)?.seen);
        }
      }),
      { numRuns: runs(40, 1_000) },
    );
    expect(seen).toBeGreaterThan(10);
  });

  it('are planned as a pass would show them, both in the preview and in the next pass', () => {
    let seen = 0;
    let seenLeaving = 0;
    fc.assert(
      fc.property(fileActions, (actions) => {
        const player = playFiles(actions, BUDGET);
        const { window } = player;
        const facts = policyFacts({
          window,
          budget: BUDGET,
          estimate,
          settings: player.settings,
        });
        const plan = planPass({ ...facts, trigger: 'manual' });
        const drawn = planView({ plan, due: undefined, filesByLog: false }, window.fileChoices);
        const next = plannedNext(plan, 'ladder');
        player.runPass('manual');
        const pass = player.window.ledger.at(-1)?.pass;
        if (next.type !== 'planned') {
          expect(drawn.shows).toBeUndefined();
          return;
        }
        expect(drawn.rungs).toEqual(rungGains(plan));
        const leaving = window.blocks.some(
          ({ id, kind, state }) =>
            kind === 'excerpts' && state === 'whole' && id !== plan.excerpts?.id,
        );
        seenLeaving += leaving ? 1 : 0;
        expect(next.blocks).toBe(drawn.decisions.length);
        const inPart = drawn.decisions.filter(
          ({ action }) => action === 'trim' || action === 'truncate',
        );
        expect(next.shortens).toBe(inPart.length > 0);
        if (plan.excerpts === undefined) {
          expect(drawn.shows).toBeUndefined();
          return;
        }
        seen += 1;
        expect(drawn.shows).toEqual(excerptsView(plan.excerpts, window.fileChoices));
        expect(pass?.excerpts).toEqual(plan.excerpts);
      }),
      { numRuns: runs(40, 1_000) },
    );
    expect(seen).toBeGreaterThan(10);
    expect(seenLeaving).toBeGreaterThan(5);
  });

  it('are described in every export of a pass', () => {
    const session = new FileSession(BUDGET);
    for (const file of [0, 1, 2, 3, 4]) session.act({ type: 'read', file, from: 1, count: 60 });
    session.act({ type: 'pass' });
    const { window } = session.player;
    const [pass] = passViews(
      window,
      () => ({ by: { offline: true } }),
      () => undefined,
    );
    const { lines, files, tokens } = pass!.shows!;
    const size = `${lines} lines of ${files} ${files === 1 ? 'file' : 'files'}`;
    expect(passWords(pass!)).toMatch(new RegExp(`, policy ladder; shows ${size}$`));
    session.act({ type: 'read', file: 0, from: 1, count: 1 });
    const { events } = session.player;
    const timeline = inspectionOf(events).timeline();
    expect(JSON.stringify(timeline)).toContain(`, shows ${size}`);
    const view = {
      model: 'test',
      windowSource: 'from a setting',
      balance: { contextWindowTokens: 4_003 } as Balance,
      source: { type: 'session' },
      policy: 'ladder',
    } as const;
    expect(passReport(view, pass!, [])).toContain(
      `| Excerpts shown | ${size}, ≈ ${tokens.toLocaleString('en-US')} tokens |`,
    );
  });
});
