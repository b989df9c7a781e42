import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';
import { Highlighted } from './highlighted';
import { LinkButton } from '../parts/linkButton';
import { countHits } from './searchRequest';

/** Characters of a long text that are drawn before the user asks for all of it. */
const SHOWN = 4_000;

export interface RequestPartTextProps {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** Writes the text of a part, of a long one the beginning until all is asked for. */
export function RequestPartText({ text, pattern }: RequestPartTextProps): VNode {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? text : text.slice(0, SHOWN);
  const further =
    pattern === undefined || shown === text
      ? 0
      : countHits(text, pattern) - countHits(shown, pattern);
  return (
    <>
      <pre class="mono">
        <Highlighted text={shown} pattern={pattern} />
      </pre>
      {shown.length < text.length && (
        <LinkButton onClick={() => setAll(true)} data-testid="show-all">
          Show all ({formatNumber(text.length)} characters
          {further > 0 ? `, ${formatCount(further, 'hit')} further on` : ''})
        </LinkButton>
      )}
    </>
  );
}
