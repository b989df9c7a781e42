import type { Balance } from '../../../protocol/contextPanel';
import { escapeHtml } from './escapeHtml';
import { number, rowWords, type AccountRow } from './viewRows';

/** The colours of what fills the window; what is free, over or reserved has a pattern. */
const COLOURS: Readonly<Record<string, string>> = {
  Tools: '#6d7a8a',
  'System prompt': '#8c7bbd',
  'Not in the recording': '#9aa3ad',
  Scratchpad: '#c77dbb',
  'Task anchor': '#d9b46a',
  Summary: '#b58a5b',
  Archive: '#3f6b8f',
  Working: '#4fa3d4',
};

/** Draws the context window to scale, with the watermarks and the budget across it. */
export function windowBar(balance: Balance, rows: readonly AccountRow[]): string {
  const { contextWindowTokens, used, inputBudget, highTokens, lowTokens } = balance;
  const scale = Math.max(1, contextWindowTokens, used.tokens);
  const lines = [
    { look: 'low', name: 'low watermark', at: lowTokens },
    { look: 'high', name: 'high watermark', at: highTokens },
    { look: 'budget', name: 'input budget', at: inputBudget },
    ...(scale > contextWindowTokens
      ? [{ look: 'budget', name: 'end of the context window', at: contextWindowTokens }]
      : []),
  ];
  let filled = 0;
  const pieces = rows.map((row) => {
    // What is over the budget lies over the end of what is used.
    const start = Math.min(filled, filled + row.tokens);
    filled += row.tokens;
    return piece(row, start, scale);
  });
  const words = [
    ...rows.map((row) => `${row.name} ${rowWords(row)}`),
    ...lines.map(({ name, at }) => `${name} at ${number(at)}`),
  ];
  return `<div class="bar" role="img" aria-label="${escapeHtml(words.join('; '))}">
${pieces.join('\n')}
${lines.map(({ look, name, at }) => `<span class="line ${look}" style="left:${percent(at, scale)}" title="${name} ${number(at)}"></span>`).join('\n')}
</div>
<p class="key">${lines.map(({ look, name, at }) => `<span><span class="swatch ${look}"></span>${name} ${number(at)}</span>`).join(' ')} <span><span class="swatch estimated"></span>estimated share</span></p>`;
}

/** The sign of a part in the key; '' for one that has none. */
export function swatch({ name, tokens }: Pick<AccountRow, 'name' | 'tokens'>): string {
  return `<span class="swatch${lookOf(tokens, name)}"${styleOf(name)}></span>`;
}

function piece(row: AccountRow, start: number, scale: number): string {
  const { name, tokens, estimated } = row;
  const isFill = COLOURS[name] !== undefined;
  const share = tokens <= 0 || !isFill ? 0 : estimated / tokens;
  const foot = share === 0 ? '' : `<span class="foot" style="width:${percent(share, 1)}"></span>`;
  const place = `left:${percent(start, scale)};width:${percent(Math.abs(tokens), scale)}`;
  return `<span class="piece${lookOf(tokens, name)}" style="${place}${fillOf(name)}" title="${name} ${rowWords(row)}">${foot}</span>`;
}

function lookOf(tokens: number, name: string): string {
  if (tokens < 0) return ' over';
  return COLOURS[name] === undefined ? ' rest' : '';
}

function styleOf(name: string): string {
  return COLOURS[name] === undefined ? '' : ` style="${fillOf(name).slice(1)}"`;
}

function fillOf(name: string): string {
  const colour = COLOURS[name];
  return colour === undefined ? '' : `;background:${colour}`;
}

function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(4))}%`;
}
