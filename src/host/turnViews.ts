import type { ContextWindow } from '../contextWindow/contextWindow';
import type { EventOf, SessionEvent, TurnOutcome } from '../contextWindow/event';
import type { Activity, TurnItem, TurnView } from '../protocol/agentView';
import { tokensAfter } from './passViews';
import { toolView } from './toolView';
import { usageOfTurn, wasOffline, type AnswerFacts } from './turnUsage';

/** What the turns are drawn from. */
export interface TurnFacts extends AnswerFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly activity: Activity;
}

/** Draws every turn of the session, oldest first. */
export function turnViews(facts: TurnFacts): readonly TurnView[] {
  const turns = splitTurns(facts.events);
  const busy = facts.activity.state !== 'idle';
  let step = 0;
  return turns.map((events, index): TurnView => {
    const isLast = index === turns.length - 1;
    const isRunning = busy && isLast && !events.some(({ type }) => type === 'turnEnded');
    const items = itemsOf(events, step, isRunning, facts);
    step += events.filter(({ type }) => type === 'replyReceived').length;
    const prompt = events.find((event) => event.type === 'promptSubmitted');
    const outcome = isRunning ? undefined : outcomeOf(events);
    const offline = wasOffline(events, facts.demoAuthor);
    return {
      turn: index + 1,
      prompt: prompt?.text ?? '',
      items,
      usage: usageOfTurn(events, facts, isRunning),
      ...(outcome === undefined ? {} : { outcome }),
      ...(offline === undefined ? {} : { offline }),
    };
  });
}

function splitTurns(events: readonly SessionEvent[]): readonly (readonly SessionEvent[])[] {
  const turns: SessionEvent[][] = [];
  for (const event of events) {
    if (event.type === 'promptSubmitted') turns.push([event]);
    else turns.at(-1)?.push(event);
  }
  return turns;
}

function itemsOf(
  events: readonly SessionEvent[],
  stepsBefore: number,
  isRunning: boolean,
  { window, activity }: TurnFacts,
): readonly TurnItem[] {
  const results = new Map<string, EventOf<'toolFinished'>>();
  for (const event of events) {
    // The first result of a call stands, as in the fold.
    if (event.type === 'toolFinished' && !results.has(event.toolUseId)) {
      results.set(event.toolUseId, event);
    }
  }
  let step = stepsBefore;
  return events.flatMap((event): TurnItem[] => {
    if (event.type === 'passApplied') return [passItem(event, window)];
    if (event.type !== 'replyReceived') return [];
    step += 1;
    const text = event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const tools = event.parts.flatMap((part) =>
      part.type === 'toolUse'
        ? [toolView(part.use, results.get(part.use.id), isRunning ? activity : undefined)]
        : [],
    );
    return [{ type: 'step', step, text: text.join('\n\n'), tools }];
  });
}

function passItem({ pass }: EventOf<'passApplied'>, window: ContextWindow): TurnItem {
  const entry = window.ledger.find((known) => known.pass.number === pass.number) ?? {
    pass,
    former: [],
  };
  const after = tokensAfter(entry);
  return {
    type: 'pass',
    number: pass.number,
    trigger: pass.trigger,
    beforeTokens: pass.before.tokens,
    afterTokens: after.tokens,
    exact: pass.before.exact && after.exact,
    ...(entry.undone === true ? { undone: true } : {}),
  };
}

type OutcomeView = NonNullable<TurnView['outcome']>;

function outcomeOf(events: readonly SessionEvent[]): OutcomeView {
  const ended = events.findLast((event) => event.type === 'turnEnded');
  // Without an end the editor was closed, or died, in the middle of the turn.
  if (ended === undefined) {
    return { type: 'interrupted', message: 'The turn was interrupted before it ended.' };
  }
  return outcomeView(ended.outcome);
}

function outcomeView(outcome: TurnOutcome): OutcomeView {
  switch (outcome.type) {
    case 'finished':
      return { type: 'finished' };
    case 'stopped':
      return { type: 'stopped', message: 'Stopped by you.' };
    case 'stepLimit':
      return { type: 'stepLimit', message: `Stopped at the limit of ${outcome.steps} steps.` };
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      return { type: outcome.type, message: outcome.message };
  }
}
