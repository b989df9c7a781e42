import type { LifeMoment, LifeView, Seen } from '../../../src/editor/contextPanel/blocks/state';
import type {
  ChoiceState,
  FileChoice,
  Lines,
  ShownRegionView,
  ShownSizeView,
} from '../../../src/editor/contextPanel/files/state';
import { ESTIMATE_MARK, formatNumber } from '../../kit/tokens';
import { formatCount } from '../parts/format';

/** "120 lines of 3 files". */
export function linesOfFilesWords({
  lines,
  files,
}: Pick<ShownSizeView, 'lines' | 'files'>): string {
  return `${formatCount(lines, 'line')} of ${formatCount(files, 'file')}`;
}

/** "Shows 120 lines of 3 files: ≈ 1,940 tokens". */
export function showsWords(shows: ShownSizeView): string {
  return `Shows ${linesOfFilesWords(shows)}: ${ESTIMATE_MARK}\u00a0${formatNumber(shows.tokens)} tokens`;
}

/** What is said of a plan that could not read the files. */
export const FILES_BY_LOG =
  'Worked out from what the log knows of the files. A pass of the agent reads them from disk.';

/** Names where a region stands: "lines 10–22", "12 lines". */
export function rangeWords({ range, lines }: Pick<ShownRegionView, 'range' | 'lines'>): string {
  return range === undefined
    ? `${formatCount(lines, 'line')}, numbers not known`
    : linesWords(range);
}

/** "lines 10–22", "line 7". */
export function linesWords({ first, last }: Lines): string {
  return first === last
    ? `line ${formatNumber(first)}`
    : `lines ${formatNumber(first)}–${formatNumber(last)}`;
}

/** Says what holds for lines, and from when on; '' where the passes decide. */
export function choiceWords(choice: FileChoice, state: ChoiceState): string {
  switch (choice) {
    case 'auto':
      return '';
    case 'never':
      return 'You said: never show it. Passes leave it out from now on.';
    case 'always':
      return `You said: always show it. ${WHEN[state]}`;
  }
}

const WHEN: Readonly<Record<ChoiceState, string>> = {
  shown: 'The window shows it now.',
  nextPass: 'It comes with the next pass, as far as there is room.',
  off: 'Passes show no files under these settings.',
};

/** Says how much of something the model sees. */
export function seenWords(seen: Seen): string {
  switch (seen) {
    case 'whole':
      return 'in the window';
    case 'part':
      return 'in the window in part';
    case 'told':
      return 'told of by a summary';
    case 'nothing':
      return 'not in the window';
  }
}

/** Says what happened, and at which step: "step 9: read (≈ 1,037 tokens)". */
export function momentWords({ step, kind, words }: LifeMoment): string {
  const when = kind === 'used' || kind === 'again' ? 'step' : 'before step';
  return `${when} ${formatNumber(step)}: ${words}`;
}

/** Tells a whole life for those who do not see it. */
export function lifeWords({ title, moments, spans }: LifeView): string {
  const now = spans.at(-1)?.seen ?? 'nothing';
  return `${title}: ${[...moments.map(momentWords), `now ${seenWords(now)}`].join('; ')}`;
}
