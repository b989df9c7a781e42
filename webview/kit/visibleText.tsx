import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { visiblePieces } from '../../src/editor/visibleText';

/**
 * Draws an untrusted text so that every character of it is seen: what has no shape of its own stands
 * there as a mark. What is drawn leads back to the exact text.
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
