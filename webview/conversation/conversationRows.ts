import type { Conversation, TurnItem, TurnView } from '../../src/editor/conversation/state';
import { callRuns, foldsInto, type StepItem } from './foldedReads';

/** The smallest unit of the conversation that is drawn or skipped as a whole. */
export type ConversationRow = {
  /** A reply being written keeps its key when it becomes a step. */
  readonly key: string;
  readonly turn: number;
  /** Assumed height until the row has been drawn, CSS pixels. */
  readonly height: number;
} & (
  | { readonly type: 'prompt'; readonly view: TurnView; readonly marksOffline: boolean }
  /** Stands for a whole turn whose prompt was undone. */
  | { readonly type: 'undone'; readonly view: TurnView }
  | {
      readonly type: 'step';
      /** A step, and the following ones that only look, which are folded into its last calls. */
      readonly steps: readonly StepItem[];
      /** A step without text, drawn as one list with the step before. */
      readonly isTight: boolean;
    }
  | { readonly type: 'pass'; readonly pass: Extract<TurnItem, { readonly type: 'pass' }> }
  | { readonly type: 'said'; readonly said: Extract<TurnItem, { readonly type: 'said' }> }
  | { readonly type: 'summary'; readonly summary: Extract<TurnItem, { readonly type: 'summary' }> }
  /** A reply that is not in the conversation yet. */
  | { readonly type: 'reply'; readonly step: number }
  /** Ends each turn. */
  | { readonly type: 'footer'; readonly view: TurnView }
);

/** Assumed heights of rows that were never drawn, CSS pixels; close enough for a scroll bar. */
const HEIGHT = { line: 19, chars: 48, promptFrame: 32, tool: 25, gap: 8, pass: 40, footer: 40 };

/** Lists the rows of a changing conversation, and reuses the rows of unchanged turns and items. */
export class ConversationRows {
  #turns: readonly TurnView[] = [];
  #isOffline = false;
  #isMixed = false;
  #rows: readonly ConversationRow[] = [];
  /** Index of the first row of each turn. */
  #starts: readonly number[] = [];

  /** `replies`: the steps being written. */
  of(
    { turns, offline }: Pick<Conversation, 'turns' | 'offline'>,
    replies: readonly number[],
  ): readonly ConversationRow[] {
    // The header says that a script answers now. A turn says it only where not all are alike.
    const isMixed = turns.some((turn) => (turn.offline ?? offline) !== offline);
    const isSame = offline === this.#isOffline && isMixed === this.#isMixed;
    const kept = isSame ? this.#sameTurns(turns) : 0;
    const starts = this.#starts.slice(0, kept);
    const rows = this.#rows.slice(0, this.#starts[kept]);
    for (const [at, turn] of turns.slice(kept).entries()) {
      const index = kept + at;
      starts.push(rows.length);
      if (turn.undonePrompt !== undefined) {
        rows.push(undoneRow(turn));
        continue;
      }
      rows.push(promptRow(turn, isMixed && (turn.offline ?? offline)));
      for (const row of this.#itemRows(index, turn)) rows.push(row);
      const inFlight = index === turns.length - 1 ? replies : [];
      rows.push(...inFlight.map((step) => replyRow(turn, step)), footerRow(turn));
    }
    this.#turns = turns;
    this.#isOffline = offline;
    this.#isMixed = isMixed;
    this.#starts = starts;
    this.#rows = rows;
    return rows;
  }

  /**
   * How many turns are unchanged. Never counts the last one, since replies may have followed it.
   */
  #sameTurns(turns: readonly TurnView[]): number {
    const most = Math.min(this.#turns.length, turns.length) - 1;
    let same = 0;
    while (same < most && turns[same] === this.#turns[same]) same += 1;
    return same;
  }

  #itemRows(index: number, turn: TurnView): readonly ConversationRow[] {
    const groups = rowsOfItems(turn.items);
    // The items of a turn follow its prompt.
    const first = (this.#starts[index] ?? 0) + 1;
    const changed = groups.findIndex((group, at) => !isOf(this.#rows[first + at], group));
    const same = changed < 0 ? groups.length : changed;
    return this.#rows
      .slice(first, first + same)
      .concat(groups.slice(same).map((group, at) => itemRow(turn, group, groups[same + at - 1])));
  }
}

/** The items of one row: one, or steps that only look. */
type ItemGroup = readonly [TurnItem, ...StepItem[]];

function rowsOfItems(items: readonly TurnItem[]): readonly ItemGroup[] {
  const groups: [TurnItem, ...StepItem[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isMore = last?.type === 'step' && item.type === 'step' && foldsInto(last, item);
    if (isMore && group !== undefined) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Whether a row draws exactly these items. */
function isOf(row: ConversationRow | undefined, group: ItemGroup): boolean {
  const drawn = itemsOf(row);
  return drawn.length === group.length && group.every((item, at) => item === drawn[at]);
}

function itemsOf(row: ConversationRow | undefined): readonly TurnItem[] {
  switch (row?.type) {
    case 'step':
      return row.steps;
    case 'pass':
      return [row.pass];
    case 'said':
      return [row.said];
    case 'summary':
      return [row.summary];
    default:
      return [];
  }
}

function promptRow(view: TurnView, marksOffline: boolean): ConversationRow {
  const { turn, prompt } = view;
  const height = HEIGHT.promptFrame + heightOfText(prompt) + (marksOffline ? HEIGHT.line : 0);
  return { type: 'prompt', key: `turn ${turn}`, turn, height, view, marksOffline };
}

function undoneRow(view: TurnView): ConversationRow {
  const { turn } = view;
  return { type: 'undone', key: `undone ${turn}`, turn, height: HEIGHT.footer, view };
}

function itemRow(
  { turn }: TurnView,
  group: ItemGroup,
  before: ItemGroup | undefined,
): ConversationRow {
  const [item, ...more] = group;
  if (item.type === 'pass') {
    return { type: 'pass', key: `pass ${item.number}`, turn, height: HEIGHT.pass, pass: item };
  }
  if (item.type === 'summary') {
    const key = `summary ${turn}.${item.number}`;
    return { type: 'summary', key, turn, height: HEIGHT.pass, summary: item };
  }
  if (item.type === 'said') {
    const { text } = item;
    const height = HEIGHT.promptFrame + HEIGHT.line + heightOfText(text);
    return { type: 'said', key: `said ${turn}.${item.number}`, turn, height, said: item };
  }
  const steps = [item, ...more];
  const height = HEIGHT.gap + heightOfText(item.text) + callRows(steps) * HEIGHT.tool;
  const isTight = item.text.trim() === '' && before?.[0].type === 'step';
  return { type: 'step', key: stepKey(item.step), turn, height, steps, isTight };
}

/** How many rows the calls of a row have while nothing is open. */
function callRows(steps: readonly StepItem[]): number {
  const runs = callRuns(steps);
  return runs.reduce((sum, { isFolded, parts }) => sum + (isFolded ? 1 : parts.length), 0);
}

function replyRow({ turn }: TurnView, step: number): ConversationRow {
  return { type: 'reply', key: stepKey(step), turn, height: HEIGHT.gap + HEIGHT.line, step };
}

function footerRow(view: TurnView): ConversationRow {
  const { turn } = view;
  return { type: 'footer', key: `footer ${turn}`, turn, height: HEIGHT.footer, view };
}

function stepKey(step: number): string {
  return `step ${step}`;
}

/** Only the beginning of a long text is drawn, so assume no more; characters. */
const LONGEST_DRAWN = 16_000;

function heightOfText(text: string): number {
  if (text.trim() === '') return 0;
  const linesOf = (paragraph: string) => Math.max(1, Math.ceil(paragraph.length / HEIGHT.chars));
  const paragraphs = text.slice(0, LONGEST_DRAWN).split('\n');
  return paragraphs.reduce((sum, each) => sum + linesOf(each), 0) * HEIGHT.line;
}
