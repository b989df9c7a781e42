import { amountText, tokenText } from '../../../contextWindow/amount';
import type { ComponentChildren } from 'preact';
import { type Balance, type ContextView, estimatesIn } from '../state';
import { STATE_NAMES } from '../shownNames';
import { CATEGORY_COLOURS, exportedPage, PAGE_STYLE } from './exportedPage';
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
  passWords,
  rowWords,
  scratchpadRows,
  sourceWords,
  timelineWords,
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
        <th class="n">{tokenText(contextWindowTokens)}</th>
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
              <td class="n">{amountText({ tokens: fillOf(point), exact: point.exact })}</td>
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
          <td class="n">{amountText(pass.before)}</td>
          <td class="n">{amountText(pass.after)}</td>
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
            {name} before step {tokenText(beforeStep)}: {size}
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
  ].map((line) => ({ ...line, words: `${line.name} ${tokenText(line.at)}` }));
  let filled = 0;
  const pieces = rows.map((row) => {
    // An overdrawn part covers the end of the used parts.
    const start = Math.min(filled, filled + row.tokens);
    filled += row.tokens;
    return <Piece row={row} start={start} scale={scale} />;
  });
  const words = [
    ...rows.map((row) => `${row.name} ${rowWords(row)}`),
    ...lines.map(({ name, at }) => `${name} at ${tokenText(at)}`),
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
  return category === undefined ? {} : { background: CATEGORY_COLOURS[category] };
}

function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(4))}%`;
}
