import { movedBy, withChoice } from '../files/fileChoices';
import { withCall } from '../files/fileModel';
import type { AnchorBlock, BlockId, PromptBlock, StepBlock, ToolPair } from '../block';
import { type ContextWindow, findBlock } from '../contextWindow';
import type { EventOf, SessionEvent } from '../event';
import { mayBeContextEdited } from '../contextEditing';
import { PersistentList } from '../persistentList';
import { PersistentMap } from '../persistentMap';
import { promptTokens } from '../usage';
import { applyPass } from '../passes/applyPass';
import {
  addBlock,
  editFromStart,
  replaceBlock,
  takeRecordedCount,
  withDecision,
  moveAnchor,
  setPinned,
} from './blockChanges';
import { certify, keepCounted, withBaseline, setModel } from './officialCounts';
import { undoPass } from '../passes/undoPass';
import { refaultsOf, refaultsOfSearch, withFileCalls } from '../passes/refault';
import { EMPTY_SCRATCHPAD } from '../scratchpad';
import { isThinkingSendable } from '../thinking';
import { withCommand, withCommandEnd, withEndsTold } from './commandChanges';
import { withHandChange } from './handChanges';
import { addNote, untold, updateScratchpad } from './noteChanges';

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
  handChanges: [],
  scratchpadAge: { writtenAt: 0, isReminded: false, isTold: false },
  state: {},
};

/**
 * Works out the window from the log, or from the rest of it; the same log always gives the same
 * window.
 */
export function fold(events: Iterable<SessionEvent>, start = EMPTY_WINDOW): ContextWindow {
  let window = start;
  for (const event of events) window = applyEvent(window, event);
  return window;
}

/** Takes one event into the window. */
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
        ...(event.handedOverFrom === undefined ? {} : { handedOverFrom: event.handedOverFrom }),
      };
    case 'preambleSet': {
      const { system, tools, memory, unrecordedTokens } = event;
      const told = memory === undefined ? {} : { memory };
      const unrecorded = unrecordedTokens === undefined ? {} : { unrecordedTokens };
      const preamble = { system, tools, ...told, ...unrecorded };
      return editFromStart({ ...keepCounted(window), preamble });
    }
    case 'modelSet':
      return setModel(window, event.model);
    case 'promptSubmitted':
      return admitPrompt(window, event);
    case 'replyReceived':
      return admitReply(window, event);
    case 'toolFinished':
      return withEndsTold(admitResult(window, event), event.toldEnds);
    case 'commandStarted':
      return withCommand(window, event);
    case 'commandEnded':
      return withCommandEnd(window, event);
    case 'scratchpadUpdated':
      return updateScratchpad(window, event);
    case 'noteAdded':
      return withEndsTold(addNote(window, event), toldEndsOf(event));
    case 'stateSet':
      return setState(window, event);
    case 'windowCounted':
      return certify(window, event);
    case 'recordedCounted':
      return takeRecordedCount(window, event);
    case 'passApplied':
      return changedInPlaces(window, (counted) => applyPass(untold(counted), event.pass));
    case 'passPostponed':
      return { ...window, postponed: { tokens: event.tokens, blocks: window.blocks } };
    case 'passUndone':
      return changedInPlaces(window, (counted) => undoPass(counted, event.number));
    case 'blockPinned':
      return pin(window, event.blockId, true);
    case 'blockUnpinned':
      return pin(window, event.blockId, false);
    case 'anchorMoved':
      return changedInPlaces(window, (counted) => moveAnchor(counted, event.blockId));
    case 'fileChosen':
      return { ...window, fileChoices: withChoice(window.fileChoices, event) };
    case 'budgetSteppedDown': {
      const { attempt, contextWindowTokens, inputBudget, message } = event;
      return { ...window, stepDown: { attempt, contextWindowTokens, inputBudget, message } };
    }
    case 'turnEnded':
      return { ...window, lastOutcome: event.outcome };
    case 'turnContinued':
      return withoutOutcome(window);
    case 'handedOver':
      return { ...window, handedOverTo: [...(window.handedOverTo ?? []), event.to] };
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

function toldEndsOf({ source }: EventOf<'noteAdded'>): readonly string[] {
  return source.from === 'commandsEnded' ? source.handles : [];
}

function withoutOutcome({ lastOutcome: _over, ...window }: ContextWindow): ContextWindow {
  return window;
}

/** Changes something that may have been counted; where nothing changes, the window stays as it is. */
function changedInPlaces(
  window: ContextWindow,
  change: (window: ContextWindow) => ContextWindow,
): ContextWindow {
  const counted = keepCounted(window);
  const changed = change(counted);
  return changed === counted ? window : changed;
}

/** Only the anchor is sent otherwise while it is pinned: any other pin changes no byte. */
function pin(window: ContextWindow, id: BlockId, pinned: boolean): ContextWindow {
  const isAnchor = findBlock(window, id)?.kind === 'anchor';
  return isAnchor
    ? changedInPlaces(window, (counted) => setPinned(counted, id, pinned))
    : setPinned(window, id, pinned);
}

function admitPrompt(window: ContextWindow, event: EventOf<'promptSubmitted'>): ContextWindow {
  const { turn } = event;
  const isFirst = !window.blocks.some(({ kind }) => kind === 'anchor');
  const block: AnchorBlock | PromptBlock = {
    kind: isFirst ? 'anchor' : 'prompt',
    id: `prompt-${turn}` as BlockId,
    turn,
    text: event.text,
    admission: event.admission,
    pinned: isFirst && window.pinTaskAnchor,
    state: event.admission.form,
    ...(event.attachments === undefined ? {} : { attachments: event.attachments }),
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
    ...(event.editedMeanwhile === true ? { editedMeanwhile: true } : {}),
    ...(event.appliedEdits === undefined ? {} : { appliedEdits: event.appliedEdits }),
  };
  // Servers that do not report usage answer 0, which is no baseline.
  const tokens = promptTokens(event.usage);
  const isOfWindow = tokens > 0 && event.editedMeanwhile !== true;
  const edited = mayBeContextEdited(event) || event.compactionUsage !== undefined;
  const counted = isOfWindow
    ? withBaseline(window, {
        tokens,
        source: 'usage',
        ...(edited ? { edited } : {}),
        ...(edited && event.serverEdits === undefined
          ? {}
          : { contextEdits: event.serverEdits ?? [] }),
      })
    : window;
  const fileCalls = withFileCalls(counted, block);
  const found = refaultsOf(counted, block);
  const refaults = counted.refaults.concat(found);
  return { ...addBlock(resetAttempts(counted), block), step, fileCalls, refaults };
}

function resetAttempts(window: ContextWindow): ContextWindow {
  const { stepDown } = window;
  return stepDown === undefined ? window : { ...window, stepDown: { ...stepDown, attempt: 0 } };
}

/** Gives a call its result; the first one stands, a late second one changes nothing. */
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
    ...(attachments === undefined ? {} : { attachments }),
    ...(shown === undefined ? {} : { shown }),
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
