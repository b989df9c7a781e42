/** What is asked of a window: all of it stands in the recording, so no model makes or judges it. */
export const PROBE_KINDS = ['file', 'value', 'decision', 'next'] as const;

export type ProbeKind = (typeof PROBE_KINDS)[number];

/** One question with its answer. */
export interface Probe {
  readonly kind: ProbeKind;
  readonly question: string;
  /** What the answer must contain; it stands in the recording, and not in the question. */
  readonly truth: string;
}

/** The questions that are asked of one window. */
export interface ProbedWindow {
  /** The step whose request the window is, counted from 1. */
  readonly step: number;
  readonly probes: readonly Probe[];
}

/** Characters of an answer that are looked at: a longer one could name everything there is. */
const LONGEST_ANSWER = 300;

/** Says whether an answer has the truth in it, as a word of its own. */
export function isRight({ truth }: Probe, answer: string): boolean {
  return statesTruth(truth, normalised(answer).slice(0, LONGEST_ANSWER));
}

/** Says whether a text says the truth of a probe, whatever its case, quotes and white space. */
export function statesTruth(truth: string, text: string): boolean {
  const [sought, said] = [normalised(truth), normalised(text)];
  if (sought === '') return false;
  for (let at = said.indexOf(sought); at !== -1; at = said.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const [before, after] = [said.slice(Math.max(0, at - 2), at), said.slice(end, end + 2)];
    if (!GOES_ON_BEFORE.test(before) && !GOES_ON_AFTER.test(after)) return true;
  }
  return false;
}

/** A longer word or number around what was found: `8080` does not stand in `18080`, nor `1.5` in `1.52`. */
const GOES_ON_BEFORE = /(?:\w|\d[.,:])$/;
const GOES_ON_AFTER = /^(?:\w|[.,:]\d)/;

const QUOTES = /[`"'“”‘’*]/g;

/** One case, `/` in every path, no quotes and single spaces. */
function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(QUOTES, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
