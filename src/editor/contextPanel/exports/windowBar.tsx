import type { Balance, Category } from '../state';
import { number, rowWords, type AccountRow } from './viewRows';

/** The colours of what fills the window; free, reserved and overdrawn parts have a pattern. */
const COLOURS: Readonly<Record<Category, string>> = {
  tools: '#6d7a8a',
  system: '#8c7bbd',
  unrecorded: '#8a8f6a',
  scratchpad: '#c77dbb',
  anchor: '#d9b46a',
  summary: '#b58a5b',
  gapLines: '#6a7f8c',
  excerpts: '#7aa35c',
  archive: '#3f6b8f',
  working: '#4fa3d4',
};

interface WindowBarProps {
  readonly balance: Balance;
  readonly rows: readonly AccountRow[];
}

/** Draws the context window to scale, with the watermarks and the budget across it. */
export function WindowBar({ balance, rows }: WindowBarProps) {
  const { contextWindowTokens, used, inputBudget, highTokens, lowTokens } = balance;
  const scale = Math.max(1, contextWindowTokens, used.tokens);
  const lines = [
    { look: 'low', name: 'low watermark', at: lowTokens },
    { look: 'high', name: 'high watermark', at: highTokens },
    { look: 'budget', name: 'input budget', at: inputBudget },
    ...(scale > contextWindowTokens
      ? [{ look: 'budget', name: 'end of the context window', at: contextWindowTokens }]
      : []),
  ].map((line) => ({ ...line, words: `${line.name} ${number(line.at)}` }));
  let filled = 0;
  const pieces = rows.map((row) => {
    // A part over the budget covers the end of the used parts.
    const start = Math.min(filled, filled + row.tokens);
    filled += row.tokens;
    return <Piece row={row} start={start} scale={scale} />;
  });
  const words = [
    ...rows.map((row) => `${row.name} ${rowWords(row)}`),
    ...lines.map(({ name, at }) => `${name} at ${number(at)}`),
  ];
  return (
    <>
      <div class="bar" role="img" aria-label={words.join('; ')}>
        {pieces}
        {lines.map(({ look, words: title, at }) => (
          <span class={`line ${look}`} style={{ left: percent(at, scale) }} title={title} />
        ))}
      </div>
      <p class="key">
        {lines.map((line) => (
          <span>
            <span class={`swatch ${line.look}`} />
            {line.words}
          </span>
        ))}
        <span>
          <span class="swatch estimated" />
          estimated share
        </span>
      </p>
    </>
  );
}

/** The sign of a part in the key. */
export function Swatch({ row }: { readonly row: AccountRow }) {
  return <span class={`swatch${lookOf(row)}`} style={fillOf(row)} />;
}

interface PieceProps {
  readonly row: AccountRow;
  /** Where it begins, and how wide the bar is; tokens. */
  readonly start: number;
  readonly scale: number;
}

function Piece({ row, start, scale }: PieceProps) {
  const { category, name, tokens, estimated } = row;
  const share = category === undefined || tokens <= 0 ? 0 : estimated / tokens;
  const place = { left: percent(start, scale), width: percent(Math.abs(tokens), scale) };
  return (
    <span
      class={`piece${lookOf(row)}`}
      style={{ ...place, ...fillOf(row) }}
      title={`${name} ${rowWords(row)}`}
    >
      {share > 0 && <span class="foot" style={{ width: percent(share, 1) }} />}
    </span>
  );
}

function lookOf({ category, tokens }: AccountRow): string {
  if (tokens < 0) return ' over';
  return category === undefined ? ' rest' : '';
}

function fillOf({ category }: AccountRow): { readonly background?: string } {
  return category === undefined ? {} : { background: COLOURS[category] };
}

function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(4))}%`;
}
