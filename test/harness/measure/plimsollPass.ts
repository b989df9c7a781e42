import { readFileSync } from 'node:fs';
import type { BlockId } from '../../../src/contextWindow/block';
import { withInputBudget } from '../../../src/contextWindow/budget';
import { entered } from '../../../src/contextWindow/event';
import { applyEvent } from '../../../src/contextWindow/fold';
import { duePasses, passApplied } from '../../../src/contextWindow/passes/pipeline';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { workNoteOf } from '../../../src/contextWindow/passes/rungs/summary';
import type { Message, WindowRequest } from '../../../src/contextWindow/request/blockMessages';
import { toRequest } from '../../../src/contextWindow/request/request';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { offlineModels } from '../../../src/offline/models';
import { validateRequest } from '../../../src/offline/rules/validateRequest';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { NO_MODEL, replay } from '../../../src/replay/replay';
import { AUTOMATIC_WATERMARKS } from '../../../src/settings/windowBudget';
import type { Transcript } from '../../../src/sessions/transcript';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';

/** Plimsoll estimates texts as the libraries do, so that all have the same budget. */
const estimate = (text: string): number => Math.ceil(text.length / 4);

const STRICTEST = offlineModels.find(({ id }) => id === 'claude-opus-5-5');

/** The last request of a recording from which nothing was evicted. */
export interface LastRequest {
  readonly request: WindowRequest;
  readonly window: ContextWindow;
}

/** Reads a recording, without its thinking. */
export function readTranscript(file: string): Transcript {
  const read = importTranscript(readFileSync(file, 'utf8'), 'auto', file, () => 0);
  if (!read.ok) throw new Error(read.message);
  const entries = read.transcript.entries.map((entry) =>
    entry.type === 'reply'
      ? {
          ...entry,
          parts: entry.parts.filter(({ type }) => type === 'text' || type === 'toolUse'),
        }
      : entry,
  );
  return { ...read.transcript, entries };
}

/** Replays a recording with nothing evicted, with or without the label of the task. */
export async function lastRequestOf(
  transcript: Transcript,
  inputBudget: number,
  pinTaskAnchor: boolean,
): Promise<LastRequest> {
  let last: LastRequest | undefined;
  const { context } = DEFAULT_SETTINGS;
  const settings = {
    policy: 'none',
    settings: settingsOfPass(),
    contextEditing: context.server,
    budget: budgetOf(inputBudget),
    toolResultCapTokens: context.toolResultCapTokens,
    pinTaskAnchor,
  } as const;
  await replay(transcript, settings, {
    estimate,
    warm: () => Promise.resolve(),
    validate: () => undefined,
    now: () => 0,
    onRequest: (request, _model, _step, window) => (last = { request, window }),
  });
  if (last === undefined) throw new Error('The recording has no request.');
  return last;
}

/** What the passes made of a window. */
interface Fitted {
  readonly messages: readonly Message[];
  /** Every block has a decision with its reason in a pass. */
  readonly isExplained: boolean;
}

/** Runs the passes that the default policy needs to fit the window into the budget. */
export function fitted({ window }: LastRequest, inputBudget: number): Fitted {
  let now = window;
  const settings = { ...settingsOfPass(), policy: DEFAULT_SETTINGS.context.policy };
  const facts = () =>
    policyFacts({ window: now, budget: budgetOf(inputBudget), estimate, settings });
  const decided = new Set<BlockId>();
  for (const { input, plan } of duePasses(facts)) {
    const notes = plan.summaries.map((job) => workNoteOf(input, job, { because: NO_MODEL }));
    const event = passApplied(input, plan, notes);
    for (const { blockId } of event.pass.decisions) decided.add(blockId);
    now = applyEvent(now, entered(event, 0, now));
  }
  const isExplained = [...window.blocks].every(({ id }) => decided.has(id));
  return { messages: toRequest(now).messages, isExplained };
}

/** Says why the strict double of the API would refuse messages; undefined if it accepts them. */
export function refusalOf(
  { request: { system, tools } }: LastRequest,
  messages: unknown,
): string | undefined {
  const body = {
    model: STRICTEST?.id,
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
  };
  return validateRequest(body, { endpoint: 'count_tokens' })?.message;
}

function budgetOf(inputBudget: number) {
  const { highWatermark, lowWatermark } = AUTOMATIC_WATERMARKS;
  const headroom = { safetyHeadroomTokens: 0, toolResultHeadroomTokens: 0 };
  const whole = { contextWindowTokens: inputBudget + 1, maxReplyTokens: 1, ...headroom };
  const marks = { highWatermark: highWatermark.fraction, lowWatermark: lowWatermark.fraction };
  return withInputBudget({ ...whole, ...marks }, inputBudget);
}

function settingsOfPass() {
  const { maxMessages, keepTurns, keepRecentTurns, maxHistoryTurns, excerptShare } =
    DEFAULT_SETTINGS.context;
  return {
    maxMessages,
    keepTurns,
    keepRecentTurns,
    maxHistoryTurns,
    excerptShare,
    summaries: true,
  };
}
