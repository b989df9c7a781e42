import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import type { SessionEvent } from '../../src/contextWindow/event';
import { passesOf } from '../support/passWindows';
import type { Played } from '../support/player';
import { actions, anyPolicy, playSmall, settingsOf } from '../support/randomSession';

const SESSIONS = 150;

/** What can happen to excerpts in a session. */
function happens(played: Played): ReadonlySet<string> {
  const told = new Set<string>(played.events.flatMap(toldBy));
  for (const { pass, before } of passesOf(played.events)) {
    if (pass.view !== undefined) {
      if (before.stepDown !== undefined) told.add('view in a lowered budget');
      for (const { why, changedOutside } of pass.view.shown) {
        if (why.chosen === true) told.add('view with what is always shown');
        if (changedOutside === true) told.add('view of a changed file');
      }
      for (const { onDisk } of pass.view.hidden) told.add(`view that names a ${onDisk} file`);
    }
    for (const {
      reason: { rule },
      kind,
    } of pass.decisions) {
      if (kind === 'excerpts' || rule === 'clearHeldByExcerpts') told.add(`${rule}: ${kind}`);
    }
  }
  for (const { pass, undone } of played.window.ledger) {
    if (undone === true && pass.view !== undefined) told.add('view undone');
  }
  for (const { window } of played.sent) {
    const kinds = new Set(window.blocks.filter(isInWindow).map(({ kind }) => kind));
    if (kinds.has('excerpts')) told.add('view sent');
    if (kinds.has('excerpts') && kinds.has('summary')) told.add('view beside a summary');
  }
  return told;
}

function toldBy(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'toolFinished':
      return event.shown === undefined ? [] : ['page-in'];
    case 'fileChosen':
      return [`${event.choice}: ${event.lines === undefined ? 'a file' : 'lines'}`];
    case 'blockPinned':
      return event.blockId.startsWith('files-') ? ['view pinned'] : [];
    default:
      return [];
  }
}

it('a third of the random sessions show excerpts, and every possible case occurs in some', () => {
  const counts = new Map<string, number>();
  fc.assert(
    fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
      for (const what of happens(playSmall(script, policy, settings))) {
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
      'view beside a summary',
      'view in a lowered budget',
      'view of a changed file',
      'view pinned',
      'view sent',
      'view that names a deleted file',
      'view undone',
      'view with what is always shown',
    ]),
  );
  for (const what of ['view sent', 'page-in']) {
    expect({ what, share: (counts.get(what) ?? 0) / SESSIONS }).toEqual({
      what,
      share: expect.toSatisfy((share: number) => share >= (what === 'page-in' ? 1 / 4 : 1 / 3)),
    });
  }
});
