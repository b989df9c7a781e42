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

describe('what an event was charged', () => {
  it('is the reply, and the API’s own compaction besides', () => {
    const compactionUsage = usage(9_000);
    expect(
      chargesIn(promptEvent('task'), { ...reply('done', usage(100)), compactionUsage } as NewEvent),
    ).toEqual([
      { model: 'test', usage: usage(100) },
      { model: 'test', usage: compactionUsage },
    ]);
  });

  it('is told by an event of its own for a summary, and not again by the pass', () => {
    const pass = passWith({ by: 'model', model: 'small' });
    expect(chargesIn(asked, pass)).toEqual([{ model: 'small', usage: usage(300) }]);
  });

  it('is told by the pass in an older log, where nothing else tells it', () => {
    const pass = passWith({ by: 'model', model: 'small', usage: usage(200) });
    expect(chargesIn(pass)).toEqual([{ model: 'small', usage: usage(200) }]);
    // Such a log goes on with new events: neither is left out, neither comes twice.
    expect(chargesIn(pass, asked, passWith({ by: 'model', model: 'small' }))).toEqual([
      { model: 'small', usage: usage(200) },
      { model: 'small', usage: usage(300) },
    ]);
  });

  it('is nothing for a work note', () => {
    expect(chargesIn(passWith({ by: 'workNote', because: 'the model is off' }))).toEqual([]);
  });

  it('is what a model took for the text a work note stands in for, where nothing else tells it', () => {
    const refused = { model: 'small', usage: usage(200) };
    const writtenBy = { by: 'workNote', because: 'it was too large', asked: refused } as const;
    expect(chargesIn(passWith(writtenBy))).toEqual([refused]);
  });
});
