import type { ContextWindow } from '../contextWindow/contextWindow';
import type { EventOf, SessionEvent, TurnOutcome } from '../contextWindow/event';
import type { Activity, TurnItem, TurnView, ToolView, UsageView } from '../protocol/agentView';
import { tokensAfter } from './passViews';
import type { ToolUse } from '../contextWindow/block';
import { callKindOf } from '../contextWindow/callEffect';
import { labelOfCall } from '../contextWindow/label';
import { chargesOf, type Charge } from '../contextWindow/account/charges';
import { costOf } from '../counting/pricing';
import { promptTokens, type Usage } from '../contextWindow/usage';

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

/** Longest arguments shown, in characters. */
const LONGEST_ARGUMENTS = 4_000;

/** Draws one tool call; `activity` is undefined when its turn is over. */
function toolView(
  use: ToolUse,
  result: EventOf<'toolFinished'> | undefined,
  activity: Activity | undefined,
): ToolView {
  return {
    toolUseId: use.id,
    name: use.name,
    kind: callKindOf(use),
    ...textsOf(use),
    state: result === undefined ? stateWithoutResult(use, activity) : stateOf(result),
    ...(result === undefined
      ? {}
      : { elapsedMs: result.durationMs, resultChars: result.text.length }),
  };
}

type CallTexts = Pick<ToolView, 'label' | 'argumentsText'>;

/** Every state draws every call anew and a call never changes, so its texts are made once. */
const TEXTS = new WeakMap<ToolUse, CallTexts>();

function textsOf(use: ToolUse): CallTexts {
  const known = TEXTS.get(use);
  if (known !== undefined) return known;
  const texts = { label: labelOfCall(use), argumentsText: argumentsText(use) };
  TEXTS.set(use, texts);
  return texts;
}

function argumentsText(use: ToolUse): string {
  const text = JSON.stringify(use.input, null, 2);
  if (text.length <= LONGEST_ARGUMENTS) return text;
  return `${text.slice(0, LONGEST_ARGUMENTS)}\n… (${text.length} characters in all)`;
}

function stateWithoutResult(use: ToolUse, activity: Activity | undefined): ToolView['state'] {
  if (activity === undefined) return 'stopped';
  return activity.state === 'runningTool' && activity.toolUseId === use.id ? 'running' : 'waiting';
}

function stateOf({ origin, isError }: EventOf<'toolFinished'>): ToolView['state'] {
  switch (origin) {
    case 'ran':
      return isError ? 'failed' : 'done';
    case 'denied':
      return 'denied';
    case 'stopped':
    case 'interrupted':
      return 'stopped';
    case 'cutReply':
      return 'failed';
  }
}

/** Who answers now and whom the scripted model signs as; `now` in ms since the epoch. */
interface AnswerFacts {
  readonly offline: boolean;
  readonly demoAuthor: string;
  readonly now: number;
}

/** Says whether the scripted model answered a turn; undefined while nobody has. */
function wasOffline(events: readonly SessionEvent[], demoAuthor: string): boolean | undefined {
  const authors = paidFor(events).map(({ model }) => model);
  return authors.length === 0 ? undefined : authors.includes(demoAuthor);
}

/** Adds up what the responses of a turn used; those for summaries and ratings included. */
export function usageOfTurn(
  events: readonly SessionEvent[],
  facts: AnswerFacts,
  isRunning: boolean,
): UsageView {
  const responses = paidFor(events);
  const sum = (of: (usage: Usage) => number) =>
    responses.reduce((total, { usage }) => total + of(usage), 0);
  const began = events[0]?.at ?? facts.now;
  // A block pinned after the end belongs to the log of the turn, not to its time.
  const last = events.find(({ type }) => type === 'turnEnded') ?? events.at(-1);
  const ended = isRunning ? facts.now : (last?.at ?? began);
  return {
    inputTokens: sum(promptTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: costText(responses, facts),
    elapsedMs: Math.max(0, ended - began),
  };
}

/** A reply that was stopped half-way carries no usage, nor the name of who wrote it. */
function paidFor(events: readonly SessionEvent[]): readonly Charge[] {
  return events
    .flatMap(chargesOf)
    .filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}

function costText(responses: readonly Charge[], facts: AnswerFacts): string {
  const charged = responses.filter(({ model }) => model !== facts.demoAuthor);
  if (charged.length === 0 && (facts.offline || responses.length > 0)) {
    return 'no charge (offline)';
  }
  let dollars = 0;
  for (const { model, usage } of charged) {
    const cost = costOf(model, usage);
    if (cost === 'unknown') return 'price unknown';
    dollars += cost.usd;
  }
  return `$${dollars.toFixed(4)}`;
}
