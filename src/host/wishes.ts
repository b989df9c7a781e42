import * as z from 'zod/mini';
import type { AgentWish } from '../protocol/agentView';
import type { ContextPost } from '../protocol/contextPanel';
import { WHAT_IF } from './recordings/keptRecording';

/** Longest prompt or feedback taken, in characters; beyond it the page is at fault, not the user. */
const LONGEST_TEXT = 5_000_000;
const id = z.string().check(z.minLength(1), z.maxLength(1_000));
const text = z.string().check(z.maxLength(LONGEST_TEXT));
const bare = <T extends string>(type: T) => z.strictObject({ type: z.literal(type) });

const SCRATCHPAD = z.strictObject({
  objective: text,
  keyFacts: z.array(text),
  decisions: z.array(text),
  currentStep: text,
  blockers: z.array(text),
});

const number = z.int().check(z.minimum(1));
/** A step of the session, or what is next. */
const step = z.union([number, z.literal('next')]);
const form = z.enum(['raw', 'readable']);

const AGENT_WISH = z.discriminatedUnion('type', [
  bare('announceReady'),
  z.strictObject({ type: z.literal('submitPrompt'), text }),
  bare('takeBackQueued'),
  bare('stopTurn'),
  bare('startSession'),
  z.strictObject({
    type: z.literal('answerApproval'),
    toolUseId: id,
    approved: z.boolean(),
    feedback: z.exactOptional(text),
  }),
  z.strictObject({ type: z.literal('openDiff'), toolUseId: id }),
  z.strictObject({ type: z.literal('fetchResult'), toolUseId: id }),
  bare('openContextPanel'),
  bare('setApiKey'),
  bare('openSettings'),
  bare('openFolder'),
]);

const CONTEXT_WISH = z.discriminatedUnion('type', [
  bare('announceReady'),
  z.strictObject({ type: z.literal('openBlock'), blockId: id }),
  z.strictObject({ type: z.literal('pinBlock'), blockId: id }),
  z.strictObject({ type: z.literal('unpinBlock'), blockId: id }),
  z.strictObject({ type: z.literal('moveAnchor'), blockId: id }),
  bare('fetchScratchpad'),
  z.strictObject({
    type: z.literal('updateScratchpad'),
    scratchpad: SCRATCHPAD,
    base: SCRATCHPAD,
  }),
  z.strictObject({ type: z.literal('undoScratchpad'), note: id }),
  z.strictObject({ type: z.literal('makeRoom'), instructions: text }),
  bare('previewPass'),
  z.strictObject({ type: z.literal('whatIf'), settings: WHAT_IF }),
  z.strictObject({ type: z.literal('applyWhatIf'), settings: WHAT_IF }),
  z.strictObject({ type: z.literal('fetchDecisions'), number }),
  z.strictObject({ type: z.literal('travelTo'), at: z.union([number, z.literal('now')]) }),
  z.strictObject({ type: z.literal('forkAt'), step: number }),
  z.strictObject({ type: z.literal('fetchRequest'), step }),
  z.strictObject({ type: z.literal('openRequest'), step, form }),
  z.strictObject({ type: z.literal('copyRequest'), step }),
  z.strictObject({ type: z.literal('diffRequests'), from: number, to: step, form }),
  z.strictObject({
    type: z.literal('exportView'),
    form: z.enum(['html', 'markdown', 'jsonl']),
    shown: z.exactOptional(z.strictObject({ ids: z.array(id), words: text })),
  }),
  z.strictObject({ type: z.literal('exportPass'), number }),
  bare('openRecording'),
  bare('closeRecording'),
  z.strictObject({ type: z.literal('followRecording'), following: z.boolean() }),
  bare('dismissIntro'),
  z.strictObject({ type: z.literal('excludeBlock'), blockId: id }),
  z.strictObject({
    type: z.literal('restoreBlock'),
    blockId: id,
    as: z.enum(['whole', 'recall']),
  }),
  z.strictObject({ type: z.literal('clearBlock'), blockId: id }),
  z.strictObject({ type: z.literal('fetchSummary'), blockId: id }),
  z.strictObject({ type: z.literal('rewriteSummary'), blockId: id, text }),
  z.strictObject({ type: z.literal('undoPass'), number }),
  z.strictObject({
    type: z.literal('applyPass'),
    draft: z.int(),
    spared: z.array(id),
    summaries: z.record(id, text),
  }),
  z.strictObject({ type: z.literal('postponePass'), draft: z.int() }),
  bare('openAgentView'),
  bare('openSettings'),
]);

/** Checks a message from the Agent view; undefined when it is no wish, for pages are not trusted. */
export function parseAgentWish(message: unknown): AgentWish | undefined {
  return AGENT_WISH.safeParse(message).data;
}

const CONTEXT_POST = z.strictObject({ session: text, number, wish: CONTEXT_WISH });

/** Checks a message from the Context panel; undefined when it is no wish. */
export function parseContextPost(message: unknown): ContextPost | undefined {
  return CONTEXT_POST.safeParse(message).data satisfies ContextPost | undefined;
}
