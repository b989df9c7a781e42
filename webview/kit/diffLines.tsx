import type { VNode } from 'preact';
import { VisibleText } from './visibleText';

/** Most lines that are drawn. */
const MOST_LINES = 400;

/** Draws lines of a diff, each with ' ', '+' or '-' before it; they are untrusted. */
export function DiffLines({ lines }: { readonly lines: readonly string[] }): VNode {
  const left = lines.length - MOST_LINES;
  return (
    <pre class="output diff mono" data-testid="diff-lines" tabIndex={0}>
      {lines.slice(0, MOST_LINES).map((line, index) => (
        <span key={index} class={classOf(line)}>
          <VisibleText text={line} />
          {'\n'}
        </span>
      ))}
      {left > 0 && <span class="quiet">… ({left} more lines)</span>}
    </pre>
  );
}

function classOf(line: string): string {
  if (line.startsWith('+')) return 'diff-line diff-added';
  return line.startsWith('-') ? 'diff-line diff-removed' : 'diff-line';
}
