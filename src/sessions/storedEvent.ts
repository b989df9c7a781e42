import { CACHE_LIFE_CHOICES, CACHE_LIVES } from '../contextWindow/account/promptCache';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { RULE_DECISIONS, RULE_SCOPES } from '../contextWindow/approvalRule';
import { COMMAND_END_CAUSES } from '../contextWindow/commands';
import {
  ASK_PURPOSES,
  CLOSE_REASONS,
  COUNT_SOURCES,
  LASTING_CHANGES,
  LEFT_OUT,
  LOG_VERSION,
  TURN_CAPS,
  type SessionEvent,
} from '../contextWindow/event';
import { FILE_ANSWERS } from '../contextWindow/fileChanges';
import { FILE_CHOICES } from '../contextWindow/files/fileChoices';
import { MODES } from '../contextWindow/mode';
import { refused, type Result } from '../contextWindow/result';
import { assertSameShape } from './sameShape';
import {
  admission,
  attachments,
  budget,
  effort,
  jsonObject,
  jsonValue,
  memoryOrigin,
  noteSource,
  pass,
  replyPart,
  resultOrigin,
  scratchpad,
  shownLines,
  stopReason,
  summaryWriter,
  text,
  thinking,
  tokens,
  usage,
} from './storedPass';

// Makes zod describe the fields that fail in English.
z.config(en());

const rule = z.object({
  decision: z.enum(RULE_DECISIONS),
  subject: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('edits') }),
    z.object({ kind: z.literal('sandbox') }),
    z.object({ kind: z.literal('command'), pattern: text, folder: z.optional(text) }),
    z.object({ kind: z.literal('host'), host: text }),
    z.object({ kind: z.literal('tool'), tool: text }),
  ]),
  scope: z.enum(RULE_SCOPES),
  workspace: z.optional(text),
  by: z.optional(text),
  at: z.optional(z.number()),
});

const outcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('replyCut'), message: text }),
  z.object({ type: z.literal('refused'), message: text }),
  z.object({ type: z.literal('stopped') }),
  z.object({ type: z.literal('interrupted') }),
  z.object({
    type: z.literal('capReached'),
    cap: z.enum(TURN_CAPS),
    most: z.number(),
    spent: z.object({
      steps: z.number(),
      tokens: z.number(),
      usd: z.exactOptional(z.number()),
      isEstimate: z.exactOptional(z.literal(true)),
    }),
    nextUsd: z.exactOptional(z.number()),
  }),
  z.object({ type: z.literal('contextFull'), message: text }),
  z.object({ type: z.literal('failed'), failure: text, message: text }),
]);

const lastingChange = z.object({ path: text, how: z.enum(LASTING_CHANGES) });

const commandEnd = z.object({
  because: z.enum(COMMAND_END_CAUSES),
  exitCode: z.nullable(z.number()),
  signal: z.optional(text),
  lasting: z.optional(z.array(lastingChange)),
});

const fileChange = z.object({ path: text, before: text, after: text });

const turnFile = z.extend(fileChange, {
  added: z.exactOptional(z.number()),
  removed: z.exactOptional(z.number()),
  answer: z.exactOptional(z.enum(FILE_ANSWERS)),
});

const choosing = {
  path: text,
  lines: z.optional(z.object({ first: z.number(), last: z.number() })),
  choice: z.enum(FILE_CHOICES),
};

const appliedContextEdit = z.object({
  type: text,
  clearedToolUses: z.optional(z.number()),
  clearedThinkingTurns: z.optional(z.number()),
  clearedInputTokens: z.optional(tokens),
});

const tokensOf = z.object({ type: z.literal('input_tokens'), value: tokens });

const contextEdit = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('clear_tool_uses_20250919'),
    trigger: tokensOf,
    keep: z.object({ type: z.literal('tool_uses'), value: z.number() }),
    clear_at_least: z.optional(tokensOf),
    exclude_tools: z.optional(z.array(text)),
    clear_tool_inputs: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('clear_thinking_20251015'),
    keep: z.union([
      z.object({ type: z.literal('thinking_turns'), value: z.number() }),
      z.literal('all'),
    ]),
  }),
  z.object({
    type: z.literal('compact_20260112'),
    trigger: tokensOf,
    instructions: z.optional(text),
  }),
]);

const at = z.number();

const tiers = z.object({
  system: tokens,
  working: tokens,
  archive: tokens,
  summary: z.optional(tokens),
  exact: z.boolean(),
});

const undoes = z.optional(z.literal(true));

const sessionLink = z.object({ sessionId: text, title: text });

/** The schema of every event of a window. */
const windowEvent = z.discriminatedUnion('type', [
  z.object({
    at,
    type: z.literal('sessionStarted'),
    version: z.literal(LOG_VERSION),
    sessionId: text,
    pinTaskAnchor: z.boolean(),
    standingRules: z.optional(z.boolean()),
    subAgent: z.optional(text),
    forkedFrom: z.optional(z.object({ sessionId: text, step: z.number() })),
    handedOverFrom: z.optional(sessionLink),
  }),
  z.object({
    at,
    type: z.literal('preambleSet'),
    system: text,
    tools: z.array(
      z.object({
        name: text,
        description: text,
        inputSchema: jsonObject,
        provider: z.optional(text),
        holds: z.optional(z.array(text)),
      }),
    ),
    memory: z.optional(
      z.array(
        z.object({
          path: text,
          profile: z.optional(z.literal(true)),
          skill: z.optional(z.object({ name: text, hash: text })),
          text,
          chars: z.number(),
          origin: z.optional(memoryOrigin),
        }),
      ),
    ),
    unrecordedTokens: z.optional(z.number()),
  }),
  z.object({
    at,
    type: z.literal('memoryListed'),
    files: z.array(z.object({ path: text, hash: text })),
  }),
  z.object({
    at,
    type: z.literal('memoryAnswered'),
    allowed: z.boolean(),
    path: text,
    hash: text,
  }),
  z.object({ at, type: z.literal('modelSet'), model: text }),
  z.object({
    at,
    type: z.literal('promptSubmitted'),
    turn: z.number(),
    text,
    admission,
    attachments: z.optional(attachments),
    byAgent: z.optional(z.literal(true)),
  }),
  z.object({
    at,
    type: z.literal('replyReceived'),
    step: z.number(),
    model: text,
    parts: z.array(replyPart),
    stopReason,
    usage,
    durationMs: z.number(),
    firstTokenMs: z.optional(z.number()),
    editedMeanwhile: z.optional(z.literal(true)),
    underreported: z.optional(z.literal(true)),
    uncounted: z.optional(z.literal(true)),
    leftOut: z.optional(z.array(z.enum(LEFT_OUT))),
    tiers: z.optional(tiers),
    estimatedTokens: z.optional(tokens),
    maxTokens: z.optional(tokens),
    thinking: z.optional(thinking),
    effort: z.optional(effort),
    budget: z.optional(budget),
    serverEdits: z.optional(z.array(contextEdit)),
    appliedEdits: z.optional(z.array(appliedContextEdit)),
    compactionUsage: z.optional(usage),
  }),
  z.object({
    at,
    type: z.literal('modelAsked'),
    purpose: z.enum(ASK_PURPOSES),
    model: text,
    usage,
  }),
  z.object({
    at,
    type: z.literal('toolFinished'),
    toolUseId: text,
    text,
    isError: z.boolean(),
    origin: resultOrigin,
    durationMs: z.number(),
    admission,
    attachments: z.optional(attachments),
    shown: z.optional(z.array(shownLines)),
    recalled: z.optional(z.array(text)),
    allowedBy: z.optional(z.array(text)),
    lasting: z.optional(z.array(lastingChange)),
    reportedEnds: z.optional(z.array(text)),
  }),
  z.object({
    at,
    type: z.literal('commandStarted'),
    handle: text,
    command: text,
    moved: z.optional(z.literal(true)),
  }),
  z.extend(commandEnd, { at, type: z.literal('commandEnded'), handle: text }),
  z.object({
    at,
    type: z.literal('filesChanged'),
    toolUseId: text,
    files: z.array(fileChange),
  }),
  z.object({
    at,
    type: z.literal('turnFiles'),
    turn: z.number(),
    files: z.array(turnFile),
  }),
  z.object({ at, type: z.literal('filesRestored'), files: z.array(fileChange), undoes }),
  z.object({
    at,
    type: z.literal('scratchpadUpdated'),
    scratchpad,
    byUser: z.optional(z.literal(true)),
    handedOver: z.optional(z.literal(true)),
    note: z.optional(z.number()),
  }),
  z.object({
    at,
    type: z.literal('noteAdded'),
    note: z.number(),
    source: noteSource,
    text,
    admission,
  }),
  z.object({ at, type: z.literal('stateSet'), key: text, value: jsonValue }),
  z.object({
    at,
    type: z.literal('windowCounted'),
    tokens,
    source: z.enum(COUNT_SOURCES),
    estimatedTokens: z.optional(tokens),
    edited: z.optional(z.literal(true)),
    beforeEdits: z.optional(tokens),
    serverEdits: z.optional(z.array(contextEdit)),
  }),
  z.object({
    at,
    type: z.literal('recordedCounted'),
    tokens,
    sizes: z.array(z.object({ part: text, unrecorded: tokens, share: z.optional(z.number()) })),
  }),
  z.object({ at, type: z.literal('countFailed'), message: text }),
  z.object({ at, type: z.literal('passApplied'), pass }),
  z.object({ at, type: z.literal('passPostponed'), tokens }),
  z.object({ at, type: z.literal('passUndone'), number: z.number() }),
  z.object({ at, type: z.literal('blockPinned'), blockId: text, undoes }),
  z.object({ at, type: z.literal('blockUnpinned'), blockId: text, undoes }),
  z.object({ at, type: z.literal('anchorMoved'), blockId: text, undoes }),
  z.object({ at, type: z.literal('fileChosen'), ...choosing, undoes }),
  z.object({ at, type: z.literal('secretsSent'), marks: z.array(text) }),
  z.object({
    at,
    type: z.literal('budgetSteppedDown'),
    attempt: z.number(),
    contextWindowTokens: tokens,
    inputBudget: tokens,
    message: text,
  }),
  z.object({
    at,
    type: z.literal('cacheLifeSet'),
    life: z.enum(CACHE_LIVES),
    choice: z.enum(CACHE_LIFE_CHOICES),
    pauses: z.number(),
    longPauses: z.number(),
    requests: z.number(),
    earlier: z.optional(
      z.object({
        sessions: z.number(),
        requests: z.number(),
        pauses: z.number(),
        longPauses: z.number(),
      }),
    ),
  }),
  z.object({ at, type: z.literal('standingRulesSet'), on: z.boolean() }),
  z.object({
    at,
    type: z.literal('standingRuleAdded'),
    text,
    given: z.optional(z.literal(true)),
    note: z.optional(z.number()),
  }),
  z.object({ at, type: z.literal('standingRuleStruck'), text, note: z.number() }),
  z.object({ at, type: z.literal('modeSet'), mode: z.enum(MODES) }),
  z.object({ at, type: z.literal('ruleSet'), rule }),
  z.object({ at, type: z.literal('ruleRevoked'), rule }),
  z.object({ at, type: z.literal('approvalAsked'), toolUseId: text }),
  z.object({ at, type: z.literal('approvalAnswered'), toolUseId: text, approved: z.boolean() }),
  z.object({ at, type: z.literal('turnEnded'), outcome }),
  z.object({ at, type: z.literal('turnContinued') }),
  z.object({
    at,
    type: z.literal('queueChanged'),
    prompts: z.array(
      z.object({
        id: z.number(),
        text,
        attachments: z.exactOptional(attachments),
        atNextStep: z.exactOptional(z.literal(true)),
      }),
    ),
  }),
  z.object({ at, type: z.literal('sessionSummarised'), text, writtenBy: summaryWriter }),
  z.object({ at, type: z.literal('handedOver'), to: sessionLink }),
  z.object({
    at,
    type: z.literal('closeCommandRan'),
    command: text,
    exitCode: z.nullable(z.number()),
  }),
  z.object({
    at,
    type: z.literal('sessionClosed'),
    reason: z.enum(CLOSE_REASONS),
  }),
]);

/** The schema of every event in a log. */
export const storedEvent = z.discriminatedUnion('type', [
  ...windowEvent.def.options,
  z.object({ at, type: z.literal('subAgentEvent'), toolUseId: text, event: windowEvent }),
]);

// Does not compile if an event's type and its schema differ.
assertSameShape<SessionEvent, z.output<typeof storedEvent>>();

export const EVENT_TYPES: readonly string[] = storedEvent.def.options.flatMap(
  ({ shape }) => shape.type.def.values,
);

/** An event, or its first wrong field. */
type StoredEventResult = Result<{ readonly event: SessionEvent }>;

/** Checks a value read from a log. Keeps it as read, unknown fields included. */
export function checkStoredEvent(value: unknown): StoredEventResult {
  const checked = storedEvent.safeParse(value);
  if (checked.success) return { ok: true, event: value as SessionEvent };
  const [issue] = checked.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? 'event' : issue.path.join('.');
  return refused(`${field}: ${issue?.message ?? 'not an event'}`);
}
