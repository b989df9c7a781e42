import { amountText, marked, tokenText } from '../../../contextWindow/amount';
import { excerptsSizeText } from '../../../contextWindow/files/regions';
import type { ContextView } from '../state';
import type { DecisionView, PassView } from '../ledger/state';
import { ACTION_NAMES } from '../shownNames';
import { passWords, sourceWords } from './viewRows';

/** Writes a report of one pass for an issue: numbers and reasons, no text of blocks. */
export function passReport(
  view: Pick<ContextView, 'model' | 'windowSource' | 'balance' | 'source' | 'policy'>,
  pass: PassView,
  decisions: readonly DecisionView[],
): string {
  const { before, after, target, price, measured, shows } = pass;
  const changed = decisions.filter(({ action }) => action !== 'keep');
  const kept = decisions.filter(({ action }) => action === 'keep');
  const facts: (readonly [string, string])[] = [
    ['Model', view.model],
    [
      'Context window',
      `${tokenText(view.balance.contextWindowTokens)} tokens, ${view.windowSource}`,
    ],
    ['Input budget', tokenText(pass.inputBudget)],
    ['High watermark', tokenText(pass.highTokens)],
    ['Before', amountText(before)],
    ['Target', tokenText(target)],
    ['After', amountText(after)],
    [
      'Freed',
      amountText({ tokens: before.tokens - after.tokens, exact: before.exact && after.exact }),
    ],
    ...(pass.counted === undefined ? [] : ([['Counted', pass.counted.text]] as const)),
    ...(price === undefined ? [] : ([['Price', price.text]] as const)),
    ...(shows === undefined
      ? []
      : ([
          [
            'Excerpts shown',
            `${excerptsSizeText(shows)}, ${marked(tokenText(shows.tokens))} tokens`,
          ],
        ] as const)),
    ...(measured === undefined
      ? []
      : ([
          [
            'Next request, as reported',
            `${tokenText(measured.cacheRead)} read from the cache, ${tokenText(measured.cacheWrite)} written`,
          ],
        ] as const)),
  ];
  return `${[
    `# ${passWords(pass)}`,
    ...sourceParagraph(view),
    table(['', ''], facts),
    `## What it changed (${changed.length})`,
    decisionTable(changed),
    `## What it kept (${kept.length})`,
    decisionTable(kept),
    '≈ marks an estimate. The report names files and commands as they are in the session: read it before you share it.',
  ].join('\n\n')}\n`;
}

function decisionTable(decisions: readonly DecisionView[]): string {
  if (decisions.length === 0) return 'Nothing.';
  return table(
    ['Block', 'Action', 'Before', 'After', 'Reason'],
    decisions.map(({ label, action, before, after, reason }) => [
      label,
      ACTION_NAMES[action],
      amountText(before),
      amountText(after),
      reason,
    ]),
  );
}

/** A paragraph that begins with our own words: text of a session could start a list. */
function sourceParagraph(view: Parameters<typeof sourceWords>[0]): readonly string[] {
  const words = sourceWords(view);
  return words.length === 0 ? [] : [inline(words.join(' '))];
}

/** Writes a Markdown table; escapes anything that would end a cell or begin markup. */
function table(
  heads: readonly string[],
  rows: readonly (readonly (string | undefined)[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map((cells) => line(cells.map((cell = '') => inline(cell)))),
  ].join('\n');
}

/** Has no width; forges do not recognise a name, number or address that contains it. */
const BREAK = '\u200B';

/**
 * Writes text of a session on one line, with its markup escaped. A backslash does not stop a forge
 * from notifying `@name` or linking `#12`, so this breaks them up.
 */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/@|#(?=\d)|\bGH-(?=\d)|:\/(?=\/)/gi, (sign) => `${sign}${BREAK}`)
    .replace(/[\\`*_{}[\]<>|#&~$]/g, (mark) => `\\${mark}`);
}
