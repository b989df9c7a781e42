import { estimatesIn } from '../state';
import {
  blocksShown,
  choiceWords,
  eventfulPoints,
  fillOf,
  timelineWords,
  type Exported,
} from './exported';
import {
  accountRows,
  fillWords,
  guess,
  headWords,
  scratchpadRows,
  number,
  passWords,
  rowWords,
  sourceWords,
  tokens,
  weightWords,
} from './viewRows';

/**
 * Writes what the Context panel shows as Markdown: labels, numbers and the scratchpad, no text of
 * blocks.
 */
export function contextMarkdown(exported: Exported): string {
  const { view, timeline } = exported;
  const { title, balance, blocks, passes } = view;
  const noted = scratchpadRows(view);
  const choice = choiceWords(exported);
  const events = eventfulPoints(timeline);
  return `${[
    `# Context window: ${inline(title)}`,
    headWords(view).map(inline).join(' · '),
    ...sourceParagraph(view),
    `${fillWords(view)}.`,
    table(
      ['Part', 'Tokens'],
      [
        ...accountRows(balance, estimatesIn(blocks)).map((row) => [row.name, rowWords(row)]),
        ['Context window', number(balance.contextWindowTokens)],
      ],
    ),
    '## Timeline',
    inline(timelineWords(exported)),
    ...(events.length === 0
      ? []
      : [
          table(
            ['Step', 'Tokens', 'What happened before or in it'],
            events.map((point) => [
              String(point.step),
              tokens({ tokens: fillOf(point), exact: point.exact }),
              point.marks.map(({ words }) => words).join(' · '),
            ]),
          ),
        ]),
    '## Blocks',
    ...(choice === undefined ? [] : [inline(choice)]),
    table(
      ['Turn', 'Step', 'Block', 'Tokens', 'State', 'Reason'],
      blocksShown(exported).map((block) => [
        String(block.turn),
        block.step === undefined ? '' : String(block.step),
        block.label,
        weightWords(block),
        `${block.state}${block.pinned ? ', pinned' : ''}`,
        block.reason,
      ]),
    ),
    '## Passes and changes by hand',
    passes.length === 0
      ? 'No pass has run.'
      : table(
          ['Pass or change', 'Before', 'After', 'Changed', 'Kept', 'Prefix written again'],
          passes.map((pass) => [
            passWords(pass),
            tokens(pass.before),
            tokens(pass.after),
            String(pass.changed),
            String(pass.kept),
            guess(pass.rewrittenTokens),
          ]),
        ),
    ...(noted.length === 0 ? [] : ['## The agent’s notes', table(['Field', 'Text'], noted)]),
    '≈ marks an estimate.',
  ].join('\n\n')}\n`;
}

/** One paragraph that begins with our own words, since text of a session could begin a list. */
export function sourceParagraph(view: Parameters<typeof sourceWords>[0]): readonly string[] {
  const words = sourceWords(view);
  return words.length === 0 ? [] : [inline(words.join(' '))];
}

/** Writes a Markdown table; anything that would end a cell or begin markup is escaped. */
export function table(
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
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/@|#(?=\d)|\bGH-(?=\d)|:\/(?=\/)/gi, (sign) => `${sign}${BREAK}`)
    .replace(/[\\`*_{}[\]<>|#&~$]/g, (mark) => `\\${mark}`);
}
