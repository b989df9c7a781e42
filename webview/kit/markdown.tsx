import { Component, type ComponentChildren, type VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { CodeBlock } from './codeBlock';
import { placeOf } from './fileLinks';
import { renderList, renderMarkdown, renderTable, type MarkdownEnv } from './markdownHtml';
import { MarkdownParts, type MarkdownPart } from './markdownParts';
import { ReplyActionsContext } from './replyActions';
import { slicesOf, type Slice } from './slices';
import { formatNumber } from './tokens';

/**
 * Shows untrusted markdown, sanitised. Of a table, a list or code of any size it draws the beginning,
 * and more where one asks for it; while the text grows, what is settled is not drawn again.
 */
export function MarkdownText({ text }: { readonly text: string }): VNode {
  const [reader] = useState(() => new MarkdownParts());
  const parts = useMemo(() => reader.of(text), [reader, text]);
  const actions = useContext(ReplyActionsContext);
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const place = placeOf(link?.getAttribute('href') ?? '');
    if (place === undefined) return;
    event.preventDefault();
    actions?.openFile(place.path, place.line);
  };
  return (
    <div class="markdown" onClick={follow}>
      {parts.map((part, index) => (
        <SettledPart key={`${index} ${part.kind}`} part={part} env={reader.env} />
      ))}
    </div>
  );
}

interface PartProps {
  readonly part: MarkdownPart;
  readonly env: MarkdownEnv;
}

type LongPart = Exclude<MarkdownPart, { readonly kind: 'prose' }>;

/** Draws a part anew only when it is another one. */
class SettledPart extends Component<PartProps> {
  override shouldComponentUpdate(next: PartProps): boolean {
    return next.part !== this.props.part;
  }

  override render({ part, env }: PartProps): VNode {
    if (part.kind === 'prose') return <Html html={renderMarkdown} source={part.source} env={env} />;
    return <LongPartView part={part} env={env} />;
  }
}

/** Draws slices of a long part: one, and one more with each press. */
function LongPartView({
  part,
  env,
}: {
  readonly part: LongPart;
  readonly env: MarkdownEnv;
}): VNode {
  const { units, unsettled = [] } = part;
  const [shown, setShown] = useState(1);
  const slices = slicesOf(units, unsettled, shown);
  const end = slices.at(-1)?.end ?? 0;
  const left = units.length + unsettled.length - end;
  return (
    <div class="markdown-part">
      {drawn(part, slices, env)}
      {left > 0 && (
        <button
          type="button"
          class="plain link small"
          data-testid="markdown-more"
          onClick={() => setShown(shown + 1)}
        >
          Show more ({leftText(part, end)})
        </button>
      )}
    </div>
  );
}

const UNITS = { table: 'row', list: 'item', code: 'line', plain: 'character' } as const;

function leftText({ kind, units, unsettled = [] }: LongPart, end: number): string {
  const left =
    kind === 'plain'
      ? units.slice(end).reduce((sum, { length }) => sum + length, 0)
      : units.length + unsettled.length - end;
  return `${formatNumber(left)} ${UNITS[kind]}${left === 1 ? '' : 's'}`;
}

function drawn(part: LongPart, slices: readonly Slice[], env: MarkdownEnv): ComponentChildren {
  switch (part.kind) {
    case 'table':
      return <Table head={part.head ?? ''} slices={slices} env={env} />;
    case 'list': {
      const first = Number.parseInt(slices[0]?.text.trimStart() ?? '', 10);
      return slices.map(({ start, text }) => (
        <Html
          key={start}
          html={(source) => renderList(source, first + start, env)}
          source={text}
          env={env}
        />
      ));
    }
    case 'code':
      return <CodeBlock part={part} slices={slices} />;
    case 'plain':
      return <p class="markdown-plain">{slices.map(({ text }) => text)}</p>;
  }
}

interface HtmlProps {
  readonly html: (source: string, env: MarkdownEnv) => string;
  readonly source: string;
  readonly env: MarkdownEnv;
}

function Html({ html, source, env }: HtmlProps): VNode {
  const rendered = useMemo(() => html(source, env), [source]);
  return <div class="markdown-part" dangerouslySetInnerHTML={{ __html: rendered }} />;
}

interface TableProps {
  readonly head: string;
  readonly slices: readonly Slice[];
  readonly env: MarkdownEnv;
}

function Table({ head, slices, env }: TableProps): VNode {
  const columns = useMemo(() => renderTable(`${head}\n`, env).head, [head]);
  return (
    // What scrolls is reached by keyboard, too.
    <div class="markdown-table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead dangerouslySetInnerHTML={{ __html: columns }} />
        {slices.map(({ start, text }) => (
          <Rows key={start} head={head} rows={text} env={env} />
        ))}
      </table>
    </div>
  );
}

interface RowsProps {
  readonly head: string;
  readonly rows: string;
  readonly env: MarkdownEnv;
}

function Rows({ head, rows, env }: RowsProps): VNode {
  const body = useMemo(() => renderTable(`${head}\n${rows}`, env).body, [rows]);
  return <tbody dangerouslySetInnerHTML={{ __html: body }} />;
}
