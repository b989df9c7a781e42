import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInWindow, type Block, type StepBlock } from '../../src/contextWindow/block';
import { callEffectOf, overlap, type CallEffect } from '../../src/contextWindow/callEffect';
import {
  blocksInWindow,
  latestPrompt,
  latestStep,
  placesInWindow,
  type ContextWindow,
  type LedgerEntry,
} from '../../src/contextWindow/window';
import type { SessionEvent } from '../../src/contextWindow/event';
import { visibleLines } from '../../src/contextWindow/files/fileModel';
import { applyEvent, EMPTY_WINDOW, fold } from '../../src/contextWindow/fold';
import { gapsIn, presenceOf } from '../../src/contextWindow/request/gapLines';
import { PersistentList } from '../../src/contextWindow/persistentList';
import { passTitle } from '../../src/contextWindow/passes/passName';
import { whyNotUndone } from '../../src/contextWindow/passes/undoPass';
import { inspecting, lookedAt, SMALL, validWith } from '../editor/contextPanel/support/inspecting';
import { actions, playSmall, settingsOf } from '../support/randomSession';
import { runs } from '../support/runs';

// Cached and chunked look-ups must equal a plain search of everything.

const RUNS = { numRuns: runs(8, 200) };
const VALID = validWith(SMALL);

const sessions = fc
  .tuple(actions, settingsOf)
  .map(([script, settings]) => playSmall(script, 'ladder', settings).events);

/** An empty window with lists in small chunks, so that a session has many. */
const START: ContextWindow = {
  ...EMPTY_WINDOW,
  blocks: PersistentList.of([], 4),
  ledger: PersistentList.of([], 4),
  refaults: PersistentList.of([], 4),
};

/** A copy of the events, for which nothing is cached. */
const copyOf = (events: readonly SessionEvent[]) =>
  JSON.parse(JSON.stringify(events)) as typeof events;

describe('in a random session', () => {
  it('a fold of the whole log, or of its rest, equals applying the events one by one', () => {
    fc.assert(
      fc.property(sessions, fc.nat(), (events, cut) => {
        const at = cut % (events.length + 1);
        const middle = fold(events.slice(0, at), START);
        const blocks = [...middle.blocks];
        const whole = events.reduce(applyEvent, START);
        expect(fold(events, START)).toEqual(whole);
        expect(fold(events.slice(at), middle)).toEqual(whole);
        expect([...middle.blocks]).toEqual(blocks);
        expect(new Map(fold(events, START).decisions)).toEqual(new Map(whole.decisions));
      }),
      RUNS,
    );
  });

  it('blocks in the window and gaps equal those of a search of all blocks', () => {
    fc.assert(
      fc.property(sessions, (events) => {
        let window = START;
        for (const event of events) {
          window = applyEvent(window, event);
          const { blocks } = window;
          const plainly = blocks.toArray().map((block, place) => ({ place, block }));
          const inside = plainly.filter(({ block }) => isInWindow(block));
          expect(placesInWindow(window)).toEqual(inside);
          expect(blocksInWindow(window)).toEqual(inside.map(({ block }) => block));
          expect(gapsIn(blocks, presenceOf)).toEqual(gapsIn(blocks, presenceOf, true));
          const there = blocks.filter(({ state }) => state !== 'undone');
          expect(latestStep(window)).toBe(there.findLast(({ kind }) => kind === 'step'));
          expect(latestPrompt(window)).toBe(
            there.findLast(({ kind }) => kind === 'prompt' || kind === 'anchor'),
          );
        }
      }),
      RUNS,
    );
  });

  it('the reason why a pass cannot be undone equals that of a search of all later ones', () => {
    fc.assert(
      fc.property(sessions, (events) => {
        let window = START;
        for (const event of events) {
          window = applyEvent(window, event);
          for (const entry of window.ledger) {
            const why = whyNotUndone(window, entry.pass.number) ?? '';
            const later = laterOf(window, entry);
            if (later === undefined || entry.undone === true)
              expect(why).not.toMatch(/changed blocks that/);
            else expect(why).toMatch(new RegExp(`^${passTitle(later.pass)} changed blocks that`));
          }
        }
      }),
      RUNS,
    );
  });

  it('a read counts as a refault exactly if a search of all steps finds one', () => {
    fc.assert(
      fc.property(sessions, (events) => {
        let window = START;
        const everVisible = new Set<string>();
        for (const event of events) {
          const before = window;
          for (const line of visibleIn(before)) everVisible.add(line);
          window = applyEvent(window, event);
          if (event.type !== 'replyReceived') continue;
          const found = window.refaults.slice(before.refaults.length);
          const calls = event.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
          expect(found.filter(({ by }) => by === 'read').map(({ blockId }) => blockId)).toEqual(
            calls.flatMap((use) => lostTo(before, everVisible, callEffectOf(use)) ?? []),
          );
        }
      }),
      RUNS,
    );
  });

  it('the panel’s incremental state equals a fresh one', () => {
    fc.assert(
      fc.property(sessions, fc.integer({ min: 1, max: 9 }), (events, stride) => {
        const session = { events: [] as SessionEvent[], window: START };
        const { inspection } = inspecting(() => lookedAt(session, VALID));
        for (let at = 0; at < events.length; at += stride) {
          const run = events.slice(at, at + stride);
          session.events.push(...run);
          session.window = run.reduce(applyEvent, session.window);
          inspection.view();
          inspection.timeline();
        }
        const copied = copyOf(session.events);
        const fresh = inspecting(() =>
          lookedAt({ events: copied, window: fold(copied, START) }, VALID),
        ).inspection;
        const { revision: _one, ...view } = inspection.view();
        const { revision: _other, ...first } = fresh.view();
        expect(view).toEqual(first);
        expect(inspection.timeline()).toEqual(fresh.timeline());
      }),
      RUNS,
    );
  });
});

/** The first later pass that did more than remove thinking from a block that this one changed. */
function laterOf({ ledger }: ContextWindow, entry: LedgerEntry): LedgerEntry | undefined {
  const { former, pass } = entry;
  const changed = new Set([
    ...former.map(({ block }) => block.id),
    ...pass.summaries.map(({ id }) => id),
  ]);
  return ledger.find(
    (other) =>
      other.pass.number > pass.number &&
      other.undone !== true &&
      (changedMoreIn(other).some(({ id }) => changed.has(id)) ||
        (hasExcerpts(entry) && hasExcerpts(other))),
  );
}

/** The blocks from which a pass removed more than thinking. */
function changedMoreIn({ former, pass }: LedgerEntry): readonly Block[] {
  return former.flatMap(({ block }) => {
    const action = pass.decisions.find(({ blockId }) => blockId === block.id)?.action;
    return action !== undefined && action !== 'keep' && action !== 'trim' ? [block] : [];
  });
}

/** The window has only one block of excerpts, so passes that change it build on one another. */
function hasExcerpts(entry: LedgerEntry): boolean {
  return (
    entry.pass.excerpts !== undefined ||
    changedMoreIn(entry).some(({ kind }) => kind === 'excerpts')
  );
}

/**
 * The newest step that had shown lines of a read, if it no longer does and the window lost some of
 * those lines. `everVisible` has the lines that the windows so far showed.
 */
function lostTo(
  window: ContextWindow,
  everVisible: ReadonlySet<string>,
  effect: CallEffect,
): string | undefined {
  if (effect.kind !== 'read' || window.ledger.length === 0) return undefined;
  const steps = window.blocks.filter((block): block is StepBlock => block.kind === 'step');
  for (const step of steps.toReversed()) {
    for (const { use, result, cleared } of step.pairs.toReversed()) {
      const former = callEffectOf(use);
      if (result === undefined || result.isError || !('path' in former)) continue;
      if (former.path !== effect.path) continue;
      if (former.kind === 'edit' || former.kind === 'write') return undefined;
      if (former.kind !== 'read' || !overlap(former.lines, effect.lines)) continue;
      if (step.state === 'undone') continue;
      const rule = window.decisions.get(step.id)?.reason.rule;
      const isByUser = rule === 'excludedByUser' || rule === 'clearedByUser';
      if ((isInWindow(step) && !cleared) || isByUser) return undefined;
      const known = numberedIn(window, effect.path);
      const { first = 1, last = Infinity } = effect.lines ?? {};
      const visible = visibleIn(window);
      const isLost = known.some(
        ({ number, key }) =>
          number >= first && number <= last && everVisible.has(key) && !visible.has(key),
      );
      // Without line numbers, the step alone counts.
      return isLost || known.length === 0 ? step.id : undefined;
    }
  }
  return undefined;
}

/** The lines of all files that the blocks of a window show. */
function visibleIn(window: ContextWindow): ReadonlySet<string> {
  const isVisible = visibleLines(blocksInWindow(window));
  const lines = [...window.files.keys()].flatMap((path) => numberedIn(window, path));
  return new Set(lines.filter(({ line }) => isVisible(line)).map(({ key }) => key));
}

/** The known lines of a file that have a number. */
function numberedIn({ files }: ContextWindow, path: string) {
  return (files.get(path)?.runs ?? []).flatMap(({ first, lines }) =>
    first === undefined
      ? []
      : lines.map((line, index) => {
          const number = first + index;
          return { number, line, key: JSON.stringify([path, number, line.text]) };
        }),
  );
}
