import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { applyEvent, fold } from '../../../src/contextWindow/fold';
import { toRequest } from '../../../src/contextWindow/request/request';
import { actions, playSmall, settingsOf } from '../../support/randomSession';
import { runs } from '../../support/runs';
import { INVARIANTS } from '../../support/windowInvariants';

/** The request without thinking, since removed thinking never returns. */
function withoutThinking(window: ContextWindow): string {
  const blocks = window.blocks.mapped((block) =>
    block.kind === 'step' ? { ...block, thinkingDropped: true } : block,
  );
  return JSON.stringify(toRequest({ ...window, blocks }));
}

describe('sessions in which prompts are often undone', () => {
  const often = actions.map((script) =>
    script.flatMap((act, index) =>
      index % 9 === 8
        ? [act, { type: 'undoPrompt' as const }, { type: 'prompt' as const, chars: 60 }]
        : [act],
    ),
  );

  it('keep every invariant, and an undo gives back the request to the byte', () => {
    fc.assert(
      fc.property(often, settingsOf, (script, settings) => {
        const played = playSmall(script, 'ladder', settings);
        for (const check of Object.values(INVARIANTS)) check(played);
        const last = played.events.findLastIndex(
          (event) => event.type === 'passApplied' && event.pass.undonePrompt !== undefined,
        );
        const taken = played.events[last];
        if (taken?.type !== 'passApplied') return;
        const before = fold(played.events.slice(0, last));
        const undone = applyEvent(fold(played.events.slice(0, last + 1)), {
          at: 0,
          type: 'passUndone',
          number: taken.pass.number,
        });
        expect(undone.scratchpad).toEqual(before.scratchpad);
        expect(withoutThinking(undone)).toBe(withoutThinking(before));
      }),
      { numRuns: runs(8, 1_000) },
    );
  });
});
