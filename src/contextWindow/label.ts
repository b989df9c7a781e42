import { typedPart } from './attached';
import type { Block, FilesBlock, NoteSource, SummaryBlock, ToolUse } from './block';
import { commandIn, pathIn } from './callEffect';
import { idleText } from './idle';
import { MODE_NAMES } from './mode';
import { visiblePath, visibleText } from './visibleText';

const LONGEST = 80;

/** Characters of a long text that are read for its label. */
const BEGINNING = 1_000;

/** A cache: blocks are immutable, and every plan and every drawing needs their labels. */
const LABELS = new WeakMap<Block, string>();

/** Gives a block its short name for the panel, the ledger and the CLI. */
export function labelOf(block: Block): string {
  const known = LABELS.get(block);
  if (known !== undefined) return known;
  const label = nameBlock(block);
  LABELS.set(block, label);
  return label;
}

function nameBlock(block: Block): string {
  switch (block.kind) {
    case 'anchor':
      return shorten(`Task: ${beginningOf(typedPart(block.text))}`);
    case 'prompt':
      return shorten(`Prompt: ${beginningOf(typedPart(block.text))}`);
    case 'summary':
      return `Summary of ${coveredBy(block)}`;
    case 'note':
      return labelOfNote(block.source);
    case 'excerpts':
      return shorten(`Excerpts as of step ${block.step}: ${pathsShown(block).join(', ')}`);
    case 'step': {
      const calls = block.pairs.map(({ use }) => labelOfCall(use));
      if (calls.length > 0) return shorten(calls.join(', '));
      const text = block.parts.find((part) => part.type === 'text')?.text ?? '(empty reply)';
      return shorten(`Reply: ${beginningOf(text)}`);
    }
  }
}

/** The files in the excerpts, each once. */
export function pathsShown({ shown }: Pick<FilesBlock, 'shown'>): readonly string[] {
  return [...new Set(shown.map(({ path }) => path))];
}

function labelOfNote(source: NoteSource): string {
  switch (source.from) {
    case 'scratchpad':
      return source.handedOver === true ? 'Scratchpad handed over' : 'Scratchpad changed by you';
    case 'handover':
      return shorten(`Handed over: ${source.title}`);
    case 'memory':
      return `Project memory: ${visiblePath(source.path, LONGEST - 16)}`;
    case 'recall':
      return shorten(`Recalled: ${source.label}`);
    case 'return':
      return `Idle for ${idleText(source.idleMs)}`;
    case 'mode':
      return `Mode: ${MODE_NAMES[source.mode].toLowerCase()}`;
    case 'said':
      return 'Said while the agent worked';
    case 'rule':
      return source.how === 'added' ? 'Standing rule added by you' : 'Standing rule struck by you';
    case 'filesRestored':
      return 'Files restored by you';
    case 'commandsEnded':
      return shorten(`Ended in the background: ${source.handles.join(', ')}`);
    case 'continue':
      return 'Asked to continue';
    case 'reminder':
      return source.because === 'neededAgain'
        ? 'Reminder: needed again'
        : `Reminder of the notes, ${stepsText(source.steps)} old`;
  }
}

/** "1 step", "14 steps". */
export function stepsText(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}

/** Runs of steps that are listed; more are only counted. */
const MOST_RUNS = 4;

/**
 * Describes what a summary covers: "steps 4-8, 10 and 12-19", "17 of steps 4-31", or a number of
 * blocks if it covers no step.
 */
export function coveredBy({ steps = [], covers }: SummaryBlock): string {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) {
    return covers.length === 1 ? '1 block' : `${covers.length} blocks`;
  }
  if (steps.length > MOST_RUNS) {
    const count = steps.reduce((sum, run) => sum + run.last - run.first + 1, 0);
    return `${count} of steps ${first.first}-${last.last}`;
  }
  const runs = steps.map((run) =>
    run.first === run.last ? `${run.first}` : `${run.first}-${run.last}`,
  );
  const word = first.first === last.last ? 'step' : 'steps';
  const [only = '', ...others] = runs.toReversed();
  return others.length === 0
    ? `${word} ${only}`
    : `${word} ${others.toReversed().join(', ')} and ${only}`;
}

/** A cache: calls are immutable, and every plan names those that later ones repeat. */
const CALL_LABELS = new WeakMap<ToolUse, string>();

/** Gives a tool call its short name: the tool and its distinguishing argument. */
export function labelOfCall(use: ToolUse): string {
  const known = CALL_LABELS.get(use);
  if (known !== undefined) return known;
  const label = nameCall(use);
  CALL_LABELS.set(use, label);
  return label;
}

function nameCall(use: ToolUse): string {
  const { name, input } = use;
  const range =
    typeof input['start_line'] === 'number'
      ? ` ${input['start_line']}-${typeof input['end_line'] === 'number' ? input['end_line'] : ''}`
      : '';
  const path = pathIn(input);
  if (path !== undefined) {
    const room = Math.max(LONGEST / 2, LONGEST - name.length - range.length - 1);
    return `${name} ${visiblePath(path, room)}${range}`;
  }
  const value = commandIn(input) ?? argumentOf(input);
  if (value === undefined || value === '') return name;
  const where = folderNamed(use);
  const text = visibleText(oneLine(`${name} ${value.slice(0, BEGINNING)}${range}`));
  return `${shorten(text, LONGEST - where.length)}${where}`;
}

/** The argument that tells a call from others, if it names no file and runs no command. */
function argumentOf(input: ToolUse['input']): string | undefined {
  return ARGUMENTS.map((key) => input[key]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

const ARGUMENTS = [
  'pattern',
  'query',
  'glob',
  'handle',
  'url',
  'question',
  // A task for a sub-agent.
  'title',
  'description',
  // A skill; other agents name it by the second.
  'name',
  'skill',
];

/** The folder of the workspace that a command runs in, after what it runs. */
function folderNamed({ input: { command, folder } }: ToolUse): string {
  const isNamed = typeof command === 'string' && typeof folder === 'string';
  return isNamed ? ` in ${visiblePath(folder, LONGEST / 2)}` : '';
}

/** The beginning of a text without markup; arguments of tools keep theirs. */
function beginningOf(text: string): string {
  return plainText(text.slice(0, BEGINNING));
}

function shorten(text: string, longest = LONGEST): string {
  const line = oneLine(text);
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A code span: its backticks and its text, which is not markup. */
const CODE_SPAN = /(?<!`)(`+)([^`]+)\1(?!`)/g;

/**
 * Removes Markdown syntax from a text that is shown unformatted, such as a title: headings, quotes,
 * fences, stars, backticks and links. Underscores stay: in prompts to a coding agent they are part
 * of names more often than emphasis. So do stars in paths and product names.
 */
export function plainText(markdown: string): string {
  const lines = markdown
    .replace(/^\s*(?:`{3,}|~{3,})[^\n`]*$/gm, '')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/gm, '$1')
    .replace(/^([ \t]*)[*+][ \t]+/gm, '$1- ');
  // Private-use characters hold the place of code spans, so that emphasis around them is still
  // recognised.
  const spans: string[] = [];
  const held = lines.replace(CODE_SPAN, (_, _ticks: string, code: string) => {
    spans.push(code);
    return `\uE000${spans.length - 1}\uE001`;
  });
  return withoutMarks(held).replace(/\uE000(\d+)\uE001/g, (_, index) => spans[Number(index)] ?? '');
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))+(?:[ \t]+"[^"\n]*")?\)/g, '$1')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '$1')
    .replace(/(?<![\w/*])(\*{2,3})(?=[^\s*/.])(.+?)(?<=[^\s*/])\1(?!\*)/g, '$2')
    .replace(/(?<![\w/*.])\*(?=[\p{L}\p{N}\uE000"'(])([^*\n]+?)(?<=[^\s(/])\*(?![\w*])/gu, '$1');
}
