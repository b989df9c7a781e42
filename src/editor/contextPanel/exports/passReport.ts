import { excerptsSizeText } from '../../../contextWindow/files/regions';
import type { ContextView } from '../state';
import type { DecisionView, PassView } from '../ledger/state';
import { guess, number, passWords, sourceWords, tokens } from './viewRows';

/** Writes one pass so that it can be put into an issue: numbers and reasons, no text of blocks. */
export function passReport(
  view: Pick<ContextView, 'model' | 'windowSource' | 'balance' | 'source' | 'policy'>,
  pass: PassView,
  decisions: readonly DecisionView[],
): string {
  const { before, after, target, rewrittenTokens, breakEvenRequests, measured, shows } = pass;
  const changed = decisions.filter(({ action }) => action !== 'keep');
  const kept = decisions.filter(({ action }) => action === 'keep');
  const facts: (readonly [string, string])[] = [
    ['Model', view.model],
    ['Context window', `${number(view.balance.contextWindowTokens)} tokens, ${view.windowSource}`],
    ['Input budget', number(pass.inputBudget)],
    ['High watermark', number(pass.highTokens)],
    ['Before', tokens(before)],
    ['Target', number(target)],
    ['After', tokens(after)],
    ['Freed', tokens({ tokens: before.tokens - after.tokens, exact: before.exact && after.exact })],
    ['Prefix written again', guess(rewrittenTokens)],
    [
      'Pays back after',
      breakEvenRequests === null ? 'never' : `${guess(breakEvenRequests)} requests`,
    ],
    ...(shows === undefined
      ? []
      : ([
          ['Shown of files', `${excerptsSizeText(shows)}, ${guess(shows.tokens)} tokens`],
        ] as const)),
    ...(measured === undefined
      ? []
      : ([
          [
            'Next request, as reported',
            `${number(measured.cacheRead)} read from the cache, ${number(measured.cacheWrite)} written`,
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
    '≈ marks an estimate. Names of files and commands are as the session has them: read this before you share it.',
  ].join('\n\n')}\n`;
}

function decisionTable(decisions: readonly DecisionView[]): string {
  if (decisions.length === 0) return 'Nothing.';
  return table(
    ['Block', 'Action', 'Before', 'After', 'Reason'],
    decisions.map(({ label, action, before, after, reason }) => [
      label,
      action,
      tokens(before),
      tokens(after),
      reason,
    ]),
  );
}

/** One paragraph that begins with our own words, since text of a session could begin a list. */
function sourceParagraph(view: Parameters<typeof sourceWords>[0]): readonly string[] {
  const words = sourceWords(view);
  return words.length === 0 ? [] : [inline(words.join(' '))];
}

/** Writes a Markdown table; anything that would end a cell or begin markup is escaped. */
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

/** Takes no room; a name, number or address with it inside is not recognised as one. */
const BREAK = '\u200B';

/**
 * Writes text of a session on one line, with its markup escaped. A backslash does not stop a forge
 * from notifying `@name` or linking `#12`, so these are broken up.
 */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/@|#(?=\d)|\bGH-(?=\d)|:\/(?=\/)/gi, (sign) => `${sign}${BREAK}`)
    .replace(/[\\`*_{}[\]<>|#&~$]/g, (mark) => `\\${mark}`);
}
