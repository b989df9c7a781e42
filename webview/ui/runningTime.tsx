import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatRunning } from './elapsed';

/** Shows how long something has been running; `since` in ms since the epoch. Silent for screen readers. */
export function RunningTime({ since }: { readonly since: number }): VNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <span class="number quiet" aria-hidden="true">
      {formatRunning(now - since)}
    </span>
  );
}
