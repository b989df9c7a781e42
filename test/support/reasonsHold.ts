import { SEARCH_STEPS, showsFoundLines } from '../../src/contextWindow/passes/rungs/recentTurns';
import { expect } from './plainExpect';
import {
  type Block,
  isInWindow,
  isThinking,
  type StepBlock,
  type ToolPair,
} from '../../src/contextWindow/block';
import {
  blocksInWindow,
  firstOfNewest,
  latestPrompt,
  latestStep,
  newestStep,
  type ContextWindow,
} from '../../src/contextWindow/window';
import { callEffectOf, pathOf } from '../../src/contextWindow/callEffect';
import { applyPass } from '../../src/contextWindow/passes/applyPass';
import { NEED_LASTS_STEPS } from '../../src/contextWindow/passes/oftenNeeded';
import { measure } from '../../src/contextWindow/account/measure';
import type { Decision, Pass } from '../../src/contextWindow/plan';
import { identifiersOf } from '../../src/contextWindow/passes/rungs/identifiers';
import { lastUsesOf, needOf, pathsNamedBy } from '../../src/contextWindow/passes/rungs/need';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import type {
  Cap,
  ClearedOf,
  ComparedWith,
  Lack,
  OtherCleared,
  Reason,
  RecentTurn,
  Rule,
} from '../../src/contextWindow/reasons';
import { clearedResultText, resultText } from '../../src/contextWindow/request/placeholder';
import { rulesText } from '../../src/contextWindow/standingRules/standingRules';
import { scratchpadText } from '../../src/contextWindow/scratchpad';
import { estimate } from './player';

/** What a reason is checked against: the window before the pass, and all decisions of the pass. */
interface Given {
  readonly window: ContextWindow;
  readonly pass: Pass;
  readonly block: Block;
  readonly decision: Decision;
  /** The blocks in the window, and the place of the block among them; -1 if it is outside. */
  readonly blocks: readonly Block[];
  readonly place: number;
  readonly decisionOf: ReadonlyMap<string, Decision>;
  readonly settings: PolicySettings;
}

type ReasonBy<R extends Rule> = Extract<Reason, { readonly rule: R }>;

/** Sessions that a property test plays have no such reason. */
const never = () => false;

/** For each rule, a predicate of its own that a true reason satisfies. */
const HOLDS: { [R in Rule]: (given: Given, reason: ReasonBy<R>) => boolean } = {
  'keep:anchor': ({ block }) => block.kind === 'anchor' && block.pinned,
  'keep:pinned': ({ block }) => block.pinned && block.kind !== 'anchor',
  'keep:latestPrompt': ({ window, block }) => block === latestPrompt(window),
  'keep:openStep': ({ window, block }, { hasResults }) =>
    block === latestStep(window) && block.kind === 'step' && hasResults === block.pairs.length > 0,
  'keep:memory': ({ block }) => block.kind === 'note' && block.source.from === 'memory',
  'keep:restored': isRestoredUnread,
  'keep:unread': ({ window, block }, { note }) =>
    block.kind === 'note' &&
    block.source.from === note &&
    stepsThatRead(window).every((step) => place(window, step) < place(window, block)),
  'keep:head': (given) => given.place <= 4,
  'keep:newestSearch': ({ window, block }) =>
    block.kind === 'step' &&
    block.step > window.step - SEARCH_STEPS &&
    block.pairs.some(showsFoundLines),
  'keep:recentTurns': ({ window, block, pass, decisionOf, blocks }, { turns }) =>
    block.turn >= firstOfNewest(window, turns) &&
    blocks
      .filter(({ turn }) => turn >= firstOfNewest(window, turns))
      .filter(({ kind }) => kind !== 'note' && kind !== 'excerpts')
      .every(({ id }) => !isOut(decisionOf.get(id)!) || pass.trigger === 'cap'),
  'keep:recent': ({ window, block }, { steps }) => steps === 2 && isAmongNewestSteps(window, block),
  'keep:untouched': ({ pass }) => pass.trigger === 'byHand',
  'keep:withinCap': ({ pass }) => pass.trigger === 'cap',
  'keep:enough': ({ pass }, { tokens, mark }) =>
    tokens === pass.target &&
    pass.after.tokens <= tokens &&
    (mark === 'lowWatermark') === (tokens === pass.budget.lowTokens),
  'keep:neededAgain': ({ window, block, pass }, { times }) =>
    times >= 2 && times === timesNeededAgain(window, block) && pass.after.tokens <= pass.target,
  'keep:noGain': ({ pass }, { because }) => {
    const { tokens } = pass.after;
    switch (because) {
      case 'belowHighWatermark':
        return tokens <= pass.budget.highTokens;
      case 'withinInputBudget':
        return tokens <= pass.budget.inputBudget;
      case 'exhausted':
        return tokens > pass.budget.inputBudget && pass.policy === 'server';
    }
  },
  clearSuperseded: ({ block, blocks }, { shownBy }) =>
    shownBy.length > 0 &&
    shownBy.every(({ step }) => {
      const later = blocks.find((other) => other.kind === 'step' && other.step === step);
      return (
        block.kind === 'step' &&
        later?.kind === 'step' &&
        step >= block.step &&
        later.pairs.some((now) =>
          block.pairs.some(
            ({ use }) =>
              use.id !== now.use.id &&
              (use.name === now.use.name || pathOf(use) === pathOf(now.use)),
          ),
        )
      );
    }),
  clearOldResults: (given, { of, beforeTurns, tokens, others }) =>
    tokens === given.decision.before.tokens &&
    isBeforeTurns(given, beforeTurns) &&
    isLeastNeeded(given, of, beforeTurns, others),
  clearOversized: ({ decision, pass }, { tokens }) =>
    tokens <= decision.before.tokens && tokens > pass.target / 4,
  clearHeldByExcerpts: ({ block, pass }, { isShown }) =>
    block.kind === 'step' && isShown === (pass.excerpts !== undefined),
  trimThinking: (given, { because }) =>
    given.block.kind === 'step' &&
    given.block.parts.some(isThinking) &&
    (because === 'oldest' ? isOldestThinking(given) : isBehindChange(given)),
  summariseOldest: (given, { olderThan }) =>
    isCredited(given) &&
    (olderThan === undefined
      ? !isBeforeNewestSteps(given)
      : olderThan === 2 && isBeforeNewestSteps(given)),
  summariseSpent: (given, { isStep, files }) =>
    isCredited(given) &&
    isStep === (given.block.kind === 'step') &&
    files === filesIn(given.block) &&
    hasOldEditsOnly(given),
  summariseOverCap: (given, { cap }) => isCredited(given) && isOverCap(given, cap),
  evictOverCap: (given, { cap }) => isOverCap(given, cap),
  evictOldest: (given, { isOldest }) =>
    !isOldest ||
    staying(given, (at) => at < given.place).every(({ id }) => {
      const decision = given.decisionOf.get(id)!;
      return !mayLeave(decision) || decision.before.tokens === 0;
    }),
  evictMiddle: (given, { isInMiddle }) =>
    !isInMiddle || (given.place > 0 && staying(given, (at) => at > given.place).length > 0),
  evictLeastSalient: (given, { of, beforeTurns, relevance, isRated, lacks }) =>
    relevance === given.decision.salience?.salience &&
    (isRated === true) === (given.decision.salience.rated !== undefined) &&
    isBeforeTurns(given, beforeTurns) &&
    isLeastRelevant(given, of, beforeTurns) &&
    lacks.every((lack) => isLacking(given, lack)),
  evictFinishedPrompt: (given) =>
    staying(given, () => true).every(
      ({ kind, turn }) => kind !== 'step' || turn !== given.block.turn,
    ),
  evictRestored: (given) =>
    isRestoredUnread(given) &&
    given.pass.after.tokens + given.decision.before.tokens > given.pass.budget.inputBudget,
  evictFormerExcerpts: ({ block, pass }, { isReplaced }) =>
    block.kind === 'excerpts' && isReplaced === (pass.excerpts !== undefined),
  evictShownNotes: ({ block }, { isReminder }) =>
    block.kind === 'note' && block.source.from === (isReminder ? 'reminder' : 'scratchpad'),
  shortenTask: ({ decision, block, pass }, { tokens }) =>
    block.kind === 'anchor' &&
    tokens === decision.before.tokens &&
    tokens > Math.min(pass.budget.inputBudget / 4, pass.budget.lowTokens / 2) &&
    pass.before.tokens > pass.target,
  shortenProtected: ({ decision, pass }, { tokens }) =>
    tokens === decision.before.tokens && pass.before.tokens > pass.budget.inputBudget - 1,
  excludedByUser: ({ pass }) => pass.trigger === 'byHand',
  clearedByUser: ({ pass, block }) => pass.trigger === 'byHand' && block.kind === 'step',
  restoredByUser: ({ pass }, { above }) => {
    const { highTokens, inputBudget } = pass.budget;
    if (above === undefined) {
      // The policy of the pass, since the session may have changed it; `server` starts passes above
      // the input budget only.
      return pass.after.tokens <= (pass.policy === 'server' ? inputBudget : highTokens);
    }
    return (
      above.usedTokens === pass.after.tokens &&
      above.usedTokens > above.markTokens &&
      above.markTokens === (above.mark === 'highWatermark' ? highTokens : inputBudget)
    );
  },
  rewrittenByUser: ({ block }) => block.kind === 'summary',
  undoneByUser: ({ pass, block }, { isPrompt }) =>
    pass.undonePrompt !== undefined &&
    isPrompt === (block.kind === 'prompt' || block.kind === 'anchor'),
  'keep:spared': never,
  'keep:recorded': never,
  truncateAtAdmission: never,
  evictUnneeded: never,
  recorded: never,
  undone: never,
};

function isOut({ action }: Decision): boolean {
  return action === 'evict' || action === 'summarise';
}

/** Says whether a pass might have removed a block; one that it only trimmed or cut may have to stay. */
function mayLeave({ reason: { rule } }: Decision): boolean {
  if (rule === 'keep:recent' || rule === 'keep:enough' || rule === 'keep:withinCap') return true;
  if (rule === 'keep:noGain' || rule === 'keep:neededAgain') return true;
  return !(rule.startsWith('keep:') || rule === 'trimThinking' || rule.startsWith('shorten'));
}

/** The blocks that stay in the window. */
function staying({ blocks, decisionOf }: Given, at: (place: number) => boolean): readonly Block[] {
  return blocks.filter(({ id }, index) => at(index) && !isOut(decisionOf.get(id)!));
}

function place({ blocks }: ContextWindow, block: Block): number {
  return blocks.findIndex(({ id }) => id === block.id);
}

/** The steps before which the model read the whole window. */
function stepsThatRead({ blocks }: ContextWindow): readonly Block[] {
  return blocks.filter(
    (block) => block.kind === 'step' && block.state !== 'undone' && block.editedMeanwhile !== true,
  );
}

/** Says whether the user restored a block and no step has read it since. */
function isRestoredUnread({ window, block }: Given): boolean {
  const restore = window.ledger.findLast(
    ({ pass, undone }) =>
      undone !== true &&
      pass.decisions.some(({ blockId, action }) => blockId === block.id && action === 'restore'),
  );
  return (
    restore !== undefined &&
    stepsThatRead(window).every(
      (step) => step.kind === 'step' && step.step < restore.pass.beforeStep,
    )
  );
}

function isAmongNewestSteps(window: ContextWindow, block: Block): boolean {
  return block.kind === 'step' && block.step > newestStep(window) - 2;
}

function isBeforeNewestSteps({ window, blocks, place: at }: Given): boolean {
  return at < blocks.findIndex((block) => isAmongNewestSteps(window, block));
}

function isOldestThinking({ blocks, place: at, decisionOf }: Given): boolean {
  return blocks
    .slice(0, at)
    .every(
      (older) =>
        older.kind !== 'step' ||
        older.thinkingDropped ||
        !older.parts.some(isThinking) ||
        decisionOf.get(older.id)!.action !== 'keep',
    );
}

/** Says whether something before a block changed: a block, the excerpts, the rules, the scratchpad or its place. */
function isBehindChange({ window, pass, decision }: Given): boolean {
  const before = pass.decisions.slice(0, pass.decisions.indexOf(decision));
  return (
    pass.excerpts !== undefined ||
    pass.overhead!.scratchpad !== 0 ||
    isHeadMoved(window, applyPass(window, pass)) ||
    scratchpadText(window.scratchpad) !== window.shownScratchpad ||
    pass.undonePrompt?.showsScratchpad === true ||
    before.some(({ action }) => action !== 'keep' && action !== 'trim')
  );
}

/** Says whether the rules changed, or stand elsewhere than before, as the scratchpad does. */
function isHeadMoved(before: ContextWindow, after: ContextWindow): boolean {
  const rules = rulesText(after);
  const isMoved = before.scratchpadBehindAnchor !== after.scratchpadBehindAnchor;
  return rules !== rulesText(before) || ((after.shownScratchpad !== '' || rules !== '') && isMoved);
}

/** Says whether the reason names the writer of the summary that replaces the block. */
function isCredited({ pass, decision: { reason, summaryId } }: Given): boolean {
  const summary = pass.summaries.find(({ id }) => id === summaryId);
  const credit = 'summary' in reason ? reason.summary : undefined;
  return (
    summary !== undefined &&
    credit?.by === summary.writtenBy.by &&
    credit.editedByUser === summary.editedByUser
  );
}

/** The file text of a step before a pass: reads that are whole, else edits; undefined for none. */
function filesIn(block: Block): 'clearedReads' | 'oldEdits' | undefined {
  const pairs = block.kind === 'step' ? block.pairs : [];
  const kindOf = ({ use }: ToolPair) => callEffectOf(use).kind;
  const reads = pairs.filter((pair) => kindOf(pair) === 'read');
  if (reads.some(({ result, cleared }) => result !== undefined && !cleared)) return 'clearedReads';
  return pairs.some((pair) => ['edit', 'write'].includes(kindOf(pair))) ? 'oldEdits' : undefined;
}

function hasOldEditsOnly({ window, block }: Given): boolean {
  if (block.kind !== 'step') return true;
  return block.pairs.every(({ use }) => {
    const effect = callEffectOf(use);
    if (effect.kind !== 'edit' && effect.kind !== 'write') return true;
    return (lastUsesOf(window).lastEdit.get(effect.path) ?? 0) < 0.2;
  });
}

function isOverCap({ window, block, blocks, pass, settings }: Given, cap: Cap): boolean {
  if (cap.of === 'messages') {
    return (
      cap.left === settings.maxMessages && (cap.withHead === true) === (pass.policy === 'headTail')
    );
  }
  const turns = new Set(
    blocks
      .filter(({ pinned, kind }) => !pinned && kind !== 'summary' && kind !== 'note')
      .map(({ turn }) => turn),
  );
  const newer = [...turns].filter((turn) => turn > block.turn).length;
  return (
    newer >= cap.left - 1 && turns.size > (cap.most ?? cap.left) - 1 && block.turn <= window.turn
  );
}

function isLacking({ window, block, blocks, decision, place: at }: Given, lack: Lack): boolean {
  switch (lack.factor) {
    case 'recency':
      return at <= (blocks.length - 1) / 4;
    case 'reuse':
      return lack.steps > 0 && isUnusedFor(window, block, blocks, lack.steps);
    case 'size':
      return (
        lack.tokens === decision.before.tokens &&
        lack.tokens >= measure(window, estimate).used.tokens / 20
      );
    case 'kind':
      return (
        block.kind === 'step' &&
        block.pairs.every(({ use }) => !['read', 'edit', 'write'].includes(callEffectOf(use).kind))
      );
  }
}

/** Says whether none of the newest steps names a block's files or mentions an identifier from it. */
function isUnusedFor(
  window: ContextWindow,
  block: Block,
  blocks: readonly Block[],
  steps: number,
): boolean {
  const paths = pathsNamedBy(block);
  const names = identifiersOf(block).all;
  return blocks.every(
    (other) =>
      other.kind !== 'step' ||
      other.step <= newestStep(window) - steps ||
      (other !== block &&
        other.pairs.every(({ use }) => !paths.includes(pathOf(use) ?? '')) &&
        identifiersOf(other).said.every((name) => !names.includes(name))),
  );
}

const PROTECTED: ReadonlySet<Rule> = new Set<Rule>([
  'keep:anchor',
  'keep:pinned',
  'keep:latestPrompt',
  'keep:openStep',
  'keep:memory',
  'keep:restored',
  'keep:unread',
  'keep:head',
  'keep:newestSearch',
  'keep:recentTurns',
  'keep:spared',
]);

/** The blocks that stay although the pass might have removed them, those of the newest turns apart. */
function removable(given: Given, beforeTurns = 0): readonly Block[] {
  const { blocks, decisionOf, window } = given;
  return blocks.filter((block) => {
    const { action, reason, after } = decisionOf.get(block.id)!;
    if (action === 'evict' || action === 'summarise' || after.tokens === 0) return false;
    // A protected block is only trimmed or truncated.
    const isProtected =
      PROTECTED.has(reason.rule) ||
      reason.rule.startsWith('shorten') ||
      isHeld(window, block) ||
      (reason.rule === 'trimThinking' && isOfUnchangedTurns(given, block));
    return !isProtected && !isOfNewestTurns(window, block, beforeTurns);
  });
}

/** Says whether a block is a prompt, a step or a summary of the newest turns. */
function isOfNewestTurns(window: ContextWindow, { kind, turn }: Block, turns: number): boolean {
  return kind !== 'note' && kind !== 'excerpts' && turn >= firstOfNewest(window, turns);
}

/** Says whether a pass keeps the newest turns as far as a block's, and only removed thinking there. */
function isOfUnchangedTurns({ window, pass, blocks, decisionOf, settings }: Given, block: Block) {
  return (
    (pass.policy === 'ladder' || pass.policy === 'summarise') &&
    isOfNewestTurns(window, block, settings.keepRecentTurns) &&
    blocks.every((other) => {
      const { action } = decisionOf.get(other.id)!;
      const isUnchanged = action === 'keep' || action === 'trim' || action === 'truncate';
      return isUnchanged || other.turn < block.turn || !isOfNewestTurns(window, other, Infinity);
    })
  );
}

/** Says whether a block is none of the newest turns that a pass changes last. */
function isBeforeTurns({ window, block, settings }: Given, turns: number | undefined): boolean {
  if (turns === undefined) return true;
  const isPossible = turns >= 1 && turns <= settings.keepRecentTurns;
  return isPossible && !isOfNewestTurns(window, block, turns);
}

/** Says whether every pass keeps the block, whatever else happens to it. */
function isHeld(window: ContextWindow, block: Block): boolean {
  return block.pinned || block === latestPrompt(window) || block === latestStep(window);
}

function isWords({ kind }: Block): boolean {
  return kind === 'prompt' || kind === 'anchor';
}

/** One of the last eight steps, a note, or excerpts. */
function isWorking(window: ContextWindow, block: Block): boolean {
  if (block.kind === 'step') return block.step > newestStep(window) - 8;
  return block.kind === 'note' || block.kind === 'excerpts';
}

/** Says whether no block stays that the order of eviction would have removed first. */
function isLeastRelevant(given: Given, of: ComparedWith, beforeTurns?: number): boolean {
  const { window, block, decision, decisionOf, place: at, blocks } = given;
  const left = removable(given, beforeTurns);
  const isOften = (other: Block) => timesNeededAgain(window, other) >= 2;
  const often = left.filter((other) => !isWords(other) && isOften(other));
  const work = left.filter((other) => !isWords(other) && !isOften(other));
  const older = work.filter((other) => !isWorking(window, other));
  const isLeast = (among: readonly Block[]) =>
    among.every(({ id }) => decisionOf.get(id)!.salience!.salience >= decision.salience!.salience);
  switch (of) {
    case 'olderSteps':
      return !isWords(block) && !isWorking(window, block) && isLeast(older);
    case 'recent':
      return isWorking(window, block) && older.length === 0 && isLeast(work);
    case 'neededOften':
      return isOften(block) && work.length === 0 && isLeast(often);
    case 'prompts':
      return (
        isWords(block) &&
        work.length === 0 &&
        often.length === 0 &&
        left.every((other) => blocks.indexOf(other) > at)
      );
  }
}

/** How often the content of a block was needed again lately, counted without a cache. */
function timesNeededAgain({ refaults: all, step }: ContextWindow, block: Block): number {
  const refaults = all.filter((one) => step - one.step < NEED_LASTS_STEPS);
  const names = new Set(
    (block.kind === 'step' ? block.pairs : []).flatMap(({ use, cleared }) => {
      const effect = callEffectOf(use);
      if (cleared) return [];
      if (effect.kind === 'read') return [effect.path];
      return effect.kind === 'recall' ? [effect.handle ?? effect.pattern ?? ''] : [];
    }),
  );
  const ofBlock = refaults.filter(({ blockId }) => blockId === block.id).length;
  const ofName = [...names].map((name) => refaults.filter(({ what }) => what === name).length);
  return Math.max(ofBlock, ...ofName);
}

/** How likely a result is to be needed, for its size. */
function densityOf(window: ContextWindow, step: StepBlock, pair: ToolPair): number {
  const need = needOf(lastUsesOf(window), step, pair);
  return need / Math.max(30, tokensOf(pair)) ** 0.25;
}

/** Says whether no result stays that the order of clearing would have cleared first. */
function isLeastNeeded(
  given: Given,
  of: ClearedOf,
  beforeTurns: number | undefined,
  others: readonly OtherCleared[] = [],
): boolean {
  const { window, block, blocks, decision, decisionOf, pass } = given;
  if (block.kind !== 'step') return false;
  const newest = blocks
    .flatMap((other) => (other.kind === 'step' ? other.pairs : []))
    .slice(-3)
    .map(({ use }) => use.id);
  const left = removable(given, beforeTurns).flatMap((other) =>
    other.kind === 'step'
      ? other.pairs
          .filter(
            (pair) =>
              pair.result !== undefined &&
              !pair.cleared &&
              decisionOf.get(other.id)!.toolUseIds?.includes(pair.use.id) !== true &&
              !newest.includes(pair.use.id) &&
              tokensOf(pair) - estimate(clearedResultText(pair)) >= 40,
          )
          .map((pair) => ({ tokens: tokensOf(pair), density: densityOf(window, other, pair) }))
      : [],
  );
  const largeLeft = left.filter(({ tokens }) => tokens >= Math.max(800, pass.target * 0.02));
  const cleared = block.pairs.filter(
    (pair) => decision.toolUseIds?.includes(pair.use.id) === true && !pair.cleared,
  );
  const isLeast = (pair: ToolPair) => {
    const rivals = of === 'largeFirst' && tokensOf(pair) >= 800 ? largeLeft : left;
    return rivals.every(({ density }) => densityOf(window, block, pair) <= density + 1e-12);
  };
  const isHeldByExcerpts = ({ use }: ToolPair) =>
    decision.heldByExcerpts?.includes(use.id) === true;
  const isOther: Readonly<Record<OtherCleared, (pair: ToolPair) => boolean>> = {
    heldByExcerpts: isHeldByExcerpts,
    outOfDate: (pair) => !isHeldByExcerpts(pair) && isShownAgain(given, pair),
  };
  return (
    cleared.some((pair) => !isHeldByExcerpts(pair) && isLeast(pair)) &&
    others.every((why) => cleared.some(isOther[why])) &&
    cleared.every((pair) =>
      isHeldByExcerpts(pair)
        ? others.includes('heldByExcerpts')
        : isLeast(pair) || (others.includes('outOfDate') && isOther.outOfDate(pair)),
    )
  );
}

/** Says whether a later call of the same tool, or about the same file, has a result. */
function isShownAgain({ blocks }: Given, { use }: ToolPair): boolean {
  const pairs = blocks.flatMap((block) => (block.kind === 'step' ? block.pairs : []));
  const at = pairs.findIndex((pair) => pair.use.id === use.id);
  return pairs
    .slice(at + 1)
    .some(
      ({ use: later, result }) =>
        result !== undefined && (later.name === use.name || pathOf(later) === pathOf(use)),
    );
}

function tokensOf(pair: ToolPair): number {
  return estimate(resultText(pair));
}

function isOfRecentTurn({ window, block, settings }: Given, recent: RecentTurn): boolean {
  const prompts = window.blocks.filter(
    ({ kind, state }) => (kind === 'prompt' || kind === 'anchor') && state !== 'undone',
  );
  return (
    recent.turn === block.turn &&
    recent.kept === settings.keepRecentTurns &&
    block.turn >= firstOfNewest(window, recent.kept) &&
    recent.isNothingOlder === prompts.length <= recent.kept
  );
}

/** A reason that is not true of its block. */
interface FalseReason {
  readonly block: string;
  readonly reason: Reason;
  readonly recentTurn: RecentTurn | undefined;
}

/** The reasons of a pass that are not true of their blocks. */
export function falseReasons(
  window: ContextWindow,
  pass: Pass,
  settings: PolicySettings,
): readonly FalseReason[] {
  const blocks = blocksInWindow(window);
  const decisionOf = new Map(pass.decisions.map((one) => [one.blockId as string, one]));
  const blockOf = new Map(window.blocks.map((block) => [block.id as string, block]));
  return pass.decisions.flatMap((decision) => {
    const block = blockOf.get(decision.blockId)!;
    const at = isInWindow(block) ? blocks.indexOf(block) : -1;
    const given = { window, pass, block, decision, blocks, place: at, decisionOf, settings };
    const { reason, recentTurn } = decision;
    const holds = HOLDS[reason.rule] as (given: Given, reason: Reason) => boolean;
    const isTrue =
      holds(given, reason) && (recentTurn === undefined || isOfRecentTurn(given, recentTurn));
    return isTrue ? [] : [{ block: block.id, reason, recentTurn }];
  });
}

/** Throws if a reason is not true of its block. */
export function expectReasonsHold(
  window: ContextWindow,
  pass: Pass,
  settings: PolicySettings,
): void {
  expect(falseReasons(window, pass, settings)).toEqual([]);
}
