import type { VNode } from 'preact';
import { piecesOf } from './searchRequest';

export interface HighlightedProps {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** Writes a text with what was looked for marked. */
export function Highlighted({ text, pattern }: HighlightedProps): VNode {
  return (
    <>
      {piecesOf(text, pattern).map((piece, index) =>
        piece.isHit ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
