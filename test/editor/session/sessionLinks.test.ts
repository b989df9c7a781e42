import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import { fold } from '../../../src/contextWindow/fold';
import { IDLE } from '../../../src/editor/session/agentWork';
import { sessionLinks } from '../../../src/editor/session/derive';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { dated, promptEvent } from '../../support/drawing';

const FROM = { sessionId: 'before', title: 'Mend it' };
const TO = { sessionId: 'after', title: 'Mend it (continued)' };

const begun: NewEvent = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 'now',
  pinTaskAnchor: true,
  handedOverFrom: FROM,
};

describe('the links of a session', () => {
  it('are absent if nothing was handed over', () => {
    expect(sessionLinks(fold([]), () => true)).toBeUndefined();
  });

  it('name its source and its continuations; deleted sessions are marked', () => {
    const window = fold(
      dated([
        begun,
        promptEvent('task'),
        { type: 'handedOver', to: TO },
        { type: 'handedOver', to: { ...TO, sessionId: 'deleted' } },
      ]),
    );
    expect(sessionLinks(window, (id) => id !== 'deleted')).toEqual({
      from: { session: 'before', title: 'Mend it', isGone: false },
      to: [
        { session: 'after', title: 'Mend it (continued)', isGone: false },
        { session: 'deleted', title: 'Mend it (continued)', isGone: true },
      ],
    });
  });
});

describe('a summary of a whole session in its conversation', () => {
  const turnsOf = (events: readonly NewEvent[]) => {
    const log = dated(events);
    return new TurnViews('the script').of({
      events: log,
      window: fold(log),
      activity: IDLE.activity,
      offline: false,
      now: 0,
    });
  };

  it('is shown where it was written, with its author', () => {
    const [turn] = turnsOf([
      promptEvent('task'),
      { type: 'turnEnded', outcome: { type: 'finished' } },
      { type: 'sessionSummarised', text: 'Mended.', writtenBy: { by: 'model', model: 'm-1' } },
      promptEvent('more'),
      {
        type: 'sessionSummarised',
        text: 'Note.',
        writtenBy: { by: 'workNote', because: 'the model call failed: 529' },
      },
    ]);
    expect(turn?.items).toEqual([
      { type: 'summary', number: 1, text: 'Mended.', writtenBy: 'by m-1' },
    ]);
    expect(
      turnsOf([
        promptEvent('task'),
        {
          type: 'sessionSummarised',
          text: 'Note.',
          writtenBy: { by: 'workNote', because: 'the model call failed: 529' },
        },
      ])[0]?.items,
    ).toMatchObject([{ writtenBy: 'a work note, because the model call failed: 529' }]);
  });

  it('is shown after the task in the new session, and nothing is marked as interrupted', () => {
    const [turn] = turnsOf([
      begun,
      promptEvent('task'),
      {
        type: 'noteAdded',
        source: { from: 'handover', title: 'Mend it' },
        text: 'Mended.',
        admission: { form: 'whole' },
      },
      { type: 'turnEnded', outcome: { type: 'finished' } },
    ]);
    expect(turn).toMatchObject({
      items: [{ type: 'summary', number: 1, text: 'Mended.', from: 'Mend it' }],
      outcome: { type: 'finished' },
    });
  });
});
