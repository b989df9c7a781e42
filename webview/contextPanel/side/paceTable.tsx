import type { VNode } from 'preact';
import { countText } from '../../../src/editor/coreForPages';
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
            <th scope="col" title="Median time until the first part of a reply">
              First token
            </th>
            <th scope="col" title="Median time of a whole reply">
              Reply
            </th>
            <th scope="col" title="Calls that failed">
              Failed
            </th>
            <th scope="col" title="Calls that an earlier step had made with the same result">
              Repeated
            </th>
            <th scope="col" title="Removed content that was needed again">
              Needed again
            </th>
          </tr>
        </thead>
        <tbody>
          {pace.map((level) => (
            <tr key={level.upTo}>
              <th scope="row">
                {fullWords(level.upTo)} <span class="quiet">{countText(level.steps, 'step')}</span>
              </th>
              <td>{timeWords(level.firstTokenMs)}</td>
              <td>{timeWords(level.replyMs)}</td>
              <CallsCell some={level.failedCalls} all={level.calls} />
              <CallsCell some={level.repeatedCalls} all={level.calls} />
              <td>{formatNumber(level.neededAgain)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function CallsCell({ some, all }: { readonly some: number; readonly all: number }): VNode {
  return (
    <td title={`${formatNumber(some)} of ${formatNumber(all)}`}>
      {all === 0 ? 'no calls' : formatShare(some, all)}
    </td>
  );
}

function fullWords(upTo: number): string {
  return upTo === 100 ? 'over 75\u00a0%' : `${upTo - 25}–${upTo}\u00a0%`;
}

function timeWords(ms: number | null): string {
  return ms === null ? 'unknown' : formatElapsed(ms);
}
