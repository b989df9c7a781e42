import type { ToolUse } from '../../contextWindow/block';
import { callEffectOf, pathOf } from '../../contextWindow/callEffect';
import { identifiersIn } from '../../contextWindow/passes/rungs/identifiers';
import { numbersIn, sentencesIn, wordsIn } from '../../contextWindow/sentences';
import type { Transcript, TranscriptEntry } from '../../sessions/transcript';
import { stringsIn, textsReplaced, withoutLineNumbers } from '../measures/grounding';
import { saidIn } from '../measures/soughtTexts';
import { NOT_KNOWN, type Probe, type ProbeKind, statesTruth } from './probe';

/** Most questions of each kind for one window. */
const MOST_OF_KIND: Readonly<Record<ProbeKind, number>> = {
  file: 2,
  value: 2,
  decision: 2,
  next: 1,
};

/** Most questions for one window, with the control question. */
export const MOST_OF_WINDOW = 1 + Object.values(MOST_OF_KIND).reduce((sum, most) => sum + most, 0);

/** Characters of a line that a question shows. */
const SHORTEST_LINE = 20;
const LONGEST_LINE = 200;

/** Names to try for gaps; those that a reply says first are tried first. */
const MOST_VALUES = 60;

/** Phrases by which the agent says what it will or will not do, and why. */
const DECISION =
  /\b(?:I(?:'|’)ll|I will|I won(?:'|’)t|I(?:'|’)m (?:not )?going to|I am (?:not )?going to|we(?:'|’)ll|we will|let(?:'|’)s|decided?|instead of|rather than|no need to|should(?: not|n(?:'|’)t)? be)\b/i;

/** Phrases by which it says what it does next, which is less of a decision. */
const INTENTION = /\b(?:let me|needs? to|have to|must|should)\b/i;

/**
 * Makes the questions for the window before a step, counted from 1, from the recording alone, so
 * that every policy gets the same. The recording had each answer before its newest replies, and the
 * agent's next steps need it.
 */
export function windowProbes(transcript: Transcript, step: number): readonly Probe[] {
  const moment = momentBefore(transcript, step);
  const paths = new Set(
    usesIn([...moment.past, ...moment.next]).flatMap((use) => pathOf(use) ?? []),
  );
  const names = new Map([...paths].map((path) => [path, shortName(path, paths)]));
  const values = valuesNeeded(moment, names);
  const all = [
    ...fileProbes(moment, names),
    ...valueProbes(moment, values),
    ...decisionProbes(moment, values, names),
    ...nextProbes(moment, names),
  ].filter(({ question, truth }) => !statesTruth(truth, question));
  const probes = all.filter(
    (probe, index) =>
      all.slice(0, index).filter(({ kind }) => kind === probe.kind).length <
      MOST_OF_KIND[probe.kind],
  );
  return probes.length === 0 ? [] : [...probes, controlProbe(step)];
}

/** A question of the recording. */
type RecordedProbe = Probe & { readonly kind: ProbeKind };

/** Asks for a value in a line that no call returned: only "not known" is right. */
function controlProbe(step: number): Probe {
  return {
    kind: 'control',
    question: valueQuestion(`tidemark_${step}_fathoms = ${GAP}`),
    truth: NOT_KNOWN,
  };
}

function valueQuestion(gapped: string): string {
  return `A result of a call in this session has this line, except for the gap:\n\n${gapped}\n\nWhich text belongs in place of ${GAP}? Answer with that alone.`;
}

/** The newest step that satisfies a condition; nothing if none does. */
function newestStep(
  past: readonly ReplyEntry[],
  has: (reply: ReplyEntry) => boolean,
): Pick<Probe, 'evidenceStep'> {
  const index = past.findLastIndex(has);
  return index === -1 ? {} : { evidenceStep: index + 1 };
}

function hasResultLine(line: string): (reply: ReplyEntry) => boolean {
  return (reply) => resultLines([reply]).some(({ text }) => text === line);
}

/** Which file: the file of a line that the next calls replace or read again. */
function fileProbes(
  { past, older, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly RecordedProbe[] {
  const pathsOf = new Map<string, Set<string>>();
  for (const { text, path } of resultLines(past)) {
    if (path === undefined) continue;
    pathsOf.set(text, (pathsOf.get(text) ?? new Set()).add(path));
  }
  const known = new Set(resultLines(older).map(({ text }) => text));
  const asked = new Set<string>();
  return next.flatMap(callsOf).flatMap((call): readonly RecordedProbe[] => {
    const path = pathOf(call.use);
    const truth = path === undefined ? undefined : names.get(path);
    if (path === undefined || truth === undefined || asked.has(path)) return [];
    const [line] = linesNeeded(call)
      .filter((text) => isAskable(text) && known.has(text) && !statesTruth(truth, text))
      .filter((text) => pathsOf.get(text)?.size === 1 && pathsOf.get(text)?.has(path) === true)
      .toSorted((a, b) => b.length - a.length);
    if (line === undefined) return [];
    asked.add(path);
    const question = `A file that you have read in this session has this line:\n\n${line}\n\nWhich file is it? Answer with its path.`;
    return [{ kind: 'file', question, truth, ...newestStep(past, hasResultLine(line)) }];
  });
}

/** The values in the next replies, in order, without those in a prompt and without files. */
function valuesNeeded(
  { prompts, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const said = next.flatMap((reply) => valuesIn(wordsOfReply(reply)));
  return notStated(said, prompts, names).slice(0, MOST_VALUES);
}

/** Each value once, without those in a prompt and without names of files. */
function notStated(
  values: readonly string[],
  prompts: readonly string[],
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const inPrompts = new Set(prompts.flatMap(valuesIn));
  const files = [...names.keys()];
  return [...new Set(values)].filter(
    (value) => !inPrompts.has(value) && !files.some((path) => path.endsWith(value)),
  );
}

/** Which value: a name or number of an earlier result that appears in a later reply. */
function valueProbes(
  { past, older }: RecordedMoment,
  values: readonly string[],
): readonly RecordedProbe[] {
  const lines = new Set(resultLines(past).map(({ text }) => text));
  const newest = resultLines(past.slice(older.length)).map(({ text }) => text);
  const inSight = wordsIn(newest.join('\n'));
  return gaps(
    [...lines].toReversed(),
    values.filter((value) => !inSight.has(value)),
    lines,
    ({ line, gapped, truth }) => ({
      kind: 'value',
      question: valueQuestion(gapped),
      truth,
      ...newestStep(past, hasResultLine(line)),
    }),
  );
}

/**
 * Which decision: what the agent said it would or would not do, whose name appears in a later
 * reply.
 */
function decisionProbes(
  { prompts, past, older }: RecordedMoment,
  values: readonly string[],
  names: ReadonlyMap<string, string>,
): readonly RecordedProbe[] {
  const sentences = new Set(past.flatMap((reply) => sentencesIn(saidIn(reply))));
  const newestFirst = older.flatMap((reply) => sentencesIn(saidIn(reply))).toReversed();
  const decided = [DECISION, INTENTION].flatMap((form) =>
    newestFirst.filter((sentence) => form.test(sentence)),
  );
  const named = notStated(decided.flatMap(valuesIn), prompts, names);
  return gaps(
    decided,
    [...new Set([...values, ...named])],
    sentences,
    ({ line, gapped, truth }) => ({
      kind: 'decision',
      question: `You said this earlier in this session, except for the gap:\n\n${gapped}\n\nWhich text belongs in place of ${GAP}? Answer with that alone.`,
      truth,
      ...newestStep(past, (reply) => sentencesIn(saidIn(reply)).includes(line)),
    }),
  );
}

/** Puts each value into a gap of the first line that takes one; a line is used once. */
function gaps(
  lines: readonly string[],
  values: readonly string[],
  all: ReadonlySet<string>,
  probeOf: (made: {
    readonly line: string;
    readonly gapped: string;
    readonly truth: string;
  }) => RecordedProbe,
): readonly RecordedProbe[] {
  const askable = lines.filter(isAskable);
  const used = new Set<string>();
  const probes: RecordedProbe[] = [];
  for (const truth of values) {
    for (const line of askable) {
      if (used.has(line) || !line.includes(truth)) continue;
      const gapped = clozeOf(line, truth, all);
      if (gapped === undefined) continue;
      used.add(line);
      probes.push(probeOf({ line, gapped, truth }));
      break;
    }
    if (probes.length >= Math.max(MOST_OF_KIND.value, MOST_OF_KIND.decision)) break;
  }
  return probes;
}

/** What next: the file or the program of the next call, if the recording had named it before. */
function nextProbes(
  { prompts, past, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly RecordedProbe[] {
  const [use] = usesIn(next.slice(0, 1));
  if (use === undefined) return [];
  const path = pathOf(use);
  const effect = callEffectOf(use);
  const truth =
    path !== undefined
      ? names.get(path)
      : effect.kind === 'command'
        ? programOf(effect.command)
        : undefined;
  if (truth === undefined) return [];
  const isKnownFrom = (reply: ReplyEntry) =>
    [
      wordsOfReply(reply),
      ...usesIn([reply]).flatMap((use) => pathOf(use) ?? []),
      ...reply.results.map(({ text }) => text),
    ].some((text) => statesTruth(truth, text));
  const evidence = newestStep(past, isKnownFrom);
  const isPrompted = prompts.some((text) => statesTruth(truth, text));
  if (evidence.evidenceStep === undefined && !isPrompted) return [];
  const question = `What is your very next call for the task? Answer with the ${path === undefined ? 'shell command it runs' : 'path of the file it names'}, nothing else.`;
  return [{ kind: 'next', question, truth, ...evidence }];
}

/** The program that a command runs, with its subcommand: `git status`, `npm test`, `grep`. */
function programOf(command: string): string | undefined {
  const [first] = command
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:cd|export|source|set)\b/.test(part));
  const [program, sub] = (first ?? '').split(/\s+/).filter((word) => !/^\w+=/.test(word));
  if (program === undefined || !/^[\w./-]*\w$/.test(program)) return undefined;
  return sub !== undefined && /^[a-z][\w:-]*$/.test(sub) ? `${program} ${sub}` : program;
}

/** Long enough to show its origin, and short enough for a question. */
function isAskable(line: string): boolean {
  return line.length >= SHORTEST_LINE && line.length <= LONGEST_LINE;
}

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** The next actions are taken from this many replies. */
const NEXT_REPLIES = 8;

/** Every policy shows the newest replies, so they are not asked about. */
const NEWEST_REPLIES = 2;

/** One line of a result, without its line number and the white space around it. */
interface ResultLine {
  readonly text: string;
  /** The file that was read; absent for other results. */
  readonly path?: string;
}

/** A recording as of one of its replies: what came before, and what comes next. */
interface RecordedMoment {
  readonly prompts: readonly string[];
  readonly past: readonly ReplyEntry[];
  /** The past without its newest replies. */
  readonly older: readonly ReplyEntry[];
  readonly next: readonly ReplyEntry[];
}

/** The moment before a step, counted from 1. */
function momentBefore({ entries }: Transcript, step: number): RecordedMoment {
  const places = entries.flatMap(({ type }, index) => (type === 'reply' ? [index] : []));
  const place = places[step - 1] ?? entries.length;
  const replies = entries.filter((entry) => entry.type === 'reply');
  const past = replies.slice(0, step - 1);
  return {
    prompts: entries
      .slice(0, place)
      .flatMap((entry) => (entry.type === 'prompt' ? [entry.text] : [])),
    past,
    older: past.slice(0, -NEWEST_REPLIES),
    next: replies.slice(step - 1, step - 1 + NEXT_REPLIES),
  };
}

/** The calls of a reply, each with the text of its result. */
function callsOf({ parts, results }: ReplyEntry) {
  return parts.flatMap((part) => {
    if (part.type !== 'toolUse') return [];
    const result = results.find(({ toolUseId }) => toolUseId === part.use.id);
    return [{ use: part.use, text: result?.isError === true ? '' : (result?.text ?? '') }];
  });
}

/** Every line of the results of replies, in order; of a read with the path of its file. */
function resultLines(replies: readonly ReplyEntry[]): readonly ResultLine[] {
  return replies.flatMap(callsOf).flatMap(({ use, text }) => {
    const effect = callEffectOf(use);
    const from = effect.kind === 'read' ? { path: effect.path } : {};
    return linesIn(text).map((line) => ({ text: line, ...from }));
  });
}

/** The lines of its file that a call needs: those it replaces or reads. */
function linesNeeded({ use, text }: ReturnType<typeof callsOf>[number]): readonly string[] {
  const { kind } = callEffectOf(use);
  if (kind === 'edit') return textsReplaced(use).flatMap(linesIn);
  return kind === 'read' ? linesIn(text) : [];
}

/** The whole text of a reply and of its inputs to calls, apart from the paths. */
function wordsOfReply(reply: ReplyEntry): string {
  const inputs = callsOf(reply).flatMap(({ use }) => {
    const path = pathOf(use);
    return stringsIn(use.input).filter((text) => text !== path);
  });
  return [saidIn(reply), ...inputs].join('\n');
}

/** The calls of replies. */
function usesIn(replies: readonly ReplyEntry[]): readonly ToolUse[] {
  return replies.flatMap(callsOf).map(({ use }) => use);
}

/** The lines of a text that have content, trimmed, without line numbers. */
function linesIn(text: string): readonly string[] {
  return withoutLineNumbers(text)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Marks the gap in a question. */
const GAP = '____';

const SHORTEST_NUMBER = 3;

/** The text around the gap must show the line's origin; characters of words. */
const LEAST_AROUND = 12;

/** The names in code and the numbers of three characters or more in a text, in order. */
function valuesIn(text: string): readonly string[] {
  const words = wordsIn(text);
  const names = identifiersIn(text).filter((name) => words.has(name) && !name.includes('/'));
  const numbers = [...numbersIn(text)].filter((number) => number.length >= SHORTEST_NUMBER);
  return [...new Set([...names, ...numbers])];
}

/**
 * A line with a gap in place of every occurrence of a value. Undefined if the rest says too little,
 * still reveals the value, or fits another of the lines.
 */
function clozeOf(line: string, value: string, lines: ReadonlySet<string>): string | undefined {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const parts = line.split(new RegExp(`(?<![\\w])${escaped}(?![\\w])`, 'g'));
  const [before, after] = [parts[0] ?? '', parts.at(-1) ?? ''];
  if (parts.length === 1) return undefined;
  if (parts.join(' ').replaceAll(/\W/g, '').length < LEAST_AROUND) return undefined;
  if (parts.join(GAP).toLowerCase().includes(value.toLowerCase())) return undefined;
  for (const other of lines) {
    if (other !== line && other.startsWith(before) && other.endsWith(after)) return undefined;
  }
  return parts.join(GAP);
}

/**
 * Returns the shortest end of a path that no other of the paths ends with: `a.ts`, or `src/a.ts` if
 * there is another `a.ts`. One path may occur in both its forms, from the root and from the folder.
 */
export function shortName(path: string, paths: Iterable<string>): string {
  const mine = partsOf(path);
  const others = [...paths].map(partsOf).filter((other) => !isEnd(mine, other));
  for (let count = 1; count < mine.length; count += 1) {
    const end = mine.slice(-count);
    if (!others.some((other) => isEnd(end, other))) return end.join('/');
  }
  return mine.join('/');
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
}

/** Returns whether the shorter of two paths is the end of the longer one. */
function isEnd(one: readonly string[], other: readonly string[]): boolean {
  const count = Math.min(one.length, other.length);
  return one.slice(-count).join('/') === other.slice(-count).join('/');
}
