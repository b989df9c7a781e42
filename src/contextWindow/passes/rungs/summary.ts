import type {
  Block,
  StepBlock,
  StepRange,
  SummaryBlock,
  SummaryWriter,
  ToolPair,
} from '../../block';
import { blockText } from '../../blockText';
import { findBlock, type ContextWindow } from '../../window';
import type { Summary, SummaryJob } from '../../plan';
import { summaryText } from '../../request/placeholder';
import type { Estimate } from '../../truncate';
import { labelOf, labelOfCall } from '../../label';

/** A summary, and the blocks that it was written from, as they were then. */
export interface WrittenSummary {
  readonly summary: Summary;
  readonly from: readonly Block[];
}

/** The blocks that a summary would be written from now. */
export function sourcesOf(
  { blocks }: ContextWindow,
  { covers }: Pick<Summary, 'covers'>,
): readonly Block[] {
  const covered = new Set(covers);
  return blocks.filter(({ id }) => covered.has(id));
}

/**
 * Says whether the blocks still have the text that a summary was written from. A rewritten block
 * does not; a pinned block, or one without its thinking, does.
 */
export function haveSameText(window: ContextWindow, from: readonly Block[]): boolean {
  return from.every((then) => {
    const now = findBlock(window, then.id);
    return now === then || (now !== undefined && blockText(now) === blockText(then));
  });
}

/** Estimates a summary as sent; tokens. */
export function summaryTokens(summary: Summary, window: ContextWindow, estimate: Estimate): number {
  return estimate(summaryText(summaryBlock(summary, sourcesOf(window, summary))));
}

/** Makes the block of a summary. */
export function summaryBlock(summary: Summary, covered: readonly Block[]): SummaryBlock {
  const steps = stepRuns(covered.flatMap(stepsOf));
  return {
    kind: 'summary',
    id: summary.id,
    turn: covered[0]?.turn ?? 0,
    text: summary.text,
    covers: summary.covers,
    ...(steps.length === 0 ? {} : { steps }),
    writtenBy: summary.writtenBy,
    ...(summary.editedByUser === true ? { editedByUser: true } : {}),
    pinned: false,
    state: 'whole',
  };
}

/** The steps that a block stands for, also through earlier summaries. */
function stepsOf(block: Block): readonly StepRange[] {
  if (block.kind === 'step') return [{ first: block.step, last: block.step }];
  return block.kind === 'summary' ? (block.steps ?? []) : [];
}

/** Joins runs of consecutive steps. */
function stepRuns(ranges: readonly StepRange[]): readonly StepRange[] {
  const runs: StepRange[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = runs.at(-1);
    if (before === undefined || first > before.last + 1) runs.push({ first, last });
    else runs[runs.length - 1] = { first: before.first, last: Math.max(before.last, last) };
  }
  return runs;
}

/** Writes the summary of a run without a model; `because` says why no model was asked. */
export function workNoteOf(
  { window, estimate }: { readonly window: ContextWindow; readonly estimate: Estimate },
  { summaryId: id, covers, maxTokens }: Omit<SummaryJob, 'tokensBefore'>,
  writtenBy: Omit<Extract<SummaryWriter, { readonly by: 'workNote' }>, 'by'>,
): Summary {
  const sources = sourcesOf(window, { covers });
  const noteOf = (text: string): Summary => ({
    id,
    covers,
    text,
    writtenBy: { by: 'workNote', ...writtenBy },
  });
  // The size of the note as sent, with its heading.
  const size = (text: string) => estimate(summaryText(summaryBlock(noteOf(text), sources)));
  return noteOf(workNote(sources, maxTokens, size));
}

const LONGEST_LINE = 160;

/**
 * Writes what happened in a run of blocks without a model: prompts, files, commands and the last
 * word of each. Deterministic, never empty, at most `maxTokens`.
 */
export function workNote(blocks: readonly Block[], maxTokens: number, estimate: Estimate): string {
  const lines = blocks.flatMap(linesOf);
  const note = (kept: readonly string[]) => {
    const left = lines.length - kept.length;
    const gap = left === 0 ? [] : [`(${left} earlier lines left out)`];
    return ['Work note, written from the log without a model:', ...gap, ...kept].join('\n');
  };
  // The newest lines matter most: the oldest are left out until the note fits.
  let kept = lines;
  while (kept.length > 0 && estimate(note(kept)) > maxTokens) {
    kept = kept.slice(Math.max(1, Math.floor(kept.length * 0.1)));
  }
  return note(kept);
}

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
      return [line(`The user asked: ${block.text}`)];
    case 'note':
      return block.source.from === 'handover'
        ? [`${labelOf(block)}:`, ...linesOfText(block.text)]
        : [line(`${labelOf(block)}: ${block.text}`)];
    case 'excerpts':
      return [];
    case 'summary':
      return linesOfText(block.text);
    case 'step':
      return linesOfStep(block);
  }
}

function linesOfText(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((each) => each.trim() !== '')
    .map(line);
}

function linesOfStep(step: StepBlock): readonly string[] {
  const said = step.parts.find((part) => part.type === 'text')?.text;
  const words = said === undefined || said.trim() === '' ? [] : [line(`Said: ${said}`)];
  return [
    ...words,
    ...step.pairs.map((pair) => line(`- ${labelOfCall(pair.use)}${outcome(pair)}`)),
  ];
}

function outcome({ use, result }: ToolPair): string {
  if (result === undefined) return '';
  const last = result.text.trimEnd().split('\n').at(-1) ?? '';
  if (result.isError) return ` failed: ${last}`;
  return use.name === 'run_command' ? `: ${last}` : '';
}

function line(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= LONGEST_LINE ? flat : `${flat.slice(0, LONGEST_LINE - 1)}…`;
}
