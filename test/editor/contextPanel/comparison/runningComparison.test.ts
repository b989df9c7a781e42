import { describe, expect, it } from 'vitest';
import { RunningComparison } from '../../../../src/editor/contextPanel/comparison/runningComparison';
import { CONTEXT_WISHES } from '../../../../src/editor/contextPanel/wishes';
import { handlersOf } from '../../../../src/editor/wish';
import type { ContextFact } from '../../../../src/editor/contextPanel/state';
import { fold } from '../../../../src/contextWindow/fold';
import { comparePolicies } from '../../../../src/replay/comparePolicies';
import type { CompareElsewhere } from '../../../../src/replay/compareInWorker';
import { whatIfSettings } from '../../../../src/editor/contextPanel/whatIf/derive';
import { dated, drawnEvents } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { fakePanel } from '../support/fakePanel';
import { lookedAt } from '../support/inspecting';

const PORTS = { estimate, warm: () => Promise.resolve(), now: () => 0 };

const here: CompareElsewhere = (task, progressed, signal) =>
  comparePolicies(task, () => PORTS, progressed, signal);

/** Replays that run until a test ends them. */
const endless: CompareElsewhere = (_task, _progressed, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));

const PAUSES = { sessions: 2, requests: 9, pauses: 3, longPauses: 1 };

function compared(compare: CompareElsewhere = here, drawing = '1 anchor task 30\n1 step a.ts 40') {
  const events = dated(drawnEvents(drawing));
  const shown = { session: 'drawing', source: {} };
  const inspected = () => {
    const window = { ...fold(events), sessionId: shown.session };
    return { ...lookedAt({ events, window }), ...shown.source };
  };
  const facts: ContextFact[] = [];
  const panel = {
    get inspected() {
      return inspected();
    },
    post: (fact: ContextFact) => void facts.push(fact),
  };
  const comparison = new RunningComparison(panel, compare, () => Promise.resolve(PAUSES));
  const { inForce, policy } = inspected();
  const settings = whatIfSettings(inForce.settings.context, policy);
  const { comparePolicies: ask, stopComparing } = handlersOf(
    CONTEXT_WISHES,
    fakePanel({ comparison }),
  );
  return {
    comparison,
    shown,
    facts,
    ask: async () => ask({ type: 'comparePolicies', settings }),
    stop: () => stopComparing({ type: 'stopComparing' }),
  };
}

const STOPPED = { type: 'answered', data: 'stopped' };

describe('a comparison of policies', () => {
  it('takes into account how long the sessions before the own one paused, and none for a recording', async () => {
    const asked: (object | undefined)[] = [];
    const looking: CompareElsewhere = (task, ...rest) => {
      asked.push(...task.settings.map(({ earlierPauses }) => earlierPauses));
      return here(task, ...rest);
    };
    const { ask, shown } = compared(looking);
    await ask();
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked)).toEqual(new Set([PAUSES]));
    shown.source = { source: { type: 'recording', format: 'claude-code' } };
    asked.length = 0;
    await ask();
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });

  it('returns a row for each policy after it reported its progress', async () => {
    const { ask, facts } = compared();
    expect(await ask()).toMatchObject({ type: 'answered', data: { steps: 1, upToStep: 1 } });
    const progress = { type: 'comparisonProgressed', session: 'drawing' };
    expect(facts[0]).toEqual({ ...progress, progress: { policy: 'ladder', done: 1, of: 9 } });
    expect(facts.at(-1)).toEqual({
      ...progress,
      progress: { policy: 'ladderNoExcerpts', done: 9, of: 9 },
    });
  });

  it('says why there is nothing to compare', async () => {
    expect(await compared(here, '1 anchor task 30').ask()).toBe(
      'There is nothing to compare yet: the session has no step.',
    );
  });

  it('reports a failure', async () => {
    const { ask } = compared(() => Promise.reject(new Error('The thread ended.')));
    expect(await ask()).toBe('The thread ended.');
  });

  it('is stopped by the user, by a newer comparison, and by a switch of the session', async () => {
    const { ask, stop, comparison, shown } = compared(endless);
    const first = ask();
    const second = ask();
    expect(await first).toEqual(STOPPED);
    comparison.follow();
    expect(await Promise.race([second, 'it goes on'])).toBe('it goes on');
    stop();
    expect(await second).toEqual(STOPPED);
    const third = ask();
    shown.session = 'another';
    comparison.follow();
    expect(await third).toEqual(STOPPED);
  });

  it('reports nothing after it was stopped', async () => {
    const { ask, stop, facts } = compared(async (_task, progressed) => {
      stop();
      progressed({ policy: 'ladder', done: 1, of: 9 });
      return 'stopped';
    });
    expect(await ask()).toEqual(STOPPED);
    expect(facts).toEqual([]);
  });
});
