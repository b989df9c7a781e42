import type { VNode } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { highlighter, loadHighlighter } from './highlight';
import { Icon, type IconName } from './icon';
import { sanitiseCode } from './markdownHtml';
import type { MarkdownPart } from './markdownParts';
import { PathName } from './pathName';
import { ReplyActionsContext } from './replyActions';
import type { Slice } from './slices';

interface CodeBlockProps {
  readonly part: Exclude<MarkdownPart, { readonly kind: 'prose' }>;
  readonly slices: readonly Slice[];
}

/** Draws code of a reply in colours, with what one can do with all of it. */
export function CodeBlock({ part, slices }: CodeBlockProps): VNode {
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

/** Draws a slice in colours, by itself: what is settled stays as it is while more comes. */
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

/** What stands behind a fence: `js`, `js src/a.js`, `js:src/a.js`, `js title="src/a.js"` or `src/a.js`. */
export function describedBy(info: string): { readonly language?: string; readonly path?: string } {
  const path = /(?:^|[\s:="'])((?:[\w.@+-]+\/)*[\w.@+-]*\w\.[A-Za-z]\w{0,9})(?=["'\s]|$)/.exec(
    info,
  )?.[1];
  const named = /^[\w+#-]+(?![\w./+#-])/.exec(info)?.[0];
  const language = named ?? path?.slice(path.lastIndexOf('.') + 1);
  return {
    ...(language === undefined ? {} : { language: language.toLowerCase() }),
    ...(path === undefined ? {} : { path }),
  };
}
