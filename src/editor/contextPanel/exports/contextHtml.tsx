import type { ComponentChildren } from 'preact';
import { type Balance, type Category, type ContextView, estimatesIn } from '../state';
import { STATE_NAMES } from '../shownNames';
import { exportedPage } from './exportedPage';
import type { TimelineView } from '../timeline/state';
import {
  type AccountRow,
  accountRows,
  blocksShown,
  choiceWords,
  eventfulPoints,
  type Exported,
  fillOf,
  fillWords,
  headWords,
  number,
  passWords,
  rowWords,
  scratchpadRows,
  sourceWords,
  timelineWords,
  tokens,
  weightWords,
} from './viewRows';
import { TimelinePictures } from './timelinePictures';

/** Writes the Context panel as one HTML page. */
export function contextHtml(exported: Exported): string {
  return exportedPage({
    title: `Context window: ${exported.view.title}`,
    style: PAGE_STYLE,
    children: (
      <>
        <Content exported={exported} />
        <p class="quiet">
          ≈ marks an estimate. Written by Plimsoll; it has labels, numbers and the agent's notes,
          but no text of blocks.
        </p>
      </>
    ),
  });
}

function Content({ exported }: { readonly exported: Exported }) {
  const { view, timeline } = exported;
  const { balance, blocks, passes, travel } = view;
  const rows = accountRows(balance, estimatesIn(blocks));
  const source = sourceWords(view);
  const choice = choiceWords(exported);
  return (
    <>
      <p class="quiet">{headWords(view).join(' · ')}</p>
      {source.length > 0 && (
        <div class="notice">
          {source.map((line) => (
            <p>{line}</p>
          ))}
        </div>
      )}
      <p>{fillWords(view)}.</p>
      <WindowBar balance={balance} rows={rows} />
      <AccountTable rows={rows} contextWindowTokens={balance.contextWindowTokens} />
      <h2>Timeline</h2>
      {timeline.points.length === 0 ? (
        <p>The timeline begins with the first step.</p>
      ) : (
        <Timeline timeline={timeline} at={travel.at} />
      )}
      <h2>Blocks</h2>
      {choice !== undefined && <p>{choice}</p>}
      <Table heads={['Turn', 'Step', 'Block', ['Tokens'], 'State']}>
        {blocksShown(exported).map((block) => (
          <BlockRow block={block} />
        ))}
      </Table>
      <h2>Passes</h2>
      {passes.length === 0 ? <p>No pass has run.</p> : <PassTable passes={passes} />}
      {view.losses !== undefined && <Losses losses={view.losses} />}
      <h2>The agent’s notes</h2>
      <ScratchpadTable rows={scratchpadRows(view)} />
    </>
  );
}

interface TableProps {
  /** Column headings; brackets mark a column of numbers. */
  readonly heads: readonly (string | readonly [string])[];
  readonly children: ComponentChildren;
}

function Table({ heads, children }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) =>
            typeof head === 'string' ? <th>{head}</th> : <th class="n">{head[0]}</th>,
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface AccountTableProps {
  readonly rows: readonly AccountRow[];
  readonly contextWindowTokens: number;
}

function AccountTable({ rows, contextWindowTokens }: AccountTableProps) {
  return (
    <Table heads={['Part', ['Tokens']]}>
      {rows.map((row) => (
        <tr>
          <td>
            <Swatch row={row} />
            {row.name}
          </td>
          <td class="n">{rowWords(row)}</td>
        </tr>
      ))}
      <tr>
        <th>Context window</th>
        <th class="n">{number(contextWindowTokens)}</th>
      </tr>
    </Table>
  );
}

interface TimelineProps {
  readonly timeline: TimelineView;
  readonly at: number | 'now';
}

function Timeline({ timeline, at }: TimelineProps) {
  const events = eventfulPoints(timeline);
  return (
    <>
      <p>{timelineWords({ timeline })}</p>
      <TimelinePictures points={timeline.points} at={at} />
      {events.length > 0 && (
        <Table heads={[['Step'], ['Tokens'], 'Events before or in the step']}>
          {events.map((point) => (
            <tr>
              <td class="n">{point.step}</td>
              <td class="n">{tokens({ tokens: fillOf(point), exact: point.exact })}</td>
              <td>{point.marks.map(({ words }) => words).join(' · ')}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function BlockRow({ block }: { readonly block: ContextView['blocks'][number] }) {
  const { turn, step, label, reason, state, pinned, category } = block;
  return (
    <tr class={category === undefined ? 'out' : undefined}>
      <td class="n">{turn}</td>
      <td class="n">{step}</td>
      <td>
        <span class="label">{label}</span>
        <br />
        <span class="reason">{reason}</span>
      </td>
      <td class="n">{weightWords(block)}</td>
      <td>{pinned ? `${STATE_NAMES[state]}, pinned` : STATE_NAMES[state]}</td>
    </tr>
  );
}

function PassTable({ passes }: Pick<ContextView, 'passes'>) {
  return (
    <Table heads={['Pass or change', ['Before'], ['After'], ['Changed'], 'Price']}>
      {passes.map((pass) => (
        <tr>
          <td>{passWords(pass)}</td>
          <td class="n">{tokens(pass.before)}</td>
          <td class="n">{tokens(pass.after)}</td>
          <td class="n">{pass.changed}</td>
          <td>{pass.price?.text}</td>
        </tr>
      ))}
    </Table>
  );
}

/** What the recorded agent's own compactions lost. */
function Losses({ losses }: { readonly losses: NonNullable<ContextView['losses']> }) {
  return (
    <>
      <h2>The recorded agent’s own compactions</h2>
      {losses.cards.map(({ name, beforeStep, size, sentences, neededText, needed }) => (
        <>
          <h3>
            {name} before step {number(beforeStep)}: {size}
          </h3>
          <p>{[...sentences, neededText].join(' ')}</p>
          <ul>
            {needed.map(({ text }) => (
              <li>{text}</li>
            ))}
          </ul>
        </>
      ))}
      <p class="quiet">{losses.limits}</p>
    </>
  );
}

function ScratchpadTable({ rows }: { readonly rows: ReturnType<typeof scratchpadRows> }) {
  if (rows.length === 0) return <p>The agent has written no notes.</p>;
  return (
    <table>
      <tbody>
        {rows.map(([field, note]) => (
          <tr>
            <th>{field}</th>
            <td>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The style of an exported page. It has no address, so the page loads nothing. */
const PAGE_STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.bar { position: relative; height: 2rem; border: 1px solid #8888; border-radius: 3px; overflow: hidden; }
.piece, .line, .foot { position: absolute; top: 0; bottom: 0; display: block; }
.rest { background: repeating-linear-gradient(135deg, #8883 0 4px, transparent 4px 8px); }
.over { background: repeating-linear-gradient(135deg, #c33 0 4px, #c333 4px 8px); }
.foot { top: auto; left: 0; height: 5px; }
.foot, .swatch.estimated { background: repeating-linear-gradient(90deg, #fff 0 3px, #000 3px 6px); }
.line { width: 0; margin-left: -1px; border-left: 2px solid currentColor; }
.line.low { border-left-style: dashed; } .line.budget { border-left: 4px double currentColor; }
.key { margin: .4rem 0; font-size: .9em; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .45em; vertical-align: -.05em; }
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown, .swatch.recorded, .swatch.estimated { width: 1.6em; }
.swatch.low, .swatch.high, .swatch.budget, .swatch.mark, .swatch.shown, .swatch.recorded { height: 0; border-top: 2px solid currentColor; vertical-align: .25em; }
.swatch.low { border-top-style: dashed; } .swatch.budget { border-top: 4px double currentColor; }
.swatch.mark { border-top-style: dotted; } .swatch.shown { border-top-width: 5px; } .swatch.recorded { border-top-width: 3px; }
svg { display: block; width: 100%; border: 1px solid #8888; box-sizing: border-box; }
svg polyline, svg line { fill: none; stroke: currentColor; stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .low { stroke-dasharray: 6 4; } svg .budget { stroke-width: 2; } svg .recorded { stroke-width: 3; }
svg .mark { stroke-dasharray: 1 2; stroke-width: 2; } svg .shown { stroke-width: 4; }
svg .estimated { stroke-width: 3; stroke-dasharray: 3 3; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.out .label { text-decoration: line-through; }
.reason, .quiet { opacity: .75; }
.notice { border-left: 4px solid #8888; padding-left: .8rem; }
`;

/** Colours of the used parts; free, reserved and overdrawn parts have a pattern. */
const COLOURS: Readonly<Record<Category, string>> = {
  tools: '#6d7a8a',
  system: '#8c7bbd',
  unrecorded: '#8a8f6a',
  scratchpad: '#c77dbb',
  anchor: '#d9b46a',
  rules: '#c98d4e',
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

/** Draws the context window to scale, crossed by the watermarks and the budget. */
function WindowBar({ balance, rows }: WindowBarProps) {
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
    // An overdrawn part covers the end of the used parts.
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

/** The swatch of a part in the key. */
function Swatch({ row }: { readonly row: AccountRow }) {
  return <span class={`swatch${lookOf(row)}`} style={colourOf(row)} />;
}

interface PieceProps {
  readonly row: AccountRow;
  /** Where it begins and how wide the bar is; tokens. */
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
      style={{ ...place, ...colourOf(row) }}
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

function colourOf({ category }: AccountRow): { readonly background?: string } {
  return category === undefined ? {} : { background: COLOURS[category] };
}

function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(4))}%`;
}
