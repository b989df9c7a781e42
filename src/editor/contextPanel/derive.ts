import { coldFrom } from '../../contextWindow/account/promptCache';
import type { PassPrices } from '../../contextWindow/account/passPrice';
import type { ContextWindow } from '../../contextWindow/window';
import { type Balance, tierTokens } from '../../contextWindow/account/balance';
import type { MemoryFile } from '../../contextWindow/event';
import { originText } from './blocks/blockReason';
import { memoryText } from '../../contextWindow/request/placeholder';
import type { PolicyName } from '../../contextWindow/plan';
import { taskAsObjective } from '../../contextWindow/scratchpad';
import { scratchpadSteps } from '../../contextWindow/passes/reminder';
import { targetOf } from '../../contextWindow/passes/rungs/draft';
import { allRefaultCounts } from '../../contextWindow/passes/refault';
import { effectiveBudget } from '../../contextWindow/budget';
import type { Estimate } from '../../contextWindow/truncate';
import { isInWindow } from '../../contextWindow/block';
import type { ContextView, MemoryView, TravelView } from './state';
import type { Account } from '../session/derive';
import type { SessionBill } from '../session/state';
import { capNotice, recentTurns } from './bar/derive';
import { findings } from './findings/derive';
import { lossesView } from './losses/derive';
import { handChangeViews, scratchpadChangeView } from './ledger/handChangeViews';
import { nameOf, type Inspected } from '../session/inspected';
import { neededAgain } from './blocks/neededAgain';
import type { NeededFile } from '../session/neededInSessions';
import type { DrawnBlocks } from './blocks/derive';
import type { Moves } from './blocks/moves';
import { rulesView } from './rules/derive';
import { toolCosts } from './tools/derive';
import { whatIfSettings } from './whatIf/derive';
import { passViews, requestsOfPasses, reviewView } from './ledger/derive';
import { payeeOf } from '../session/coldText';

/** What the Context panel is drawn from. */
interface ContextFacts {
  readonly inspected: Inspected;
  readonly travel: TravelView;
  /** The window of the moment travelled to. */
  readonly window: ContextWindow;
  readonly account: Account;
  /** The rows, and what a pass would do to them, or did. */
  readonly drawn: DrawnBlocks;
  readonly moves: Moves;
  readonly revision: string;
  readonly showIntro: boolean;
  /** The memory files that are switched off. */
  readonly memoryOff: readonly string[];
  /** The files that several sessions of the workspace needed again. */
  readonly needed: readonly NeededFile[];
  /** Whether the user has yet to read of the caps on watermarks. */
  readonly showCapNotice: boolean;
  readonly estimate: Estimate;
  readonly prices: PassPrices;
  /** At a past step. */
  readonly billThen?: SessionBill | undefined;
  /** Whom the scripted model signs as. */
  readonly demoAuthor: string;
}

/** Draws the Context panel's state: the same window the request is built from. */
export function contextView(facts: ContextFacts): ContextView {
  const { inspected, travel, window, account, estimate } = facts;
  const { source, title, model, offline, inForce, policy, busy, pendingPass } = inspected;
  const isNow = travel.at === 'now';
  const isReplay = source.type === 'recording' && source.asItWas !== true;
  const isOfThen = !isNow && !isReplay && travel.budgetOfToday !== true;
  const shownModel = isNow ? model : (window.model ?? model);
  const why = whyReadOnly(inspected, travel);
  const problem = inspected.problem ?? (isNow ? whyStuck(window) : undefined);
  const isCapShown = facts.showCapNotice && isNow && source.type === 'session';
  const cap = isCapShown ? capNotice(inForce) : undefined;
  const { next, blocks } = facts.drawn;
  const scratchpadChange = scratchpadChangeView(window);
  const settings = whatIfSettings(inForce.settings.context, policy);
  const { beforeEdits, tokens: afterEdits = 0 } = window.baseline ?? {};
  const tools = toolCosts(window, account.measured, estimate, { model: shownModel, offline });
  return {
    session: nameOf(inspected),
    events: inspected.events.length,
    revision: facts.revision,
    source,
    travel,
    showIntro: facts.showIntro,
    settings,
    title,
    links: inspected.links,
    windows: inspected.windows,
    model: shownModel,
    offline,
    windowSource: isOfThen ? 'at this step' : inForce.windowSource,
    policy,
    compaction: inForce.settings.context.compaction,
    cacheLife: cacheLifeView(window),
    coldFrom: isNow && source.type === 'session' ? passColdFrom(window, account, facts) : undefined,
    passAbove: passAbove(account.balance, policy),
    handTarget: targetOf({
      window,
      trigger: 'manual',
      measured: account.measured,
      budget: effectiveBudget(window, inForce.budget),
    }),
    turn: window.turn,
    step: window.step,
    busy,
    balance: account.balance,
    recent: recentTurns(window, account.measured, settings),
    tiers: tierTokens(window, account.measured),
    blocks,
    ...facts.moves,
    passes: passViews(window, requestsOfPasses(inspected, facts.demoAuthor), facts.prices.of),
    losses: lossesView(inspected, travel.at),
    edits: handChangeViews(window),
    scratchpadChange,
    billThen: facts.billThen,
    refaults: allRefaultCounts(window),
    neededAgain: neededAgain(window, estimate),
    next,
    findings:
      why === undefined && pendingPass === undefined
        ? findings({ inspected, account, blocks, next, tools, needed: facts.needed, estimate })
        : [],
    ...(beforeEdits === undefined || !isNow
      ? {}
      : { apiEdits: { before: beforeEdits, after: afterEdits } }),
    scratchpad: window.scratchpad,
    ...(isReplay ? {} : scratchpadFacts(window)),
    rules: rulesView(window, account.balance),
    tools,
    ...memoryFacts(window, estimate),
    memoryOff: source.type === 'session' ? facts.memoryOff : [],
    ...(pendingPass === undefined || !isNow
      ? {}
      : { review: reviewView(pendingPass, window, estimate, payeeOf(inForce)) }),
    reviewWaits: inspected.reviewWaits ?? (pendingPass !== undefined && !isNow),
    capNotice: cap,
    problem,
    whyReadOnly: why,
  };
}

/** From when on the prompt cache is cold, if a pass may run then. */
function passColdFrom(
  window: ContextWindow,
  { balance }: Account,
  { inspected: { inForce, policy } }: Pick<ContextFacts, 'inspected'>,
): number | undefined {
  const runs = inForce.settings.context.compaction !== 'off' && policy !== 'server';
  return runs && balance.used.tokens > balance.lowTokens ? coldFrom(window) : undefined;
}

function cacheLifeView({
  cacheLife: life = '5m',
  cacheLifeChosen,
  cache,
}: ContextWindow): ContextView['cacheLife'] {
  if (cacheLifeChosen === undefined) return undefined;
  const { choice, step: since, requests, pauses, earlier } = cacheLifeChosen;
  const savedTokens = Math.round(cache?.hourSaved ?? 0);
  return { life, choice, since, requests, pauses, earlier, savedTokens };
}

/** Why nothing can be changed; undefined where it can. */
export function whyReadOnly(
  { source }: Pick<Inspected, 'source'>,
  { at }: Pick<TravelView, 'at'>,
): string | undefined {
  if (source.type === 'recording') {
    if (source.format === 'subAgent') return 'The window of a sub-agent is read only.';
    return source.format === 'plimsoll'
      ? 'A session opened from a file is read only. To continue a session of this workspace, open it from the list of sessions.'
      : 'A recording of another agent is read only.';
  }
  return at === 'now' ? undefined : `Step ${at} is past: go back to now to change the window.`;
}

/** The API's own editing begins at the high watermark; a pass is run only where it falls short. */
function passAbove({ highTokens, inputBudget }: Balance, policy: PolicyName): number {
  return policy === 'server' ? inputBudget : highTokens;
}

function memoryFacts(
  { preamble: { memory = [] }, blocks }: ContextWindow,
  estimate: Estimate,
): Pick<ContextView, 'memory' | 'profile'> {
  const viewOf = (file: MemoryFile): MemoryView => ({
    path: file.path,
    shownChars: file.text.length,
    chars: file.chars,
    tokens: estimate(memoryText(file)),
    ...(file.skill && { skill: file.skill.name }),
    ...(file.origin && { origin: originText(file.origin) }),
  });
  const notes = blocks.filter(isInWindow).flatMap((block): readonly MemoryView[] => {
    if (block.kind !== 'note' || block.source.from !== 'memory') return [];
    const { path, origin } = block.source;
    const { text } = block;
    return [
      { ...viewOf({ path, text, chars: text.length, ...(origin && { origin }) }), isNote: true },
    ];
  });
  const profile = memory.find((file) => file.profile === true);
  return {
    memory: [...memory.filter((file) => file !== profile).map(viewOf), ...notes],
    ...(profile === undefined ? {} : { profile: viewOf(profile) }),
  };
}

function scratchpadFacts(
  window: ContextWindow,
): Pick<ContextView, 'taskAsObjective' | 'scratchpadSteps'> {
  const task = taskAsObjective(window);
  return {
    taskAsObjective: task,
    scratchpadSteps: scratchpadSteps(window),
  };
}

function whyStuck({ lastOutcome }: ContextWindow): string | undefined {
  return lastOutcome?.type === 'contextFull' ? lastOutcome.message : undefined;
}
