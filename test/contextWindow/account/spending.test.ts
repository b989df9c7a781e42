import { describe, expect, it } from 'vitest';
import type { BlockId, SummaryWriter } from '../../../src/contextWindow/block';
import { chargesOf } from '../../../src/contextWindow/account/spending';
import type { EventOf, NewEvent } from '../../../src/contextWindow/event';
import { dated, passThat, promptEvent, reply, usage } from '../../support/drawing';

const chargesIn = (...events: readonly NewEvent[]) => dated(events).flatMap(chargesOf);

/** A pass that applied one summary. */
function passWith(writtenBy: SummaryWriter): NewEvent {
  const { pass } = passThat('evict', []) as EventOf<'passApplied'>;
  const summary = { id: 'summary-1' as BlockId, covers: [], text: 'What was done.', writtenBy };
  return { type: 'passApplied', pass: { ...pass, summaries: [summary] } };
}

const asked: NewEvent = {
  type: 'modelAsked',
  purpose: 'summary',
  model: 'small',
  usage: usage(300),
};

describe('the charges of an event', () => {
  it('are those of a reply and of the API’s own compaction', () => {
    const compactionUsage = usage(9_000);
    expect(
      chargesIn(promptEvent('task'), { ...reply('done', usage(100)), compactionUsage } as NewEvent),
    ).toEqual([
      { model: 'test', usage: usage(100) },
      { model: 'test', usage: compactionUsage },
    ]);
  });

  it('come from the event of a summary, and not again from its pass', () => {
    const pass = passWith({ by: 'model', model: 'small' });
    expect(chargesIn(asked, pass)).toEqual([{ model: 'small', usage: usage(300) }]);
  });

  it('come from the pass if nothing else records them', () => {
    const pass = passWith({ by: 'model', model: 'small', usage: usage(200) });
    expect(chargesIn(pass)).toEqual([{ model: 'small', usage: usage(200) }]);
    // New events follow in the same log: every answer is charged exactly once.
    expect(chargesIn(pass, asked, passWith({ by: 'model', model: 'small' }))).toEqual([
      { model: 'small', usage: usage(200) },
      { model: 'small', usage: usage(300) },
    ]);
  });

  it('are none for a work note', () => {
    expect(chargesIn(passWith({ by: 'workNote', because: 'the model is off' }))).toEqual([]);
  });

  it('include the rejected text that a work note replaces, if nothing else records it', () => {
    const refused = { model: 'small', usage: usage(200) };
    const writtenBy = { by: 'workNote', because: 'it was too large', asked: refused } as const;
    expect(chargesIn(passWith(writtenBy))).toEqual([refused]);
  });
});
