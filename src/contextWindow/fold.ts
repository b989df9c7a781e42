import {
  type AnchorBlock,
  type BlockId,
  isInWindow,
  isThinkingSendable,
  type NoteSource,
  type PromptBlock,
  type StepBlock,
  type ToolPair,
} from './block';
import {
  addBlock,
  editFromStart,
  moveAnchor,
  moveAnchorBack,
  noteId,
  type NewNote,
  noteBlock,
  replaceBlock,
  setPinned,
  takeRecordedCount,
  withDecision,
  withoutExact,
  withSentSecrets,
} from './blockChanges';
import { withCommand, withCommandEnd, withEndsReported } from './commands';
import { mayBeContextEdited } from './contextEditing';
import type { EventOf, SessionEvent } from './event';
import { movedBy, withChoice } from './files/fileChoices';
import { withCall } from './files/fileModel';
import { withHandChange } from './handChanges';
import { applyPass } from './passes/applyPass';
import { summaryUsesOf } from './summaryCheck/summaryUses';
import { refaultsOf, refaultsOfSearch, withFileCalls } from './passes/refault';
import { undoPass } from './passes/undoPass';
import type { Pass } from './plan';
import { PersistentList } from './persistentList';
import { PersistentMap } from './persistentMap';
import { EMPTY_SCRATCHPAD, type ScratchpadAge, scratchpadText } from './scratchpad';
import { placesUndone } from './account/formerWeights';
import {
  givenId,
  rulesText,
  rulesTextAfter,
  shownAfterPass,
  shownNow,
  standingRulesOf,
  startOfRules,
} from './standingRules/standingRules';
import type { Budget } from './budget';
import { afterChange, afterPass, afterReply } from './account/promptCache';
import { promptTokens } from './account/spending';
import { type Baseline, type ContextWindow, type CountedWindow, findBlock } from './window';

/** The window of a session in which nothing has happened. */
export const EMPTY_WINDOW: ContextWindow = {
  sessionId: '',
  pinTaskAnchor: true,
  preamble: { system: '', tools: [] },
  blocks: PersistentList.of(),
  scratchpad: EMPTY_SCRATCHPAD,
  shownScratchpad: '',
  scratchpadBehindAnchor: false,
  turn: 0,
  step: 0,
  note: 0,
  decisions: PersistentMap.of(),
  fileCalls: PersistentMap.of(),
  files: PersistentMap.of(),
  fileChoices: PersistentMap.of(),
  ledger: PersistentList.of(),
  refaults: PersistentList.of(),
  summaryUses: PersistentList.of(),
  handChanges: [],
  scratchpadAge: { writtenAt: 0, isReminded: false, isWarned: false },
  state: {},
};

/**
 * Computes the window from the log, or from the rest of it. The same log always gives the same
 * window.
 */
export function fold(events: Iterable<SessionEvent>, start = EMPTY_WINDOW): ContextWindow {
  let window = start;
  for (const event of events) window = applyEvent(window, event);
  return window;
}

export function applyEvent(window: ContextWindow, event: SessionEvent): ContextWindow {
  return withHandChange(window, event, changeBy(window, event));
}

function changeBy(window: ContextWindow, event: SessionEvent): ContextWindow {
  switch (event.type) {
    case 'sessionStarted':
      return {
        ...window,
        sessionId: event.sessionId,
        pinTaskAnchor: event.pinTaskAnchor,
        handedOverFrom: event.handedOverFrom,
        ...(event.standingRules === undefined
          ? {}
          : { rules: startOfRules(event.standingRules, event.subAgent === undefined) }),
      };
    case 'preambleSet': {
      const { system, tools, memory, unrecordedTokens } = event;
      const preamble = { system, tools, memory, unrecordedTokens };
      const cache = afterChange(window.cache);
      return editFromStart({ ...keepCounted(window), preamble, cache });
    }
    case 'modelSet':
      return setModel(window, event.model);
    case 'promptSubmitted':
      return admitPrompt(window, event);
    case 'replyReceived':
      return admitReply(window, event);
    case 'toolFinished':
      return withEndsReported(admitResult(window, event), event.reportedEnds);
    case 'commandStarted':
      return withCommand(window, event);
    case 'commandEnded':
      return withCommandEnd(window, event);
    case 'scratchpadUpdated':
      return updateScratchpad(window, event);
    case 'noteAdded':
      return withEndsReported(addNote(window, event), reportedEndsOf(event));
    case 'stateSet':
      return setState(window, event);
    case 'windowCounted':
      return certify(window, event);
    case 'recordedCounted':
      return takeRecordedCount(window, event);
    case 'passApplied':
      return changedInPlaces(window, (counted) =>
        withStable(applyPass(withoutWarning(counted), event.pass), event.pass),
      );
    case 'passPostponed':
      return { ...window, postponed: { tokens: event.tokens, blocks: window.blocks } };
    case 'passUndone':
      return changedInPlaces(window, (counted) => undoPass(counted, event.number));
    case 'blockPinned':
      return pin(window, event.blockId, true);
    case 'blockUnpinned':
      return pin(window, event.blockId, false);
    case 'anchorMoved':
      return changedInPlaces(window, (counted) =>
        event.undoes === true
          ? moveAnchorBack(counted, event.blockId)
          : moveAnchor(counted, event.blockId),
      );
    case 'secretsSent':
      return changedInPlaces(window, (counted) => withSentSecrets(counted, event.marks));
    case 'fileChosen':
      return { ...window, fileChoices: withChoice(window.fileChoices, event) };
    case 'budgetSteppedDown': {
      const { attempt, contextWindowTokens, inputBudget, message } = event;
      return { ...window, stepDown: { attempt, contextWindowTokens, inputBudget, message } };
    }
    case 'cacheLifeSet':
      return { ...window, cacheLife: event.life, cacheLifeChosen: chosen(window, event) };
    case 'standingRulesSet':
      return switchRules(window, event.on);
    case 'standingRuleAdded':
      return addRule(window, event);
    case 'standingRuleStruck':
      return strikeRule(window, event);
    case 'modeSet':
      return { ...window, mode: event.mode };
    case 'turnEnded':
      return { ...window, lastOutcome: event.outcome };
    case 'turnContinued':
      return withoutOutcome(window);
    case 'handedOver':
      return { ...window, handedOverTo: [...(window.handedOverTo ?? []), event.to] };
    case 'subAgentEvent':
    case 'memoryListed':
    case 'memoryAnswered':
    case 'modelAsked':
    case 'countFailed':
    case 'sessionSummarised':
    case 'closeCommandRan':
    case 'sessionClosed':
    case 'approvalAsked':
    case 'filesChanged':
    case 'turnFiles':
    case 'filesRestored':
    case 'ruleSet':
    case 'ruleRevoked':
    case 'approvalAnswered':
    case 'queueChanged':
      return window;
  }
}

function chosen(
  { step }: ContextWindow,
  { choice, pauses, longPauses, requests, earlier }: EventOf<'cacheLifeSet'>,
): ContextWindow['cacheLifeChosen'] {
  return { choice, pauses, longPauses, requests, earlier, step: step + 1 };
}

/** What a pass left in the window stays as it is until the next one. */
function withStable(window: ContextWindow, pass: Pass): ContextWindow {
  const stableThrough = window.blocks.findLast(isInWindow)?.id;
  return { ...window, stableThrough, cache: afterPass(window.cache, pass) };
}

function reportedEndsOf({ source }: EventOf<'noteAdded'>): readonly string[] {
  return source.from === 'commandsEnded' ? source.handles : [];
}

function withoutOutcome({ lastOutcome: _over, ...window }: ContextWindow): ContextWindow {
  return window;
}

/**
 * Applies a change to something that may have been counted. If nothing changes, the window stays
 * the same object.
 */
function changedInPlaces(
  window: ContextWindow,
  change: (window: ContextWindow) => ContextWindow,
): ContextWindow {
  const counted = keepCounted(window);
  const changed = change(counted);
  return changed === counted ? window : changed;
}

/** Only a pinned anchor is sent differently; any other pin changes no byte. */
function pin(window: ContextWindow, id: BlockId, pinned: boolean): ContextWindow {
  const isAnchor = findBlock(window, id)?.kind === 'anchor';
  return isAnchor
    ? changedInPlaces(window, (counted) => setPinned(counted, id, pinned))
    : setPinned(window, id, pinned);
}

function admitPrompt(window: ContextWindow, event: EventOf<'promptSubmitted'>): ContextWindow {
  const { turn, byAgent } = event;
  const statesRules = window.rules?.on === true && window.rules.ofPrompts && byAgent !== true;
  const isFirst = !window.blocks.some(({ kind }) => kind === 'anchor');
  const block: AnchorBlock | PromptBlock = {
    kind: isFirst ? 'anchor' : 'prompt',
    id: `prompt-${turn}` as BlockId,
    turn,
    text: event.text,
    admission: event.admission,
    pinned: isFirst && window.pinTaskAnchor,
    state: event.admission.form,
    attachments: event.attachments,
    ...(statesRules ? { keepsRules: true } : {}),
    ...(byAgent === true ? { byAgent } : {}),
  };
  return withDecision({ ...addBlock(resetAttempts(window), block), turn }, block);
}

function admitReply(window: ContextWindow, event: EventOf<'replyReceived'>): ContextWindow {
  const { step } = event;
  const block: StepBlock = {
    kind: 'step',
    id: `step-${step}` as BlockId,
    turn: window.turn,
    step,
    parts: event.parts,
    pairs: event.parts.flatMap((part) =>
      part.type === 'toolUse' ? [{ use: part.use, cleared: false }] : [],
    ),
    thinkingDropped: event.editedMeanwhile === true || !isThinkingSendable(event.parts),
    replyTokens: event.usage.outputTokens,
    pinned: false,
    state: 'whole',
    editedMeanwhile: event.editedMeanwhile,
    appliedEdits: event.appliedEdits,
  };
  // Servers that do not report usage answer 0, which cannot be a baseline.
  const tokens = promptTokens(event.usage);
  const isOfWindow = tokens > 0 && event.editedMeanwhile !== true && event.underreported !== true;
  const edited = mayBeContextEdited(event) || event.compactionUsage !== undefined;
  const counted = isOfWindow
    ? withBaseline(withCountOfChange(window, tokens, edited ? undefined : event.estimatedTokens), {
        tokens,
        source: 'usage',
        edited: edited || undefined,
        uncounted: event.uncounted,
        contextEdits: event.serverEdits,
      })
    : window;
  const fileCalls = withFileCalls(counted, block);
  const found = refaultsOf(counted, block);
  const refaults = counted.refaults.concat(found);
  const uses = summaryUsesOf(counted, block);
  const summaryUses = uses.length === 0 ? counted.summaryUses : counted.summaryUses.concat(uses);
  const cache = afterReply(window.cache, event.at, event.usage);
  return {
    ...addBlock(resetAttempts(counted), block),
    step,
    fileCalls,
    refaults,
    summaryUses,
    cache,
  };
}

function resetAttempts(window: ContextWindow): ContextWindow {
  const { stepDown } = window;
  return stepDown === undefined ? window : { ...window, stepDown: { ...stepDown, attempt: 0 } };
}

/** Gives a call its result. The first one counts; a late second one changes nothing. */
function admitResult(window: ContextWindow, event: EventOf<'toolFinished'>): ContextWindow {
  const step = window.blocks.findLast(
    (block): block is StepBlock =>
      block.kind === 'step' && block.pairs.some((pair) => pair.use.id === event.toolUseId),
  );
  if (step === undefined) return window;
  const { text, isError, origin, durationMs, admission, attachments, shown, recalled = [] } = event;
  const result = {
    text,
    isError,
    origin,
    durationMs,
    admission,
    attachments,
    shown,
  };
  const pairs = step.pairs.map((pair): ToolPair =>
    pair.use.id === event.toolUseId && pair.result === undefined ? { ...pair, result } : pair,
  );
  const truncated = pairs.some((pair) => pair.result?.admission.form === 'truncated');
  const filled: StepBlock = {
    ...step,
    pairs,
    state: step.state === 'whole' && truncated ? 'truncated' : step.state,
  };
  const call = step.pairs.find(({ use }) => use.id === event.toolUseId);
  const found =
    call === undefined || call.result !== undefined || isError
      ? []
      : refaultsOfSearch(window, step.step, call.use, recalled);
  const admitted = withDecision(replaceBlock(window, filled), filled);
  const refaults = found.length === 0 ? window.refaults : window.refaults.concat(found);
  const answered =
    call === undefined || call.result !== undefined ? undefined : { ...call, result };
  const files = answered === undefined ? window.files : withCall(window.files, step, answered);
  const fileChoices =
    answered === undefined ? window.fileChoices : movedBy(window, answered.use, files);
  return { ...admitted, refaults, files, fileChoices };
}

function setState(
  window: ContextWindow,
  { key, value }: Pick<EventOf<'stateSet'>, 'key' | 'value'>,
): ContextWindow {
  const { [key]: _former, ...rest } = window.state;
  return { ...window, state: value === null ? rest : { ...rest, [key]: value } };
}

/** Replaces the scratchpad. A change by the user or another session also adds a note. */
function updateScratchpad(
  window: ContextWindow,
  event: EventOf<'scratchpadUpdated'>,
): ContextWindow {
  const scratchpadAge = { writtenAt: window.step, isReminded: false, isWarned: false };
  const noted = { ...window, scratchpad: event.scratchpad, scratchpadAge };
  const { byUser, handedOver } = event;
  if (byUser !== true && handedOver !== true) return noted;
  // A step shows what the agent wrote itself; only a note shows what came from elsewhere.
  return addNote(noted, {
    note: event.note ?? window.note + 1,
    source: { from: 'scratchpad', ...(handedOver === true ? { handedOver } : {}) },
    text: scratchpadText(event.scratchpad),
    admission: { form: 'whole' },
  });
}

/** Adds a note at the end. */
function addNote(window: ContextWindow, added: NewNote): ContextWindow {
  const { note: number, source } = added;
  const note = noteBlock(window, added);
  const scratchpadAge = reminded(window.scratchpadAge, source);
  return withDecision({ ...addBlock(window, note), note: number, scratchpadAge }, note);
}

function reminded(age: ScratchpadAge, source: NoteSource): ScratchpadAge {
  // A reminder of content needed again says nothing about the age of the notes.
  if (source.from !== 'reminder' || source.because === 'neededAgain') return age;
  return { ...age, isReminded: true, isWarned: age.isWarned || source.because === 'pass' };
}

/** A reminder about the next pass says nothing about the pass after it. */
function withoutWarning(window: ContextWindow): ContextWindow {
  const { scratchpadAge } = window;
  return scratchpadAge.isWarned
    ? { ...window, scratchpadAge: { ...scratchpadAge, isWarned: false } }
    : window;
}

/**
 * Switches the standing rules. Switched off, the block of rules stays until the next pass; switched
 * on, rules that no text in the window states are in the next request.
 */
function switchRules(window: ContextWindow, on: boolean): ContextWindow {
  const rules = { ...(window.rules ?? startOfRules(on, true)), on };
  if (!on || window.ledger.length === 0) return { ...window, rules };
  const { budget } = window.ledger.at(-1)?.pass ?? {};
  return withRulesShown({ ...window, rules }, budget);
}

/** Adds a standing rule: a note states it, or the block of rules does from the beginning. */
function addRule(
  window: ContextWindow,
  { text, given, note = window.note + 1 }: EventOf<'standingRuleAdded'>,
): ContextWindow {
  const { added, ...rules } = window.rules ?? startOfRules(true, true);
  if (given === true) {
    const rule = { id: givenId(added.length + 1), text };
    return withRulesShown({ ...window, rules: { ...rules, added: [...added, rule] } }, undefined);
  }
  const rule = { id: noteId(note), text };
  const source = { from: 'rule', how: 'added' } as const;
  const noted = addNote(window, { note, source, text, admission: { form: 'whole' } });
  return { ...noted, rules: { ...rules, added: [...added, rule] } };
}

/** Strikes a standing rule wherever it is stated so far, and tells the model with a note. */
function strikeRule(
  window: ContextWindow,
  { text, note }: EventOf<'standingRuleStruck'>,
): ContextWindow {
  const rules = window.rules ?? startOfRules(true, true);
  const from = standingRulesOf(window).find((rule) => rule.text === text)?.origins ?? [];
  const source = { from: 'rule', how: 'struck' } as const;
  const noted = addNote(window, { note, source, text, admission: { form: 'whole' } });
  const struck = [...rules.struck, { text, from, note: noteId(note) }];
  return { ...noted, rules: { ...rules, struck } };
}

/** Shows the rules as they are now, which is a change before every step. */
function withRulesShown(window: ContextWindow, budget: Budget | undefined): ContextWindow {
  const shownRules =
    budget === undefined || window.rules === undefined
      ? window.rules && shownNow(window, window.rules)
      : shownAfterPass(window, budget, false);
  const text = rulesTextAfter(window, shownRules);
  if (text === rulesText(window)) return { ...window, shownRules };
  return editFromStart({ ...keepCounted(window), shownRules });
}

/** Records the API's count of the current window. Right after a pass it certifies that pass. */
function certify(window: ContextWindow, event: EventOf<'windowCounted'>): ContextWindow {
  const { tokens, source, edited, beforeEdits, serverEdits } = event;
  const estimated = edited === true ? undefined : event.estimatedTokens;
  const counted = withBaseline(withCountOfChange(window, tokens, estimated), {
    tokens,
    source,
    edited,
    beforeEdits,
    contextEdits: serverEdits,
  });
  const last = counted.ledger.at(-1);
  // If the window changed since the pass, the count says nothing about the pass.
  const isOfPass = !isCountOf(window) && window.blocks === window.leftByPass;
  if (last === undefined || !isOfPass || last.certifiedTokens !== undefined) return counted;
  return {
    ...counted,
    ledger: counted.ledger.withAll([
      [counted.ledger.length - 1, { ...last, certifiedTokens: event.tokens }],
    ]),
  };
}

/**
 * Records on the newest pass that was applied or undone since the last count what the API counts
 * now, next to the estimate: the ledger shows the difference.
 */
function withCountOfChange(
  window: ContextWindow,
  tokens: number,
  estimatedTokens: number | undefined,
): ContextWindow {
  const { ledger, baseline } = window;
  if (estimatedTokens === undefined || baseline?.counted === undefined) return window;
  const before = baseline.counted.ledger;
  const at =
    ledger.length > before.length ? ledger.length - 1 : placesUndone(ledger, before).at(-1);
  const entry = at === undefined ? undefined : ledger.at(at);
  if (at === undefined || entry === undefined) return window;
  const changed = { ...entry, counted: { tokens, estimatedTokens } };
  return { ...window, ledger: ledger.withAll([[at, changed]]) };
}

/** Says whether the last official count covers the beginning of the window as it is now. */
function isCountOf({ baseline }: ContextWindow): boolean {
  return baseline !== undefined && baseline.counted === undefined;
}

/**
 * Makes an official count the new baseline. If exactly one block was added since the last one, the
 * difference is its exact size, unless the API edited either request.
 */
function withBaseline(window: ContextWindow, fact: Omit<Baseline, 'blocks'>): ContextWindow {
  const { baseline, blocks } = window;
  const counted = withFirstCount({ ...window, baseline: { ...fact, blocks: blocks.length } });
  if (baseline === undefined || !isCountOf(window)) return counted;
  if (baseline.edited === true || fact.edited === true) return counted;
  const added = blocks.at(-1);
  const difference = fact.tokens - baseline.tokens;
  if (added === undefined || blocks.length !== baseline.blocks + 1 || difference <= 0) {
    return counted;
  }
  return replaceBlock(counted, { ...added, exactTokens: difference });
}

/** Saves the first count that covers everything that was sent, with what it covered. */
function withFirstCount(window: ContextWindow): ContextWindow {
  const { baseline, firstCount } = window;
  if (firstCount !== undefined || baseline === undefined || baseline.edited === true) return window;
  const { tokens, blocks } = baseline;
  return { ...window, firstCount: { tokens, counted: countedOf(window, blocks) } };
}

/**
 * Saves what the last official count covered before it changes, so that the count still holds for
 * everything that stays the same.
 */
function keepCounted(window: ContextWindow): ContextWindow {
  if (window.baseline === undefined || !isCountOf(window)) return window;
  // Which edits the API would apply to another request is unknown.
  const { beforeEdits: _stale, ...baseline } = window.baseline;
  return {
    ...window,
    baseline: { ...baseline, counted: countedOf(window, baseline.blocks) },
  };
}

function countedOf(window: ContextWindow, blocks: number): CountedWindow {
  const { baseline: _last, firstCount: _first, ...counted } = window;
  return { ...counted, blocks: window.blocks.slice(0, blocks) };
}

/** Switches the model: counts by the former one say nothing about it. */
function setModel(window: ContextWindow, model: string): ContextWindow {
  if (model === window.model) return window;
  const { stepDown: _stale, baseline: _last, firstCount: _first, ...rest } = window;
  const cache = window.model === undefined ? window.cache : afterChange(window.cache);
  return { ...rest, model, cache, blocks: window.blocks.mapped(withoutExact) };
}
