import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { fold } from '../../../../src/contextWindow/fold';
import { timelineOf } from '../../../support/timelineOf';
import type { Usage } from '../../../../src/contextWindow/account/spending';
import {
  TimelineDrawing,
  type TimelineFacts,
} from '../../../../src/editor/contextPanel/timeline/derive';
import { dated, reply, stepEvents, usage } from '../../../support/drawing';
import { smallBudget } from '../../../support/smallBudget';
import { DEMO } from './inspecting';

/** The facts that a timeline is derived with. */
export const FACTS: TimelineFacts = { offline: false, budget: smallBudget(), demoAuthor: DEMO };

export const SONNET = 'claude-sonnet-5-5';

/** A million tokens of input, no output. */
export const MILLION = usage(1_000_000, { outputTokens: 0 });

/** A model reply that reported this usage. */
export function by(
  model: string,
  used: Usage,
  more: Partial<EventOf<'replyReceived'>> = {},
): NewEvent {
  return { ...(reply('Done.', used) as EventOf<'replyReceived'>), model, ...more };
}

/** The timeline of these events, with some changed facts. */
export function view(
  told: readonly (NewEvent | readonly NewEvent[])[],
  facts: Partial<TimelineFacts> = {},
) {
  const events = dated(told.flat());
  return new TimelineDrawing({ ...FACTS, ...facts }).draw(timelineOf(events, fold(events)));
}

/** A step that reads a file. */
export const read = (id: string, name: string) => stepEvents([{ id, name, tokens: 1 }]);
