import type { Charge } from '../contextWindow/account/spending';
import type { ReplyPart, ToolUseId } from '../contextWindow/block';
import type { RuleChange } from '../contextWindow/event';
import type { RecordedResult, TranscriptEntry } from '../sessions/transcript';
import type {
  LeftOut,
  RecordedChange,
  RecordedCharge,
  RecordedCompaction,
  RecordedInstruction,
  RecordedItem,
  RecordedMessage,
  RecordedOutcome,
  RecordedPart,
  RecordedReply,
  RecordedResume,
  RecordedRuleChange,
} from './recordedItem';

const NO_RESULT = 'The recording holds no result for this call: it was interrupted.';

interface OpenReply {
  readonly type: 'reply';
  readonly reply: RecordedReply;
  readonly parts: readonly ReplyPart[];
  otherCharges: readonly Charge[];
  readonly isResumed: boolean;
  readonly changed: RecordedChange['what'] | undefined;
  instructions: readonly string[];
}

type Placed =
  | Exclude<
      RecordedItem,
      | RecordedReply
      | RecordedOutcome
      | RecordedCharge
      | RecordedInstruction
      | RecordedResume
      | RecordedChange
      | RecordedRuleChange
    >
  | OpenReply;

/** Turns an importer's items into entries: one for each reply, and every call with its result. */
export function assembleEntries(
  items: readonly RecordedItem[],
  leftOut: LeftOut,
): readonly TranscriptEntry[] {
  const { merged, placeOf } = mergeReplies(fromFirstPrompt(items, leftOut));
  const ids = new CallIds(leftOut);
  const results = new Map<ToolUseId, RecordedResult>();
  const placed: Placed[] = [];
  let others: Charge[] = [];
  const changesBefore = new Map<Placed, readonly RuleChange[]>();
  let changes: RuleChange[] = [];
  let isResumed = false;
  let changed: RecordedChange['what'] | undefined;
  let last: OpenReply | undefined;
  const place = (item: Placed): void => {
    placed.push(item);
    if (changes.length > 0) changesBefore.set(item, changes);
    changes = [];
  };
  for (const item of merged) {
    if (item.type === 'result') takeResult(item, ids, results, leftOut);
    else if (item.type === 'charged') others.push(item.charge);
    else if (item.type === 'resumed') isResumed = true;
    // Tools come before everything else in a request.
    else if (item.type === 'changed') changed = changed === 'preamble' ? changed : item.what;
    else if (item.type === 'rules') changes.push(item.change);
    else if (item.type === 'instruction') {
      // Before the first reply there is no step to name.
      if (last !== undefined) last.instructions = [...last.instructions, item.path];
    } else if (item.type === 'reply') {
      const parts = item.parts.flatMap((part) => sendable(part, ids));
      ids.endReply();
      if (parts.length === 0) {
        leftOut.add('emptyReply');
        others.push(...chargeOf(item));
        continue;
      }
      last = {
        type: 'reply',
        reply: item,
        parts,
        otherCharges: others,
        isResumed,
        changed,
        instructions: [],
      };
      isResumed = false;
      changed = undefined;
      others = [];
      place(last);
    } else place(item);
  }
  if (last !== undefined) last.otherCharges = [...last.otherCharges, ...others];
  const entryOf = new Map<RecordedItem | undefined, number>(
    placed.map((item, index) => [item.type === 'reply' ? item.reply : item, index]),
  );
  const indexOf: IndexOf = (item) => entryOf.get(merged[placeOf.get(item) ?? -1]);
  return placed.map((item) => {
    const entry = toEntry(item, ids, results, leftOut, indexOf);
    const ruleChanges = changesBefore.get(item);
    const isLast = item === placed.at(-1) && changes.length > 0;
    return {
      ...entry,
      ...(ruleChanges === undefined ? {} : { ruleChanges }),
      ...(isLast ? { ruleChangesAfter: changes } : {}),
    };
  });
}

/** The index of an item among the entries; undefined if it was left out. */
type IndexOf = (item: RecordedMessage) => number | undefined;

/**
 * Leaves out replies that a request could not begin with; a summary at the start becomes the
 * prompt.
 */
function fromFirstPrompt(
  items: readonly RecordedItem[],
  leftOut: LeftOut,
): readonly RecordedItem[] {
  const first = items.findIndex(
    (item) => item.type === 'prompt' || (item.type === 'compacted' && item.summary !== undefined),
  );
  const opening = items[first];
  if (opening === undefined) return [];
  const early = items.slice(0, first);
  leftOut.add('earlyReply', early.filter(({ type }) => type === 'reply').length);
  const rest = [...chargesOfEarly(early, items), ...items.slice(first + 1)];
  const changes = early.filter(({ type }) => type === 'rules');
  if (opening.type !== 'compacted') return [...changes, opening, ...rest];
  leftOut.add('summaryFirst');
  const { line, at, summary = '' } = opening;
  const place = { ...(line === undefined ? {} : { line }), ...(at === undefined ? {} : { at }) };
  const prompt = {
    type: 'prompt',
    ...place,
    text: summary,
    attachments: [],
    byAgent: true,
  } as const;
  return [...changes, prompt, ...rest];
}

/** The charges of early replies; a response with later pieces has its charge there. */
function chargesOfEarly(
  early: readonly RecordedItem[],
  all: readonly RecordedItem[],
): readonly RecordedCharge[] {
  const later = new Set(
    all.slice(early.length).map((item) => (item.type === 'reply' ? item.responseId : undefined)),
  );
  return mergeReplies(early).merged.flatMap((item) => {
    if (item.type === 'charged') return [item];
    if (item.type !== 'reply') return [];
    if (item.responseId !== undefined && later.has(item.responseId)) return [];
    return chargeOf(item).map((charge) => ({ type: 'charged' as const, charge }));
  });
}

/** The items with every response in one piece, and the new index of each original item. */
interface Merged {
  readonly merged: readonly RecordedItem[];
  readonly placeOf: ReadonlyMap<RecordedItem, number>;
}

/** Joins the pieces of one response at the place of the first; the last piece has the usage. */
function mergeReplies(items: readonly RecordedItem[]): Merged {
  const merged: RecordedItem[] = [];
  const placeOf = new Map<RecordedItem, number>();
  const placeOfResponse = new Map<string, number>();
  for (const item of items) {
    const id = item.type === 'reply' ? item.responseId : undefined;
    const place = id === undefined ? undefined : placeOfResponse.get(id);
    placeOf.set(item, place ?? merged.length);
    const before = place === undefined ? undefined : merged[place];
    if (place !== undefined && item.type === 'reply' && before?.type === 'reply') {
      const { usage = before.usage, usd = before.usd } = item;
      const parts = [...before.parts, ...item.parts];
      merged[place] = {
        ...before,
        parts,
        ...(usage === undefined ? {} : { usage }),
        ...(usd === undefined ? {} : { usd }),
      };
      continue;
    }
    if (id !== undefined) placeOfResponse.set(id, merged.length);
    merged.push(item);
  }
  return { merged, placeOf };
}

/** What an agent was charged for a reply; empty if the file does not say. */
function chargeOf({ model, usage, usd }: RecordedReply): readonly Charge[] {
  if (usage === undefined) return [];
  return [{ model, usage, ...(usd === undefined ? {} : { usd }) }];
}

function sendable(part: RecordedPart, ids: CallIds): readonly ReplyPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [part];
  const { name, input } = part;
  return [{ type: 'toolUse', use: { id: ids.admit(part.id), name, input } }];
}

function takeResult(
  { callId, text, isError, attachments }: RecordedOutcome,
  ids: CallIds,
  results: Map<ToolUseId, RecordedResult>,
  leftOut: LeftOut,
): void {
  const toolUseId = ids.close(callId);
  if (toolUseId === undefined) {
    leftOut.add(ids.knows(callId) ? 'secondResult' : 'orphanResult');
    return;
  }
  const result = { toolUseId, text, isError, origin: 'ran' as const };
  results.set(toolUseId, attachments.length === 0 ? result : { ...result, attachments });
}

function toEntry(
  item: Placed,
  ids: CallIds,
  results: ReadonlyMap<ToolUseId, RecordedResult>,
  leftOut: LeftOut,
  indexOf: IndexOf,
): TranscriptEntry {
  if (item.type === 'prompt') {
    const { attachments, ...prompt } = item;
    return attachments.length === 0 ? prompt : { ...prompt, attachments };
  }
  if (item.type === 'compacted') {
    return toCompaction(item, ids, indexOf);
  }
  const { line, at, responseId, model, usage, usd } = item.reply;
  const calls = item.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use.id] : []));
  leftOut.add('interruptedCall', calls.filter((id) => !results.has(id)).length);
  return {
    type: 'reply',
    ...(line === undefined ? {} : { line }),
    ...(at === undefined ? {} : { at }),
    ...(responseId === undefined ? {} : { responseId }),
    model,
    parts: item.parts,
    results: calls.map((id) => results.get(id) ?? interrupted(id)),
    ...(usage === undefined ? {} : { usage }),
    ...(usd === undefined ? {} : { usd }),
    ...(item.otherCharges.length === 0 ? {} : { otherCharges: item.otherCharges }),
    ...(item.isResumed ? { resumed: true as const } : {}),
    ...(item.changed === undefined ? {} : { changed: item.changed }),
    ...(item.instructions.length === 0 ? {} : { instructions: item.instructions }),
  };
}

function toCompaction(
  { clearedCallIds, kept: items = [], ...compacted }: RecordedCompaction,
  ids: CallIds,
  indexOf: IndexOf,
): TranscriptEntry {
  const kept = items.flatMap((item) => indexOf(item) ?? []);
  return {
    ...compacted,
    ...(clearedCallIds === undefined
      ? {}
      : { clearedToolUseIds: clearedCallIds.flatMap((id) => ids.namesOf(id)) }),
    ...(kept.length === 0 ? {} : { kept: [...new Set(kept)] }),
  };
}

function interrupted(toolUseId: ToolUseId): RecordedResult {
  return { toolUseId, text: NO_RESULT, isError: true, origin: 'interrupted' };
}

/** The characters that the Messages API refuses in the id of a call. */
const NOT_TAKEN = /[^a-zA-Z0-9_-]/g;

interface Call {
  readonly id: ToolUseId;
  readonly reply: number;
  open: boolean;
}

/**
 * Remembers the calls of a recording: gives each a unique id, and finds the call a result is for.
 */
class CallIds {
  private readonly calls = new Map<string, Call[]>();
  private readonly taken = new Set<string>();
  private reply = 0;

  constructor(private readonly leftOut: LeftOut) {}

  /** Adds a call; keeps its id if the API accepts it and no earlier call has it. */
  admit(recorded: string): ToolUseId {
    const plain = recorded.replace(NOT_TAKEN, '_') || 'call';
    let id = plain;
    for (let n = 2; this.taken.has(id); n++) id = `${plain}-${n}`;
    if (id !== recorded) this.leftOut.add('renamedCall');
    this.taken.add(id);
    const call = { id: id as ToolUseId, reply: this.reply, open: true };
    const same = this.calls.get(recorded);
    if (same === undefined) this.calls.set(recorded, [call]);
    else same.push(call);
    return call.id;
  }

  /** From here on, calls belong to another reply. */
  endReply(): void {
    this.reply += 1;
  }

  /** The call a result is for: among the open ones, the first in the newest reply. */
  close(recorded: string): ToolUseId | undefined {
    const open = (this.calls.get(recorded) ?? []).filter((call) => call.open);
    const newest = open.at(-1)?.reply;
    const call = open.find(({ reply }) => reply === newest);
    if (call === undefined) return undefined;
    call.open = false;
    return call.id;
  }

  /** Says whether any call had this id. */
  knows(recorded: string): boolean {
    return this.calls.has(recorded);
  }

  /** Every id given to calls with this recorded id. */
  namesOf(recorded: string): readonly ToolUseId[] {
    return (this.calls.get(recorded) ?? []).map(({ id }) => id);
  }
}
