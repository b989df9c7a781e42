import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { visiblePieces } from '../../src/editor/coreForPages';

/**
 * Draws an untrusted text with every character visible: invisible ones become marks that identify
 * the character.
 */
export function VisibleText({ text }: { readonly text: string }): VNode {
  return useMemo(() => <>{visiblePieces(text).map(pieceNode)}</>, [text]);
}

function pieceNode(
  { shown, isMark }: ReturnType<typeof visiblePieces>[number],
  index: number,
): VNode | string {
  if (!isMark) return shown;
  return (
    <span key={index} class="unseen">
      {shown}
    </span>
  );
}

/** Draws a path; without enough room its folders are cut, and the file name stays visible. */
export function PathName({ path }: { readonly path: string }): VNode {
  const file = Math.max(0, path.lastIndexOf('/'));
  return (
    <>
      <span class="path-folder ellipsis">{path.slice(0, file)}</span>
      <span class="path-file ellipsis">{path.slice(file)}</span>
    </>
  );
}

const MOST_LINES = 400;

interface DiffLinesProps {
  readonly lines: readonly string[];
  /** They never scroll, so the keyboard need not reach them. */
  readonly isShort?: boolean;
}

/** Draws lines of a diff, each with ' ', '+' or '-' in front; they are untrusted. */
export function DiffLines({ lines, isShort }: DiffLinesProps): VNode {
  const left = lines.length - MOST_LINES;
  return (
    <pre class="output diff mono" data-testid="diff-lines" tabIndex={isShort ? undefined : 0}>
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
