import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Shows how long something has been running; `since` in ms since the epoch. Silent for screen
 * readers.
 */
export function RunningTime({ since }: { readonly since: number }): VNode {
  const now = useNow(since);
  return (
    <span class="number quiet" aria-hidden="true">
      {formatRunning(now - since)}
    </span>
  );
}

/**
 * Counts down to a moment, in ms since the epoch; a long wait shows the time of day, too. Screen
 * readers only get the time of day, which does not change every second.
 */
export function Countdown({ until }: { readonly until: number }): VNode {
  const now = useNow(until);
  const isLong = until - now >= LONG_WAIT_MS;
  return (
    <span class="countdown" data-testid="countdown" title={`At ${timeOfDay(until)}`}>
      {isLong && `at ${timeOfDay(until)}, `}
      <span aria-hidden="true">in {formatSeconds(Math.ceil(Math.max(0, until - now) / 1000))}</span>
    </span>
  );
}

/** From here on, show the time of day; ms. */
const LONG_WAIT_MS = 120_000;

function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** The current time, updated every second; restarts when `measured` changes. */
function useNow(measured: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [measured]);
  return now;
}

/** Formats a duration in ms: "40 ms", "2.4 s", "12 s", "3 min 05 s", "1 h 02 min". */
export function formatElapsed(ms: number): string {
  const whole = Math.round(Math.max(0, ms));
  if (whole < 1000) return `${whole}\u00a0ms`;
  const tenths = Math.round(whole / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}\u00a0s`;
  return formatSeconds(Math.round(tenths / 10));
}

/** Formats a growing duration in ms, in whole seconds so that it does not flicker. */
export function formatRunning(ms: number): string {
  return formatSeconds(Math.floor(Math.max(0, ms) / 1000));
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds}\u00a0s`;
  if (seconds < 3600)
    return `${Math.floor(seconds / 60)}\u00a0min ${twoDigits(seconds % 60)}\u00a0s`;
  return `${Math.floor(seconds / 3600)}\u00a0h ${twoDigits(Math.floor((seconds % 3600) / 60))}\u00a0min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
