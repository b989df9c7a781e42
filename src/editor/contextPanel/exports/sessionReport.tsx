import { CATEGORIES } from '../../../contextWindow/account/balance';
import {
  amountText,
  countText,
  dollarText,
  percentText,
  tokenText,
} from '../../../contextWindow/amount';
import type { SessionReport } from '../../../replay/inspectSession';
import {
  lossCostText,
  lossDidText,
  lossLimits,
  lossName,
  lossSizeText,
  lossSummaryText,
  neededSumText,
  needText,
} from '../../../replay/losses/lossText';
import type { RecordedLoss } from '../../../replay/losses/recordedLoss';
import { causeText, rewritesText } from '../../../replay/measures/cacheText';
import type { TranscriptFormat } from '../../../sessions/transcript';
import { CATEGORY_NAMES } from './exportedNames';
import { exportedPage } from './exportedPage';

/** A session to report on. */
export interface ReportedSession {
  readonly format: TranscriptFormat;
  readonly model: string;
  /** Says whether its windows are exact; absent for a Plimsoll session. */
  readonly origin?: string;
  readonly report: SessionReport;
}

/**
 * Writes a report as one HTML page to attach to an issue. It has no text of the session: no prompt,
 * file name or command.
 */
export function sessionReport(session: ReportedSession): string {
  return exportedPage({
    title: 'What a session held, lost and cost',
    style: REPORT_STYLE,
    children: <Report session={session} />,
  });
}

function Report({ session }: { readonly session: ReportedSession }) {
  const { format, model, origin, report } = session;
  const { steps, losses, passes, cacheWrites, cost } = report;
  const rewrites = rewritesText(cacheWrites);
  return (
    <>
      <p class="quiet">
        {format} · {model} · {countText(steps, 'step')}
      </p>
      <WindowMap report={report} />
      <h2>Requests</h2>
      <RequestsPicture report={report} />
      <h2>Compactions</h2>
      {losses.length + passes.length === 0 && <p>Nothing was removed.</p>}
      {passes.map(({ name, beforeStep, before, after, removed, neededAgain }) => (
        <p>
          <strong>{name}</strong> before step {tokenText(beforeStep)}: {amountText(before)} →{' '}
          {amountText(after)} tokens, {countText(removed.length, 'block')} changed,{' '}
          {neededAgain.length === 0
            ? 'nothing needed again'
            : `needed again ${countText(neededAgain.length, 'time')}`}
          .
        </p>
      ))}
      {losses.map((loss) => (
        <Loss loss={loss} />
      ))}
      {losses.length > 0 && <p class="quiet">{lossLimits(format)}</p>}
      <h2>Cost</h2>
      <p>
        {cost.usd === null
          ? 'Unknown: a model has no list price'
          : `${dollarText(cost.usd)} at list prices`}
        , {countText(cost.requests, 'request')}
        {cost.cacheReadShare !== null &&
          `, ${percentText(cost.cacheReadShare)} of the input read from the cache`}
        .
      </p>
      {rewrites !== undefined && (
        <>
          <h2>Cache rewrites</h2>
          <p>{rewrites}.</p>
          <ul>
            {cacheWrites.rewrites.map((one) => (
              <li>{causeText(one)}</li>
            ))}
          </ul>
        </>
      )}
      {origin !== undefined && <p class="quiet">{origin}</p>}
      <p class="quiet">
        ≈ marks an estimate. Written by Plimsoll. It has numbers, and no text, file name or command
        of the session.
      </p>
    </>
  );
}

function WindowMap({ report }: Pick<ReportedSession, 'report'>) {
  const { balance, isSent, step } = report;
  const { used, contextWindowTokens, categories } = balance;
  const parts = CATEGORIES.filter((name) => categories[name] > 0);
  return (
    <>
      <h2>
        Window {isSent ? 'sent for' : 'after'} step {tokenText(step)}
      </h2>
      <p>
        {amountText(used)} of {tokenText(contextWindowTokens)} tokens (
        {percentText(used.tokens / contextWindowTokens)})
      </p>
      <div class="map">
        {parts.map((name, index) => (
          <span
            class={`part p${index % 6}`}
            style={`width:${(categories[name] / contextWindowTokens) * 100}%`}
          />
        ))}
      </div>
      <table>
        <tbody>
          {parts.map((name, index) => (
            <tr>
              <td>
                <span class={`key p${index % 6}`} /> {CATEGORY_NAMES[name]}
              </td>
              <td class="n">≈ {tokenText(categories[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Size of the picture in its own units; the page stretches it. */
const WIDTH = 1_000;
const HEIGHT = 120;

/** The tokens of each request, with a line at each compaction. */
function RequestsPicture({ report }: Pick<ReportedSession, 'report'>) {
  const { requests, losses, passes } = report;
  const counted = requests.filter(({ tokens }) => tokens > 0);
  const first = counted[0]?.step ?? 0;
  const last = counted.at(-1)?.step ?? 0;
  if (last === first) return <p>The file has no counts of more than one request.</p>;
  const most = Math.max(...counted.map(({ tokens }) => tokens));
  const x = (step: number) => ((step - first) / (last - first)) * WIDTH;
  const points = counted.map(
    ({ step, tokens }) => `${x(step).toFixed(1)},${(HEIGHT * (1 - tokens / most)).toFixed(1)}`,
  );
  const marks = [...losses, ...passes].map(({ beforeStep }) => x(beforeStep).toFixed(1));
  return (
    <>
      <p>
        Steps {tokenText(first)} to {tokenText(last)}; the largest request had {tokenText(most)}{' '}
        tokens. A line marks each compaction.
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>Tokens of each request</title>
        {marks.map((at) => (
          <line x1={at} x2={at} y1="0" y2={HEIGHT} class="mark" />
        ))}
        <polyline points={points.join(' ')} class="tokens" />
      </svg>
    </>
  );
}

function Loss({ loss }: { readonly loss: RecordedLoss }) {
  const missing = loss.instructions.length;
  const sentences = [
    lossDidText(loss),
    lossSummaryText(loss),
    missing === 0 ? '' : `Instruction files that were missing afterwards: ${tokenText(missing)}.`,
    lossCostText(loss),
    neededSumText(loss.needed),
  ];
  return (
    <section>
      <h3>
        {lossName(loss)} before step {tokenText(loss.beforeStep)}: {lossSizeText(loss)}
      </h3>
      <p>{sentences.filter((text) => text !== '').join(' ')}</p>
      {loss.needed.length > 0 && (
        <ul>
          {loss.needed.map(({ what: _what, blockId: _blockId, ...need }) => (
            <li>{needText(need)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The style of the page. It has no address, so the page loads nothing. */
const REPORT_STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.quiet { opacity: .75; }
.map { display: flex; height: 1.6rem; border: 1px solid #8888; border-radius: 3px; overflow: hidden; }
.key { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; }
td { padding: .1rem 1rem .1rem 0; } .n { text-align: right; font-variant-numeric: tabular-nums; }
.p0 { background: #8c7bbd; } .p1 { background: #b07d48; } .p2 { background: #5f9e6e; }
.p3 { background: #3f6b8f; } .p4 { background: #4fa3d4; } .p5 { background: #c2703d; }
svg { width: 100%; height: 8rem; border-bottom: 1px solid #8888; }
.tokens { fill: none; stroke: #4fa3d4; stroke-width: 2; vector-effect: non-scaling-stroke; }
.mark { stroke: #c2703d; stroke-dasharray: 4; vector-effect: non-scaling-stroke; }
`;
