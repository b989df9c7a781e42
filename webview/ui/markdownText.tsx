import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { renderMarkdown } from './markdown';

/** Shows untrusted markdown, sanitised. */
export function MarkdownText({ text }: { readonly text: string }): VNode {
  const html = useMemo(() => renderMarkdown(text), [text]);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
