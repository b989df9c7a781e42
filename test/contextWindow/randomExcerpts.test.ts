import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import type { SessionEvent } from '../../src/contextWindow/event';
import { passesOf } from '../support/passWindows';
import type { Played } from '../support/player';
import { actions, anyPolicy, playSmall, settingsOf } from '../support/randomSession';

const SESSIONS = 90;

/** What can happen to excerpts in a session. */
function casesIn(played: Played): ReadonlySet<string> {
  const cases = new Set<string>(played.events.flatMap(casesOf));
  for (const { pass, before } of passesOf(played.events)) {
    if (pass.excerpts !== undefined) {
      if (before.stepDown !== undefined) cases.add('excerpts in a lowered budget');
      for (const { why, changedOutside } of pass.excerpts.shown) {
        if (why.chosen === true) cases.add('excerpts with lines chosen as always');
        if (changedOutside === true) cases.add('excerpts of a changed file');
      }
      for (const { onDisk } of pass.excerpts.hidden)
        cases.add(`excerpts that names a ${onDisk} file`);
    }
    for (const {
      reason: { rule },
      kind,
    } of pass.decisions) {
      if (kind === 'excerpts' || rule === 'clearHeldByExcerpts') cases.add(`${rule}: ${kind}`);
    }
  }
  for (const { pass, undone } of played.window.ledger) {
    if (undone === true && pass.excerpts !== undefined) cases.add('excerpts undone');
  }
  for (const { window } of played.sent) {
    const kinds = new Set(window.blocks.filter(isInWindow).map(({ kind }) => kind));
    if (kinds.has('excerpts')) cases.add('excerpts sent');
    if (kinds.has('excerpts') && kinds.has('summary')) cases.add('excerpts next to a summary');
  }
  return cases;
}

function casesOf(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'toolFinished':
      return event.shown === undefined ? [] : ['page-in'];
    case 'fileChosen':
      return [`${event.choice}: ${event.lines === undefined ? 'a file' : 'lines'}`];
    case 'blockPinned':
      return event.blockId.startsWith('files-') ? ['excerpts pinned'] : [];
    default:
      return [];
  }
}

/** A busy machine is not a failure. */
const SLOW = { timeout: 180_000 };

it(
  'a third of the random sessions show excerpts, and every possible case occurs in some',
  SLOW,
  () => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
        for (const what of casesIn(playSmall(script, policy, settings))) {
          counts.set(what, (counts.get(what) ?? 0) + 1);
        }
      }),
      { numRuns: SESSIONS, seed: 20_261_123 },
    );
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining([
        'always: a file',
        'always: lines',
        'auto: a file',
        'auto: lines',
        'clearHeldByExcerpts: step',
        'evictFormerExcerpts: excerpts',
        'excludedByUser: excerpts',
        'keep:pinned: excerpts',
        'never: a file',
        'never: lines',
        'page-in',
        'undoneByUser: excerpts',
        'excerpts next to a summary',
        'excerpts in a lowered budget',
        'excerpts of a changed file',
        'excerpts pinned',
        'excerpts sent',
        'excerpts that names a deleted file',
        'excerpts undone',
        'excerpts with lines chosen as always',
      ]),
    );
    for (const what of ['excerpts sent', 'page-in']) {
      expect({ what, share: (counts.get(what) ?? 0) / SESSIONS }).toEqual({
        what,
        share: expect.toSatisfy((share: number) => share >= (what === 'page-in' ? 1 / 4 : 1 / 3)),
      });
    }
  },
);
