import type { VNode } from 'preact';
import type { PaceLevel } from '../../../src/editor/contextPanel/timeline/state';
import { formatElapsed } from '../../kit/runningTime';
import { formatNumber, formatShare } from '../../kit/tokens';

interface PaceTableProps {
  /** From the emptiest windows to the fullest. */
  readonly pace: readonly PaceLevel[];
}

/**
 * Relates speed and failures to how full the window was. One level compares with nothing, so the
 * table then stays away.
 */
export function PaceTable({ pace }: PaceTableProps): VNode | null {
  if (pace.length < 2) return null;
  return (
    <details class="pace" data-testid="pace">
      <summary>Speed and errors by how full the window was</summary>
      <table class="small">
        <thead>
          <tr>
            <th scope="col">Full</th>
            <th scope="col">Steps</th>
            <th scope="col" title="Median time until the first part of a reply">
              First token
            </th>
            <th scope="col" title="Median time of a whole reply">
              Reply
            </th>
            <th scope="col">Failed calls</th>
            <th scope="col" title="Removed content that was needed again">
              Needed again
            </th>
          </tr>
        </thead>
        <tbody>
          {pace.map((level) => (
            <tr key={level.upTo}>
              <th scope="row">{fullWords(level.upTo)}</th>
              <td>{formatNumber(level.steps)}</td>
              <td>{timeWords(level.firstTokenMs)}</td>
              <td>{timeWords(level.replyMs)}</td>
              <td title={`${formatNumber(level.failedCalls)} of ${formatNumber(level.calls)}`}>
                {level.calls === 0 ? 'no calls' : formatShare(level.failedCalls, level.calls)}
              </td>
              <td>{formatNumber(level.neededAgain)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function fullWords(upTo: number): string {
  return upTo === 100 ? 'over 75\u00a0%' : `${upTo - 25}–${upTo}\u00a0%`;
}

function timeWords(ms: number | null): string {
  return ms === null ? 'unknown' : formatElapsed(ms);
}
