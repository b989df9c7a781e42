import { callEffectOf, pathOf } from '../../contextWindow/callEffect';
import type { Transcript } from '../../sessions/transcript';
import { sentencesIn, wordsIn } from '../measures/soughtTexts';
import { saidIn } from '../measures/soughtInRecording';
import { clozeOf, GAP, valuesIn } from './cloze';
import { statesTruth, type Probe, type ProbeKind } from './probe';
import {
  callsOf,
  linesNeeded,
  momentBefore,
  resultLines,
  usesIn,
  wordsOfReply,
  type RecordedMoment,
} from './recordedTexts';
import { shortName } from './shortName';

/** Most questions of each kind that are asked of one window. */
const MOST_OF_KIND: Readonly<Record<ProbeKind, number>> = {
  file: 2,
  value: 2,
  decision: 2,
  next: 1,
};

/** Most questions that one window is asked. */
export const MOST_OF_WINDOW = Object.values(MOST_OF_KIND).reduce((sum, most) => sum + most, 0);

/** Characters of a line that is shown in a question. */
const SHORTEST_LINE = 20;
const LONGEST_LINE = 200;

/** Names that are tried for gaps; the first that a reply says come first. */
const MOST_VALUES = 60;

/** How the agent says what it will do or not do, and why. */
const DECISION =
  /\b(?:I(?:'|’)ll|I will|I won(?:'|’)t|I(?:'|’)m (?:not )?going to|I am (?:not )?going to|we(?:'|’)ll|we will|let(?:'|’)s|decided?|instead of|rather than|no need to|should(?: not|n(?:'|’)t)? be)\b/i;

/** How it says what it does next, which is less of a decision. */
const INTENTION = /\b(?:let me|needs? to|have to|must|should)\b/i;

/**
 * Makes the questions for the window before a step, counted from 1, from the recording alone: the
 * same for every policy. What is asked stood in the recording by then, the newest replies left out,
 * and what the agent did next needs it.
 */
export function probesAt(transcript: Transcript, step: number): readonly Probe[] {
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
  return all.filter(
    (probe, index) =>
      all.slice(0, index).filter(({ kind }) => kind === probe.kind).length <
      MOST_OF_KIND[probe.kind],
  );
}

/** Which file: one that a line is from which the next calls replace or read again. */
function fileProbes(
  { past, older, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly Probe[] {
  const pathsOf = new Map<string, Set<string>>();
  for (const { text, path } of resultLines(past)) {
    if (path === undefined) continue;
    pathsOf.set(text, (pathsOf.get(text) ?? new Set()).add(path));
  }
  const known = new Set(resultLines(older).map(({ text }) => text));
  const asked = new Set<string>();
  return next.flatMap(callsOf).flatMap((call): readonly Probe[] => {
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
    return [{ kind: 'file', question, truth }];
  });
}

/** The values that the next replies say, in order; no prompt says them, and they are no files. */
function valuesNeeded(
  { prompts, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const said = next.flatMap((reply) => valuesIn(wordsOfReply(reply)));
  return notTold(said, prompts, names).slice(0, MOST_VALUES);
}

/** Each value once that no prompt says and that names no file. */
function notTold(
  values: readonly string[],
  prompts: readonly string[],
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const told = new Set(prompts.flatMap(valuesIn));
  const files = [...names.keys()];
  return [...new Set(values)].filter(
    (value) => !told.has(value) && !files.some((path) => path.endsWith(value)),
  );
}

/** Which value: a name or number of an earlier result that a reply goes on to say. */
function valueProbes({ past, older }: RecordedMoment, values: readonly string[]): readonly Probe[] {
  const lines = new Set(resultLines(past).map(({ text }) => text));
  const newest = resultLines(past.slice(older.length)).map(({ text }) => text);
  const inSight = wordsIn(newest.join('\n'));
  return gaps(
    [...lines].toReversed(),
    values.filter((value) => !inSight.has(value)),
    lines,
    ({ gapped, truth }) => ({
      kind: 'value',
      question: `A result of a call in this session has this line, but for the gap:\n\n${gapped}\n\nWhat stands in the place of ${GAP}? Answer with that alone.`,
      truth,
    }),
  );
}

/** Which decision: what the agent said it would do or not do, what it goes on to name first. */
function decisionProbes(
  { prompts, past, older }: RecordedMoment,
  values: readonly string[],
  names: ReadonlyMap<string, string>,
): readonly Probe[] {
  const sentences = new Set(past.flatMap((reply) => sentencesIn(saidIn(reply))));
  const newestFirst = older.flatMap((reply) => sentencesIn(saidIn(reply))).toReversed();
  const decided = [DECISION, INTENTION].flatMap((form) =>
    newestFirst.filter((sentence) => form.test(sentence)),
  );
  const named = notTold(decided.flatMap(valuesIn), prompts, names);
  return gaps(decided, [...new Set([...values, ...named])], sentences, ({ gapped, truth }) => ({
    kind: 'decision',
    question: `You said this earlier in this session, but for the gap:\n\n${gapped}\n\nWhat stands in the place of ${GAP}? Answer with that alone.`,
    truth,
  }));
}

/** Puts each value into a gap of the first line that takes one; a line is used once. */
function gaps(
  lines: readonly string[],
  values: readonly string[],
  all: ReadonlySet<string>,
  probeOf: (made: { readonly gapped: string; readonly truth: string }) => Probe,
): readonly Probe[] {
  const askable = lines.filter(isAskable);
  const used = new Set<string>();
  const probes: Probe[] = [];
  for (const truth of values) {
    for (const line of askable) {
      if (used.has(line) || !line.includes(truth)) continue;
      const gapped = clozeOf(line, truth, all);
      if (gapped === undefined) continue;
      used.add(line);
      probes.push(probeOf({ gapped, truth }));
      break;
    }
    if (probes.length >= Math.max(MOST_OF_KIND.value, MOST_OF_KIND.decision)) break;
  }
  return probes;
}

/** What next: the file or the program of the next call, where the recording had named it by then. */
function nextProbes(
  { prompts, past, next }: RecordedMoment,
  names: ReadonlyMap<string, string>,
): readonly Probe[] {
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
  const known = [
    ...prompts,
    ...past.map(wordsOfReply),
    ...usesIn(past).flatMap((use) => pathOf(use) ?? []),
    ...past.flatMap(({ results }) => results.map(({ text }) => text)),
  ];
  if (!known.some((text) => statesTruth(truth, text))) return [];
  const question = `What is your very next call for the task? Answer with the ${path === undefined ? 'shell command it runs' : 'path of the file it names'}, nothing else.`;
  return [{ kind: 'next', question, truth }];
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

/** Long enough to say where it is from, and short enough for a question. */
function isAskable(line: string): boolean {
  return line.length >= SHORTEST_LINE && line.length <= LONGEST_LINE;
}
