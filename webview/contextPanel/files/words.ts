import { countText, ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type { LifeMoment, LifeView, Seen } from '../../../src/editor/contextPanel/blocks/state';
import type {
  ChoiceState,
  FileChoice,
  Lines,
  ShownRegionView,
  ShownSizeView,
} from '../../../src/editor/contextPanel/files/state';
import { formatNumber } from '../../kit/tokens';

/** "120 lines of 3 files". */
function linesOfFilesWords({ lines, files }: Pick<ShownSizeView, 'lines' | 'files'>): string {
  return `${countText(lines, 'line')} of ${countText(files, 'file')}`;
}

/** "Shows 120 lines of 3 files: ≈ 1,940 tokens". */
export function showsWords(shows: ShownSizeView): string {
  return `Shows ${linesOfFilesWords(shows)}: ${ESTIMATE_MARK}\u00a0${formatNumber(shows.tokens)} tokens`;
}

/** The note on a plan that could not read the files. */
export const FILES_BY_LOG =
  'Planned from the files as the log knows them. A pass of the agent reads them from disk.';

/** Why the excerpts end before their room does. */
export const OMITS_UNLIKELY =
  'The pass omitted other regions: holding them until the next pass costs more than they are likely to save. ' +
  'A file or lines that you always want shown stay.';

/** Names a region: "lines 10–22", "12 lines". */
export function rangeWords({ range, lines }: Pick<ShownRegionView, 'range' | 'lines'>): string {
  return range === undefined
    ? `${countText(lines, 'line')}, line numbers unknown`
    : linesWords(range);
}

/** "lines 10–22", "line 7". */
export function linesWords({ first, last }: Lines): string {
  return first === last
    ? `line ${formatNumber(first)}`
    : `lines ${formatNumber(first)}–${formatNumber(last)}`;
}

/** Says which choice applies to the lines, and from when on; '' if the passes decide. */
export function choiceWords(choice: FileChoice, state: ChoiceState): string {
  switch (choice) {
    case 'auto':
      return '';
    case 'never':
      return 'Your choice: never show it. Passes omit it from now on.';
    case 'always':
      return `Your choice: always show it. ${WHEN[state]}`;
  }
}

const WHEN: Readonly<Record<ChoiceState, string>> = {
  shown: 'The window shows it now.',
  nextPass: 'The next pass adds it, if there is room.',
  off: 'Passes show no excerpts under these settings.',
};

export function seenWords(seen: Seen): string {
  switch (seen) {
    case 'whole':
      return 'in the window';
    case 'part':
      return 'partly in the window';
    case 'summary':
      return 'in a summary';
    case 'nothing':
      return 'not in the window';
  }
}

/** Says what happened, and at which step: "step 9: read (≈ 1,037 tokens)". */
export function momentWords({ step, kind, words }: LifeMoment): string {
  const when = kind === 'used' || kind === 'again' ? 'step' : 'before step';
  return `${when} ${formatNumber(step)}: ${words}`;
}

/** Describes a whole life in words, for screen readers. */
export function lifeWords({ title, moments, spans }: LifeView): string {
  const now = spans.at(-1)?.seen ?? 'nothing';
  return `${title}: ${[...moments.map(momentWords), `now ${seenWords(now)}`].join('; ')}`;
}
