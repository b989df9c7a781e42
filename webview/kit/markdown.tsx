import { Component, type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { highlighter, loadHighlighter } from './highlight';
import { Icon, type IconName } from './icon';
import {
  type MarkdownEnv,
  placeOf,
  renderList,
  renderMarkdown,
  renderTable,
  sanitiseCode,
} from './markdownHtml';
import { type MarkdownPart, MarkdownParts } from './markdownParts';
import { PathName } from './untrustedText';
import { formatNumber } from './tokens';

/**
 * Shows untrusted Markdown, sanitised. Draws the beginning of a long table, list or code block, and
 * more on request; while the text grows, finished parts are not drawn again.
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

/** Redraws a part only when it changed. */
class SettledPart extends Component<PartProps> {
  override shouldComponentUpdate(next: PartProps): boolean {
    return next.part !== this.props.part;
  }

  override render({ part, env }: PartProps): VNode {
    if (part.kind === 'prose') return <Html html={renderMarkdown} source={part.source} env={env} />;
    return <LongPartView part={part} env={env} />;
  }
}

/** Draws one slice of a long part, and one more with each click. */
function LongPartView({
  part,
  env,
}: {
  readonly part: LongPart;
  readonly env: MarkdownEnv;
}): VNode {
  const { units, unsettled = [] } = part;
  const [shown, setShown] = useState(1);
  const slices = slicesOf(units, unsettled, shown, part.kind);
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
    // Scrolls, so a keyboard has to reach it.
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

/** What the user can do with code and file names of a reply; absent where a text is only shown. */
export interface ReplyActions {
  copy(code: string): void;
  /** Inserts code at the cursor. */
  insert(code: string): void;
  /** Applies code to a file without saving; without `path`, to the file in the editor. */
  apply(code: string, path?: string): void;
  /** Opens a file that a reply names; lines count from 1. */
  openFile(path: string, line?: number): void;
}

export const ReplyActionsContext = createContext<ReplyActions | undefined>(undefined);

interface CodeBlockProps {
  readonly part: Exclude<MarkdownPart, { readonly kind: 'prose' }>;
  readonly slices: readonly Slice[];
}

/** Draws a code block in colours, with buttons that use the whole code. */
function CodeBlock({ part, slices }: CodeBlockProps): VNode {
  const actions = useContext(ReplyActionsContext);
  const { language, path } = describedBy(part.head ?? '');
  const whole = (): string =>
    [...part.units, ...(part.unsettled ?? [])].join('').replace(/\n?$/, '\n');
  const button = (icon: IconName, name: string, act: () => void): VNode => (
    <button type="button" class="plain code-action" title={name} aria-label={name} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="code-block" data-testid="code-block">
      {(actions !== undefined || language !== undefined) && (
        <div class="code-head small quiet">
          <span class="code-name" title={path ?? language}>
            <PathName path={path ?? language ?? ''} />
          </span>
          {actions && (
            <>
              {button('copy', 'Copy this code', () => actions.copy(whole()))}
              {button('insert', 'Insert at the cursor', () => actions.insert(whole()))}
              {button('apply', `Apply to ${path ?? 'the file in the editor'}`, () =>
                actions.apply(whole(), path),
              )}
            </>
          )}
        </div>
      )}
      <pre tabIndex={0}>
        <code>
          {slices.map(({ start, text }) => (
            <Coloured key={start} code={text} language={language} />
          ))}
        </code>
      </pre>
    </div>
  );
}

/** Colours a slice independently: finished slices stay as they are while more text arrives. */
function Coloured({ code, language }: { code: string; language: string | undefined }): VNode {
  useEffect(() => {
    if (language !== undefined) loadHighlighter();
  }, [language]);
  const highlight = highlighter.value;
  const html = useMemo(() => {
    const coloured = language === undefined ? undefined : highlight?.(code, language);
    return coloured === undefined ? undefined : sanitiseCode(coloured);
  }, [highlight, code, language]);
  if (html === undefined) return <span>{code}</span>;
  return <span dangerouslySetInnerHTML={{ __html: html }} />;
}

/**
 * Parses the text after a fence: `js`, `js src/a.js`, `js:src/a.js`, `js title="src/a.js"` or
 * `src/a.js`.
 */
export function describedBy(info: string): { readonly language?: string; readonly path?: string } {
  const path = /(?:^|[\s:="'])((?:[\w.@+-]+\/)*[\w.@+-]*\w\.[A-Za-z]\w{0,9})(?=["'\s]|$)/.exec(
    info,
  )?.[1];
  const named = /^[\w+#-]+(?![\w./+#-])/.exec(info)?.[0];
  const language = named ?? path?.slice(path.lastIndexOf('.') + 1);
  return {
    ...(language === undefined ? {} : { language: language.toLowerCase() }),
    path,
  };
}

/** Units of a long text that are drawn together. */
interface Slice {
  /** Index of its first unit, and of the unit after its last. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Most units of the first slice, and of each further one. A list that someone wrote to be read is
 * drawn whole.
 */
const SLICE_UNITS = { first: 50, further: 250, list: 500 };
/** Most characters of a slice, unless a single unit has more. */
const CHARS = 16_000;

/**
 * The first `count` slices of a long text. A full slice does not change while units are added after
 * it.
 */
function slicesOf(
  settled: readonly string[],
  unsettled: readonly string[],
  count: number,
  kind: LongPart['kind'],
): readonly Slice[] {
  const slices: Slice[] = [];
  const unit = (at: number) => settled[at] ?? unsettled[at - settled.length];
  for (let start = 0; slices.length < count && unit(start) !== undefined;) {
    const { first, further, list } = SLICE_UNITS;
    const most = kind === 'list' ? list : slices.length === 0 ? first : further;
    let text = unit(start) ?? '';
    let end = start + 1;
    for (let next = unit(end); next !== undefined && end - start < most; next = unit(end)) {
      if (text.length + next.length > CHARS) break;
      text += next;
      end += 1;
    }
    slices.push({ start, end, text });
    start = end;
  }
  return slices;
}
