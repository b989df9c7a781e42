import { basename } from 'node:path';
import type { BlockId, StepBlock } from '../../../contextWindow/block';
import { promptTokens } from '../../../contextWindow/account/spending';
import { fold } from '../../../contextWindow/fold';
import { labelOf } from '../../../contextWindow/label';
import {
  recordedChargesOf,
  type Transcript,
  type TranscriptEntry,
} from '../../../sessions/transcript';
import { modelNameOf } from '../../recordings/recordingSettings';
import { recordedBill } from '../../session/sessionCosts';
import { callsOf } from '../blocks/derive';
import type { OpeningStep, OpeningView } from './state';

/** So many of the newest steps are named. */
const NEWEST = 8;

/** Says what a recording holds before any of it is replayed; `demoAuthor` is the scripted model. */
export function openingView(
  file: string,
  transcript: Transcript,
  demoAuthor: string,
): Omit<OpeningView, 'share'> {
  const { entries, format } = transcript;
  const replies = entries.filter((entry) => entry.type === 'reply');
  const usage = replies.at(-1)?.usage;
  const recordedTokens = usage === undefined ? 0 : promptTokens(usage);
  const charged = replies.map((reply) => ({
    charges: recordedChargesOf(reply),
    isKnown: reply.usage !== undefined,
  }));
  const offline = replies.at(-1)?.model === demoAuthor;
  return {
    file: basename(file),
    format,
    model: modelNameOf(transcript),
    steps: replies.length,
    compactions: entries.filter(({ type }) => type === 'compacted').length,
    ...(recordedTokens === 0 ? {} : { recordedTokens }),
    cost: recordedBill(charged, { offline, demoAuthor }).cost,
    task: taskOf(entries),
    newest: replies
      .map((reply, index) => ({ step: index + 1, reply }))
      .slice(-NEWEST)
      .map(({ step, reply }) => namedStep(stepOf(reply, step)))
      .toReversed(),
  };
}

/** The name of the first prompt in the list of blocks. */
function taskOf(entries: readonly TranscriptEntry[]): string {
  const prompt = entries.find((entry) => entry.type === 'prompt');
  if (prompt === undefined) return '';
  const { text } = prompt;
  const window = fold([
    { at: 0, type: 'promptSubmitted', turn: 1, text, admission: { form: 'whole' } },
  ]);
  const task = window.blocks.at(0);
  return task === undefined ? '' : labelOf(task);
}

function namedStep(block: StepBlock): OpeningStep {
  return { step: block.step, label: labelOf(block), ...callsOf(block.pairs) };
}

/** A step as far as its name needs it. */
function stepOf(
  { parts, results }: Extract<TranscriptEntry, { readonly type: 'reply' }>,
  step: number,
): StepBlock {
  return {
    kind: 'step',
    id: `step-${step}` as BlockId,
    turn: 1,
    step,
    parts,
    pairs: parts.flatMap((part) => {
      if (part.type !== 'toolUse') return [];
      const result = results.find(({ toolUseId }) => toolUseId === part.use.id);
      const known = result && { ...result, durationMs: 0, admission: { form: 'whole' as const } };
      return [{ use: part.use, cleared: false, ...(known && { result: known }) }];
    }),
    thinkingDropped: false,
    replyTokens: 0,
    pinned: false,
    state: 'whole',
  };
}
