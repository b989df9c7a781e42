import {
  type AnchorBlock,
  type Attachment,
  type Block,
  type ReplyPart,
  type ResultOrigin,
  type StepBlock,
  type SummaryWriter,
  blockHandle,
} from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { Decision } from '../contextWindow/plan';
import { admittedText } from '../contextWindow/truncate';
import { anchorText, shownScratchpadText, resultText } from '../contextWindow/request/placeholder';

/**
 * Who wrote a part: `false` for user, model and tools, else what Plimsoll put there. `label` marks
 * the task; `placeholder` is shown for a text that is not whole in the window; a `note` shows a
 * changed scratchpad or project memory; the other results say that a tool did not run or was cut
 * off.
 */
export type Synthetic =
  | false
  | 'label'
  | 'placeholder'
  | 'summary'
  | 'note'
  | 'files'
  | 'interruptedResult'
  | 'deniedResult'
  | 'stoppedResult'
  | 'cutReplyResult';

/** A part of a block: its whole text, however much of it the window holds. */
export interface HistoryPart {
  readonly type: ReplyPart['type'] | 'toolResult' | 'attachment';
  readonly synthetic: Synthetic;
  readonly text?: string;
  readonly toolUseId?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly mediaType?: string;
  /** Base64, as it came. */
  readonly data?: string;
}

/** A block of the session, in the window or not. */
export interface HistoryBlock {
  readonly id: string;
  readonly kind: Block['kind'];
  readonly turn: number;
  readonly step?: number;
  readonly state: Block['state'];
  readonly pinned: boolean;
  readonly covers?: readonly string[];
  readonly writtenBy?: SummaryWriter;
  /** Why it is not whole in the window. */
  readonly decision?: Pick<Decision, 'action' | 'rule' | 'reason'>;
  readonly parts: readonly HistoryPart[];
}

const PLACEHOLDER = 'placeholder' as const;

const RESULT_OF: Readonly<Record<ResultOrigin, Synthetic>> = {
  ran: false,
  denied: 'deniedResult',
  stopped: 'stoppedResult',
  interrupted: 'interruptedResult',
  cutReply: 'cutReplyResult',
};

/** Lists every block there ever was, with whole texts, and marks what only Plimsoll wrote. */
export function historyOf(window: ContextWindow): readonly HistoryBlock[] {
  return window.blocks.map((block): HistoryBlock => {
    const { id, kind, turn, state, pinned } = block;
    const decision = window.decisions.get(id);
    return {
      id,
      kind,
      turn,
      state,
      pinned,
      ...(block.kind === 'step' ? { step: block.step } : {}),
      ...(block.kind === 'summary' ? { covers: block.covers, writtenBy: block.writtenBy } : {}),
      ...(decision === undefined
        ? {}
        : {
            decision: { action: decision.action, rule: decision.rule, reason: decision.reason },
          }),
      parts: partsOf(block),
    };
  });
}

/** The scratchpad as the model is shown it outside any block; undefined while the steps show it. */
export function shownScratchpadOf(window: ContextWindow): HistoryPart | undefined {
  if (window.shownScratchpad === '') return undefined;
  return { type: 'text', synthetic: 'note', text: shownScratchpadText(window.shownScratchpad) };
}

function partsOf(block: Block): readonly HistoryPart[] {
  switch (block.kind) {
    case 'anchor':
    case 'prompt': {
      const typed: HistoryPart = { type: 'text', synthetic: false, text: block.text };
      const shown = admittedText(block.text, block.admission, blockHandle(block.id));
      return [
        ...(block.attachments ?? []).map(attachmentPart),
        ...(block.kind === 'anchor' && block.pinned ? [labelPart(block)] : []),
        typed,
        ...(shown === block.text ? [] : [{ ...typed, synthetic: PLACEHOLDER, text: shown }]),
      ];
    }
    case 'note':
      return [{ type: 'text', synthetic: 'note', text: block.text }];
    case 'files':
      return [{ type: 'text', synthetic: 'files', text: block.text }];
    case 'summary':
      return [{ type: 'text', synthetic: 'summary', text: block.text }];
    case 'step':
      return [...block.parts.map(replyPart), ...resultParts(block)];
  }
}

function replyPart(part: ReplyPart): HistoryPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', synthetic: false, text: part.text };
    case 'thinking':
      return { type: 'thinking', synthetic: false, text: part.thinking };
    case 'redactedThinking':
      return { type: 'redactedThinking', synthetic: false, data: part.data };
    case 'compaction':
      return { type: 'compaction', synthetic: 'summary', text: part.content ?? '' };
    case 'toolUse':
      return {
        type: 'toolUse',
        synthetic: false,
        toolUseId: part.use.id,
        tool: part.use.name,
        input: part.use.input,
      };
  }
}

function resultParts({ pairs }: StepBlock): readonly HistoryPart[] {
  return pairs.flatMap((pair): HistoryPart[] => {
    const { use, result } = pair;
    if (result === undefined) return [];
    const { text, isError, origin, attachments = [] } = result;
    const about = { type: 'toolResult' as const, toolUseId: use.id, tool: use.name };
    const shown = resultText(pair);
    return [
      { ...about, synthetic: RESULT_OF[origin], text, isError },
      ...attachments.map(attachmentPart),
      ...(shown === text ? [] : [{ ...about, synthetic: PLACEHOLDER, text: shown }]),
    ];
  });
}

/** The label around the task. */
function labelPart(anchor: AnchorBlock): HistoryPart {
  const [label = ''] = anchorText({ ...anchor, text: '', admission: { form: 'whole' } }).split(
    '\n',
  );
  return { type: 'text', synthetic: 'label', text: label };
}

function attachmentPart({ mediaType, data }: Attachment): HistoryPart {
  return { type: 'attachment', synthetic: false, mediaType, data };
}
