import { z } from 'zod';
import { POLICY_NAMES } from '../contextWindow/plan';
import { admission, text, tokens, usage } from './storedParts';

const amount = z.object({ tokens, exact: z.boolean() });

const trigger = z.enum(['highWatermark', 'overflow', 'manual', 'cap', 'byHand', 'recorded']);

export const budget = z.object({
  contextWindowTokens: tokens,
  maxReplyTokens: tokens,
  safetyHeadroomTokens: tokens,
  toolResultHeadroomTokens: tokens,
  highWatermark: z.number(),
  lowWatermark: z.number(),
  inputBudget: tokens,
  highTokens: tokens,
  lowTokens: tokens,
});

const rule = z.enum([
  'keep:anchor',
  'keep:pinned',
  'keep:latestPrompt',
  'keep:openStep',
  'keep:recent',
  'keep:enough',
  'keep:noGain',
  'keep:memory',
  'keep:restored',
  'keep:unread',
  'keep:head',
  'keep:spared',
  'keep:untouched',
  'keep:recorded',
  'truncateAtAdmission',
  'shortenProtected',
  'clearSuperseded',
  'clearOldResults',
  'clearOversized',
  'trimThinking',
  'compactOldest',
  'evictLeastSalient',
  'evictOldest',
  'evictMiddle',
  'evictOverCap',
  'evictUnneeded',
  'evictFinishedPrompt',
  'evictShownNotes',
  'recorded',
  'excludedByUser',
  'clearedByUser',
  'restoredByUser',
  'rewrittenByUser',
  'undone',
]);

const rung = z.enum(['supersede', 'clear', 'trim', 'compact', 'evict', 'cap', 'shorten']);

const decision = z.object({
  blockId: text,
  label: text,
  kind: z.enum(['anchor', 'prompt', 'step', 'summary', 'note']),
  action: z.enum(['keep', 'truncate', 'trim', 'clear', 'compact', 'evict', 'restore', 'rewrite']),
  rule,
  reason: text,
  before: amount,
  after: amount,
  salience: z
    .object({
      salience: z.number(),
      recency: z.number(),
      reuse: z.number(),
      kind: z.number(),
      size: z.number(),
      errors: z.number().optional(),
      decisions: z.number().optional(),
      pinned: z.literal(true).optional(),
      rated: z.number().optional(),
    })
    .optional(),
  toolUseIds: z.array(text).optional(),
  admissions: z.array(z.object({ handle: text, admission })).optional(),
  summaryId: text.optional(),
  text: text.optional(),
  wayBack: z.object({ handle: text }).optional(),
});

const writtenBy = z.discriminatedUnion('by', [
  z.object({ by: z.literal('model'), model: text, usage: usage.optional() }),
  z.object({
    by: z.literal('workNote'),
    because: text,
    asked: z.object({ model: text, usage }).optional(),
  }),
]);

/** One finished run of a policy, as it stands in the log. */
export const pass = z.object({
  number: z.number(),
  beforeStep: z.number(),
  trigger,
  policy: z.enum([...POLICY_NAMES, 'clairvoyant', 'recorded']),
  budget,
  before: amount,
  after: amount,
  target: tokens,
  decisions: z.array(decision),
  summaries: z.array(
    z.object({
      id: text,
      covers: z.array(text),
      text,
      writtenBy,
      editedByUser: z.literal(true).optional(),
    }),
  ),
  rungs: z.array(z.object({ rung, blocks: z.number(), tokens })),
  cache: z.object({
    rewrittenTokens: tokens,
    freedTokens: tokens,
    breakEvenRequests: z.number().nullable(),
  }),
});
