import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInputBudget } from '../../../src/contextWindow/budget';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { EMPTY_WINDOW, applyEvent, fold } from '../../../src/contextWindow/fold';
import type { Activity } from '../../../src/editor/conversation/state';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import { openingView } from '../../../src/editor/conversation/derive';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { dated, promptEvent, resultEvent, stepEvents } from '../../support/drawing';
import { actions, play, withoutRefusedUndo } from '../../support/randomSession';
import { runs } from '../../support/runs';
import { DEMO, SMALL, validWith } from '../contextPanel/support/inspecting';

const ACTIVITIES: readonly Activity[] = [
  { state: 'idle' },
  { state: 'asking', since: 0 },
  { state: 'runningTool', toolUseId: 'toolu_1', since: 0 },
];

const { budget } = validWith(SMALL);

describe('the turns of a growing log', () => {
  it('are the same as if they were derived from scratch each time', () => {
    fc.assert(
      fc.property(actions, fc.array(fc.nat(20), { minLength: 1 }), (script, looks) => {
        const all = play(script, withInputBudget(budget, 3_000), POLICY_SETTINGS).events;
        const events: SessionEvent[] = [];
        const kept = new TurnViews(DEMO);
        let window = EMPTY_WINDOW;
        for (const [at, event] of all.entries()) {
          events.push(event);
          window = applyEvent(window, event);
          const look = looks[at % looks.length] ?? 0;
          if (look % 3 === 0) continue;
          const facts = {
            events,
            window,
            activity: ACTIVITIES[look % ACTIVITIES.length]!,
            offline: look > 15,
            now: event.at + look,
          };
          expect(kept.of(facts)).toEqual(new TurnViews(DEMO).of(facts));
        }
      }),
      { numRuns: runs(8, 200) },
    );
  });

  it('are the same if only the last turns of the log are read', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const played = play(script, withInputBudget(budget, 3_000), POLICY_SETTINGS).events;
        const events = withoutRefusedUndo(played);
        const live = { activity: ACTIVITIES[0]!, offline: false, now: 0 };
        const all = new TurnViews(DEMO).of({ events, window: fold(events), ...live });
        for (const [at, { type }] of events.entries()) {
          if (type !== 'promptSubmitted') continue;
          const end = { sessionId: 's', title: 't', events: events.slice(at) };
          const { turns } = openingView(end, { settings: DEFAULT_SETTINGS, demoAuthor: DEMO });
          expect(turns).toEqual(all.slice(-turns.length));
        }
      }),
      { numRuns: runs(25, 1_000) },
    );
  });

  it('stay the same objects where nothing changed', () => {
    const call = (id: string) => stepEvents([{ id, name: 'a.ts', tokens: 0 }]);
    const all = dated([
      promptEvent('one'),
      ...call('toolu_1'),
      promptEvent('two'),
      ...call('toolu_2'),
      ...call('toolu_3'),
    ]);
    const events = all.slice(0, -1);
    const views = new TurnViews(DEMO);
    const facts = { activity: ACTIVITIES[1]!, offline: false, now: 0 };
    const before = views.of({ ...facts, events, window: fold(events) });
    events.push(...all.slice(-1));
    const after = views.of({ ...facts, events, window: fold(events) });
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.items[0]).toBe(before[1]?.items[0]);
    expect(after[1]?.items[1]).not.toBe(before[1]?.items[1]);
  });

  it('say which prompt was undone, until it is restored', () => {
    const player = play(
      [
        { type: 'prompt', chars: 10 },
        { type: 'step', text: true, thinking: false, results: [] },
        { type: 'prompt', chars: 10 },
        { type: 'step', text: true, thinking: false, results: [] },
        { type: 'undoPrompt' },
        { type: 'undo', which: 0 },
      ],
      withInputBudget(budget, 3_000),
      POLICY_SETTINGS,
    );
    const views = new TurnViews(DEMO);
    const undonePrompt = (events: readonly SessionEvent[]) =>
      views
        .of({ events, window: fold(events), activity: ACTIVITIES[0]!, offline: false, now: 0 })
        .map((turn) => [turn.promptId, turn.undonePrompt?.steps]);
    const undone = player.events.findIndex(({ type }) => type === 'passUndone');
    expect(undonePrompt(player.events.slice(0, undone))).toEqual([
      ['prompt-1', undefined],
      ['prompt-2', 1],
    ]);
    expect(undonePrompt(player.events)).toEqual([
      ['prompt-1', undefined],
      ['prompt-2', undefined],
    ]);
  });

  it('start again for another log', () => {
    const views = new TurnViews(DEMO);
    const promptsOf = (text: string) => {
      const events = dated([promptEvent(text), resultEvent('toolu_1', 'late')]);
      const facts = { activity: ACTIVITIES[0]!, offline: false, now: 0 };
      return views.of({ ...facts, events, window: fold(events) }).map(({ prompt }) => prompt);
    };
    expect([promptsOf('one'), promptsOf('two')]).toEqual([['one'], ['two']]);
  });
});
