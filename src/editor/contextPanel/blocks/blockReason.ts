import { tokenText } from '../../../contextWindow/amount';
import {
  type Block,
  type BlockId,
  type FilesBlock,
  isInWindow,
  isThinking,
  type NoteSource,
  type SummaryBlock,
} from '../../../contextWindow/block';
import { excerptsSize, excerptsSizeText } from '../../../contextWindow/files/regions';
import type { Decision } from '../../../contextWindow/plan';
import type { MemoryOrigin } from '../../../contextWindow/event';
import { protectedBy, reasonText, shortReason } from '../../../contextWindow/reasons';
import { protectionOf, tierOf, WORKING_STEPS } from '../../../contextWindow/tier';
import { visibleLine } from '../../../contextWindow/visibleText';
import type { ContextWindow } from '../../../contextWindow/window';

/** Says why a block is in the window, or why not; `next` is what a pass would do to it now. */
export function blockReason(window: ContextWindow, block: Block, next?: Decision): string {
  const reason = `${reasonForState(window, block, next)}${contextEditingText(block)}`;
  const isShort = block.kind === 'step' && block.thinkingDropped && block.parts.some(isThinking);
  if (block.state === 'trimmed') return reason;
  return isShort && isInWindow(block)
    ? `${reason}. Its thinking is not sent: it depends on earlier text that has changed`
    : reason;
}

/** The same in at most six words; for a block that a pass would remove now, why it would. */
export function blockWhy(window: ContextWindow, block: Block, next?: Decision): string {
  if (next !== undefined) return shortReason(next.reason);
  // Whatever was cut on arrival, the row has to say why it has no tokens.
  if (block.state === 'truncated' && isUncounted(window, block)) return UNCOUNTED_WHY;
  if (block.state !== 'whole') {
    const decision = window.decisions.get(block.id);
    if (decision !== undefined) return shortReason(decision.reason);
  }
  const protection = protectionOf(window, block);
  if (protection !== undefined) return shortReason(protectedBy(protection, block));
  switch (block.kind) {
    case 'summary':
      return summaryWhy(window, block);
    case 'anchor':
      return 'unpinned: a pass may remove it';
    case 'prompt':
      return 'an earlier prompt';
    case 'note':
      return NOTE_WHY[block.source.from];
    case 'excerpts':
      return 'renewed at each pass';
    case 'step':
      if (isUncounted(window, block)) return UNCOUNTED_WHY;
      return tierOf(window, block) === 'working'
        ? `one of the ${WORKING_STEPS} newest steps`
        : 'older: a pass may remove it';
  }
}

const UNCOUNTED_WHY = 'the agent may have dropped it';

const UNCOUNTED =
  "The counts of the recorded agent's server leave no tokens for this step: the agent may no longer have sent it";

/** Whether the recorded counts are smaller than everything else in the window. */
function isUncounted({ recorded }: ContextWindow, { id }: Block): boolean {
  return recorded?.sizes.get(id)?.share === 0;
}

/** Says how many of the blocks that a summary replaced were needed again. */
function summaryWhy(window: ContextWindow, { id }: SummaryBlock): string {
  const replaced = replacedBy(window, id);
  const again = new Set(
    [...window.refaults].map(({ blockId }) => blockId).filter((blockId) => replaced.has(blockId)),
  );
  return again.size === 0
    ? 'nothing in it was needed again'
    : `${again.size} of ${replaced.size} needed again`;
}

/** The blocks that a summary replaced, those of earlier summaries in their place. */
function replacedBy({ blocks }: ContextWindow, id: BlockId): ReadonlySet<BlockId> {
  const summaries = new Map(
    blocks
      .filter((block): block is SummaryBlock => block.kind === 'summary')
      .map((block) => [block.id, block.covers] as const),
  );
  const replaced = new Set<BlockId>();
  const open = [...(summaries.get(id) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const covers = summaries.get(next);
    if (covers === undefined) replaced.add(next);
    else open.push(...covers);
  }
  return replaced;
}

const NOTE_WHY: Readonly<Record<NoteSource['from'], string>> = {
  reminder: 'a reminder, read',
  said: 'you said so',
  rule: 'your standing rule, or its end',
  mode: 'you chose this mode',
  filesRestored: 'lists the files you restored',
  commandsEnded: 'lists the commands that ended',
  continue: 'asked the model to continue',
  recall: 'restored by you',
  return: 'says how long it was idle',
  memory: 'project memory, always sent',
  handover: 'summary of the former session',
  scratchpad: 'your change of the notes',
};

/** The API answers with counts and does not say which results it cleared. */
function contextEditingText(block: Block): string {
  const edits = block.kind === 'step' ? (block.appliedEdits ?? []) : [];
  const words = edits.map(({ type, clearedToolUses, clearedThinkingTurns, clearedInputTokens }) => {
    const results = clearedToolUses === undefined ? [] : [`${clearedToolUses} tool results`];
    const turns =
      clearedThinkingTurns === undefined ? [] : [`thinking of ${clearedThinkingTurns} turns`];
    const tokens =
      clearedInputTokens === undefined ? '' : `, ${tokenText(clearedInputTokens)} tokens`;
    return `${[...results, ...turns].join(' and ') || type}${tokens}`;
  });
  return words.length === 0 ? '' : `. For this step the API left out: ${words.join('; ')}`;
}

function reasonForState(window: ContextWindow, block: Block, next: Decision | undefined): string {
  if (block.state !== 'whole') {
    const decision = window.decisions.get(block.id);
    const isBoth = block.state === 'truncated' && isUncounted(window, block);
    const more = isBoth ? `. ${UNCOUNTED}` : '';
    if (decision !== undefined) return `${reasonText(decision)}${more}`;
  }
  const protection = protectionOf(window, block);
  if (protection === 'keep:memory' && block.kind === 'note') return noteReason(block.source);
  if (protection !== undefined) return reasonText({ reason: protectedBy(protection, block) });
  // A step that a pass would remove now is not in the window because of its tier.
  return next === undefined || block.kind !== 'step'
    ? unprotected(window, block)
    : `If a pass ran now: ${reasonText(next)}`;
}

function unprotected(window: ContextWindow, block: Block): string {
  switch (block.kind) {
    case 'summary':
      return writtenBy(block);
    case 'anchor':
      return 'The first prompt, unpinned: a pass may remove it';
    case 'prompt':
      return 'An earlier prompt';
    case 'note':
      return noteReason(block.source);
    case 'excerpts':
      return excerptsReason(block);
    case 'step':
      if (isUncounted(window, block)) return UNCOUNTED;
      return tierOf(window, block) === 'working'
        ? `Recent: one of the last ${WORKING_STEPS} steps`
        : `Older than the last ${WORKING_STEPS} steps: a pass may remove it`;
  }
}

function excerptsReason({ step, shown }: FilesBlock): string {
  return `Shows ${excerptsSizeText(excerptsSize(shown))} in work, the most likely to be needed, as they were after step ${step}`;
}

function writtenBy({ covers, writtenBy: writer, editedByUser }: SummaryBlock): string {
  const replaced = `Replaces ${covers.length} ${covers.length === 1 ? 'block' : 'blocks'}`;
  const edited = editedByUser === true ? '; edited by you' : '';
  return writer.by === 'model'
    ? `${replaced}; written by ${writer.model}${edited}`
    : `${replaced}; a work note, because ${writer.because}${edited}`;
}

/** Explains a note that the model has read. */
function noteReason(source: NoteSource): string {
  switch (source.from) {
    case 'reminder':
      return 'A reminder that the model has read';
    case 'said':
      return 'What you said while the agent worked';
    case 'mode':
      return 'Told the model which mode you chose';
    case 'rule':
      return source.how === 'added'
        ? 'A standing rule that you added; once removed, the block of rules has it'
        : 'Told the model that you struck this standing rule';
    case 'filesRestored':
      return 'Told the model which files you restored';
    case 'commandsEnded':
      return 'Told the model which background commands had ended';
    case 'continue':
      return 'Asked the model to continue where its reply or turn had ended';
    case 'recall':
      return 'Restored by you at the end of the window';
    case 'return':
      return 'Told the model how long the session was idle, and what had changed';
    case 'memory':
      return source.origin === undefined
        ? `${memoryFor(source.globs)}: in every request`
        : `${memoryFor(source.globs)}, ${originText(source.origin)}: in every request`;
    case 'handover':
      return 'The summary of the session that this one continues';
    case 'scratchpad':
      return source.handedOver === true
        ? 'The agent’s notes from the session that this one continues, until a pass shows them again'
        : 'Tells the model what you changed in its notes, until a pass shows them again';
  }
}

function memoryFor(globs: readonly string[] | undefined): string {
  return globs === undefined
    ? 'Project memory'
    : `Project memory for ${visibleLine(globs.join(', '))}`;
}

/** Says how a memory file came into the window. */
export function originText(origin: MemoryOrigin): string {
  if (origin.how === 'begin') return 'in the workspace when the session began';
  return origin.step === 0
    ? 'allowed by you before the first step'
    : `allowed by you at step ${origin.step}`;
}
