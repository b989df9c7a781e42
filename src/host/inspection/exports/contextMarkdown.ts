import type { ContextView } from '../../../protocol/contextPanel';
import {
  accountRows,
  fillWords,
  momentWords,
  number,
  passWords,
  tokens,
  weightWords,
} from './viewRows';

/** Writes what the Context panel shows as Markdown; labels and numbers, no text of blocks. */
export function contextMarkdown(view: ContextView): string {
  const { title, model, windowSource, policy, balance, blocks, passes, scratchpad } = view;
  const notes = [
    ['Objective', scratchpad.objective],
    ['Key facts', scratchpad.keyFacts.join('; ')],
    ['Decisions', scratchpad.decisions.join('; ')],
    ['Current step', scratchpad.currentStep],
    ['Blockers', scratchpad.blockers.join('; ')],
  ].filter(([, text]) => text !== '');
  return `${[
    `# Context window: ${inline(title)}`,
    `${momentWords(view)} · ${inline(model)} · window ${inline(windowSource)} · policy ${inline(policy)}`,
    `${fillWords(view)}.`,
    table(
      ['Part', 'Tokens'],
      [
        ...accountRows(balance).map((row) => [row.name, number(row.tokens)]),
        ['Context window', number(balance.contextWindowTokens)],
      ],
    ),
    '## Blocks',
    table(
      ['Turn', 'Step', 'Block', 'Tokens', 'State', 'Reason'],
      blocks.map((block) => [
        String(block.turn),
        block.step === undefined ? '' : String(block.step),
        block.label,
        weightWords(block),
        `${block.state}${block.pinned ? ', pinned' : ''}`,
        block.reason,
      ]),
    ),
    '## Passes',
    passes.length === 0
      ? 'No pass has run.'
      : table(
          ['Pass', 'Before', 'After', 'Changed', 'Kept', 'Prefix written again'],
          passes.map((pass) => [
            passWords(pass),
            tokens(pass.before),
            tokens(pass.after),
            String(pass.changed),
            String(pass.kept),
            number(pass.rewrittenTokens),
          ]),
        ),
    ...(notes.length === 0 ? [] : ['## Scratchpad', table(['Field', 'Text'], notes)]),
    '≈ marks an estimate.',
  ].join('\n\n')}\n`;
}

/** A Markdown table; what would end a cell or begin markup is escaped. */
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

/** Text of a session on one line, its markup taken for what it is: text. */
export function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>|#&~$]/g, (mark) => `\\${mark}`);
}
