import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A longer wait counts as slow; ms. */
export const PATIENCE_MS = 8_000;

interface WaitingProps {
  readonly children: ComponentChildren;
  readonly class: string;
  readonly 'data-testid'?: string;
}

/** Says what the page waits for, and after a while what to do about it. */
export function Waiting({ children, ...rest }: WaitingProps): VNode {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p {...rest} role="status">
      {children}
      {isLong &&
        ' This is taking long. If nothing appears, run “Developer: Reload Window” from the Command Palette; “Plimsoll: Open the Session Log” shows what happened in the session.'}
    </p>
  );
}
