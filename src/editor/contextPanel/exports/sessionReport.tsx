import { CATEGORIES } from '../../../contextWindow/account/balance';
import { promptTokens } from '../../../contextWindow/account/spending';
import {
  amountText,
  countText,
  dollarAmountText,
  marked,
  percentText,
  tokenText,
} from '../../../contextWindow/amount';
import { modelName } from '../../../telemetry/signal';
import {
  fullnessWords,
  type InspectedBlock,
  type InspectedRequest,
  type SessionReport,
} from '../../../replay/inspectSession';
import {
  keptText,
  lossCostText,
  lossDidText,
  lossInstructionsText,
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
import { CATEGORY_NAMES, RULE_PLACES, TRIGGER_NAMES } from './exportedNames';
import { CATEGORY_COLOURS, exportedPage, PAGE_STYLE } from './exportedPage';
import { Areas, BILLED_COLOURS, Key, Picture } from './timelinePictures';

export interface ReportedSession {
  readonly format: TranscriptFormat;
  readonly model: string;
  /** Says whether its windows are exact; absent for a Plimsoll session. */
  readonly origin?: string;
  readonly report: SessionReport;
}

/** What a report has of the session's texts: nothing, or names, beginnings of prompts and summaries. */
export type ReportTexts = 'none' | 'names';

/**
 * Writes a report as one HTML page to attach to an issue. Without texts it has no prompt, file name
 * or command; with them it has no results of tools either.
 */
export function sessionReport(session: ReportedSession, texts: ReportTexts = 'none'): string {
  return exportedPage({
    title: 'What a session held, lost and cost',
    style: REPORT_STYLE,
    children: <Report {...session} hasTexts={texts === 'names'} />,
  });
}

interface ReportProps extends ReportedSession {
  readonly hasTexts: boolean;
}

function Report({ format, model, origin, report, hasTexts }: ReportProps) {
  const { steps, losses, passes, cacheWrites } = report;
  const rewrites = rewritesText(cacheWrites);
  return (
    <>
      <p class="quiet">
        {format} · {shownModel(model, hasTexts)} · {countText(steps, 'step')}
      </p>
      <WindowMap format={format} report={report} hasTexts={hasTexts} />
      <h2>Timeline</h2>
      <Requests report={report} />
      <Rules report={report} hasTexts={hasTexts} />
      <h2>Compactions</h2>
      {losses.length + passes.length === 0 && <p>Nothing was removed.</p>}
      {passes.map((pass) => (
        <Pass pass={pass} report={report} hasTexts={hasTexts} />
      ))}
      {losses.map((loss) => (
        <Loss loss={loss} report={report} hasTexts={hasTexts} />
      ))}
      {losses.length > 0 && <p class="quiet">{lossLimits(format)}</p>}
      <Cost report={report} hasTexts={hasTexts} />
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
      <p class="quiet">≈ marks an estimate. Written by Plimsoll. {hasTexts ? NAMES : NUMBERS}</p>
    </>
  );
}

const NUMBERS = 'It has numbers, and no text, file name or command of the session.';

const NAMES =
  'It has names of files and commands, beginnings of prompts, standing rules and summaries, and no results of tools. ' +
  'Secrets that the rules of secretlint recognise are masked. Read it before you share it.';

/** Blocks that are listed; the rest is only counted. */
const MOST_LISTED = 12;

function WindowMap({ format, report, hasTexts }: Omit<ReportProps, 'model' | 'origin'>) {
  const { balance, blocks, isSent, step } = report;
  const { used, contextWindowTokens, categories } = balance;
  const parts = CATEGORIES.filter((name) => categories[name] > 0);
  const scale = Math.max(contextWindowTokens, used.tokens, 1);
  const largest = blocks.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
  return (
    <>
      <h2>
        Window {isSent ? 'sent for' : 'after'} step {tokenText(step)}
      </h2>
      <p>{fullnessWords(balance, format)}. A line ends each block.</p>
      <div class="map" role="img" aria-label={mapWords(report)}>
        {parts.map((name) => (
          <span
            class="part"
            style={`width:${share(categories[name], scale)};background:${CATEGORY_COLOURS[name]}`}
          >
            {blocks
              .filter(({ category }) => category === name)
              .map((block) => (
                <span
                  class="block"
                  style={`width:${share(block.tokens.tokens, categories[name])}`}
                  title={`${blockName(block, hasTexts)}: ${amountText(block.tokens)} tokens`}
                />
              ))}
          </span>
        ))}
      </div>
      <div class="columns">
        <table>
          <tbody>
            {parts.map((name) => (
              <tr>
                <td>
                  <span class="swatch" style={`background:${CATEGORY_COLOURS[name]}`} />
                  {CATEGORY_NAMES[name]}
                </td>
                <td class="n">{marked(tokenText(categories[name]))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <table>
          <thead>
            <tr>
              <th>Largest blocks</th>
              <th class="n">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {largest.slice(0, MOST_LISTED).map((block) => (
              <tr>
                <td>{blockName(block, hasTexts)}</td>
                <td class="n">{amountText(block.tokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function mapWords({ balance: { categories } }: SessionReport): string {
  return CATEGORIES.filter((name) => categories[name] > 0)
    .map((name) => `${CATEGORY_NAMES[name]} ${marked(tokenText(categories[name]))}`)
    .join('; ');
}

/** "Step 14", "Turn 3: Summary"; with texts the label too. */
function blockName({ label, turn, step, category }: InspectedBlock, hasTexts: boolean): string {
  const place = step === undefined ? `Turn ${tokenText(turn)}` : `Step ${tokenText(step)}`;
  if (hasTexts) return `${place}: ${label}`;
  return step === undefined ? `${place}: ${CATEGORY_NAMES[category]}` : place;
}

function share(part: number, whole: number): string {
  return `${Number(((part / Math.max(whole, 1)) * 100).toFixed(3))}%`;
}

/** Height of the picture in its own units; the page stretches it. */
const HEIGHT = 120;

/** What each request read from the prompt cache and wrote to it, with a line at each compaction. */
function Requests({ report }: Pick<ReportProps, 'report'>) {
  const { losses, passes } = report;
  const requests = report.requests.filter(({ tokens }) => tokens > 0);
  const [first, last] = [requests[0], requests.at(-1)];
  if (first === undefined || last === undefined || requests.length === 1) {
    return <p>The file has no counts of more than one request.</p>;
  }
  const most = requests.reduce((largest, { tokens }) => Math.max(largest, tokens), 1);
  const marks = [...losses, ...passes].map(({ beforeStep }) =>
    requests.findIndex(({ step }) => step >= beforeStep),
  );
  // The pictures' place of a request is its order: a step may have several.
  const points = requests.map((request, order) => ({ ...request, step: order }));
  return (
    <>
      <p>
        {countText(requests.length, 'request')}, steps {tokenText(first.step)} to{' '}
        {tokenText(last.step)}; the largest had {tokenText(most)} tokens.
      </p>
      <Picture height={HEIGHT} words="Tokens of each request">
        <Areas
          points={points}
          areas={REQUEST_AREAS}
          height={HEIGHT}
          y={(tokens) => HEIGHT * (1 - tokens / most)}
        />
        {marks
          .filter((at) => at >= 0)
          .map((at) => {
            const x = ((at / (requests.length - 1)) * 1_000).toFixed(1);
            return <line class="mark" x1={x} x2={x} y1={0} y2={HEIGHT} />;
          })}
      </Picture>
      <Key
        items={[
          ...REQUEST_AREAS.toReversed(),
          ...(marks.length === 0 ? [] : [{ name: 'compaction', look: 'mark' }]),
        ]}
      />
    </>
  );
}

/** From the top down: each is drawn over the lower part of the previous one. */
const REQUEST_AREAS = [
  {
    name: 'neither written to the cache nor read from it',
    colour: BILLED_COLOURS.fresh,
    top: ({ tokens }: InspectedRequest) => tokens,
  },
  {
    name: 'written to the cache',
    colour: BILLED_COLOURS.toCache,
    top: ({ cacheWrite, cacheRead }: InspectedRequest) => cacheWrite + cacheRead,
  },
  {
    name: 'read from the cache',
    colour: BILLED_COLOURS.fromCache,
    top: ({ cacheRead }: InspectedRequest) => cacheRead,
  },
];

function Rules({ report: { rules }, hasTexts }: Pick<ReportProps, 'report' | 'hasTexts'>) {
  if (rules.length === 0) return null;
  const lost = rules.filter(({ place }) => place === 'lost' || place === 'omitted').length;
  return (
    <>
      <h2>Standing rules</h2>
      <p>
        {countText(rules.length, 'standing rule')},{' '}
        {lost === 0 ? 'all in the window or switched off' : `${tokenText(lost)} not in the window`}.
      </p>
      {hasTexts && (
        <ul>
          {rules.map(({ text, place }) => (
            <li>
              {RULE_PLACES[place]}: {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A model's name; a local one may be a path, which a report without texts leaves out. */
function shownModel(model: string, hasTexts: boolean): string {
  return hasTexts || modelName(model) === model ? model : 'model’s name left out';
}

function Cost({ report: { cost }, hasTexts }: Pick<ReportProps, 'report' | 'hasTexts'>) {
  const { usd, isEstimate, isOfFile, requests, cacheReadShare, models } = cost;
  if (requests === 0) {
    return (
      <>
        <h2>Cost</h2>
        <p>Not recorded.</p>
      </>
    );
  }
  return (
    <>
      <h2>Cost</h2>
      <p>
        {usd === null
          ? 'Unknown: a model has no list price'
          : `${dollarAmountText(usd, isEstimate !== true)} ${isOfFile === true ? 'as its file says' : 'at list prices'}`}
        , {countText(requests, 'request')}
        {cacheReadShare !== null &&
          `, ${percentText(cacheReadShare)} of the input read from the cache`}
        .
      </p>
      {models.length > 0 && (
        <div class="wide" role="region" aria-label="Prices by model" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {['Model', 'Answers', 'Input', 'Written to cache', 'Read from cache', 'Output'].map(
                  (head, at) => (
                    <th class={at === 0 ? undefined : 'n'}>{head}</th>
                  ),
                )}
                <th class="n">Price</th>
              </tr>
            </thead>
            <tbody>
              {models.map(
                ({ model, requests: answers, usage, usd: price, isEstimate: isGuess }) => (
                  <tr>
                    <td>{model === '' ? 'not recorded' : shownModel(model, hasTexts)}</td>
                    {[
                      answers,
                      promptTokens(usage),
                      usage.cacheCreationTokens,
                      usage.cacheReadTokens,
                      usage.outputTokens,
                    ].map((tokens) => (
                      <td class="n">{tokenText(tokens)}</td>
                    ))}
                    <td class="n">
                      {price === null ? 'not listed' : dollarAmountText(price, isGuess !== true)}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

interface PassProps extends Pick<ReportProps, 'report' | 'hasTexts'> {
  readonly pass: SessionReport['passes'][number];
}

function Pass({ pass, report, hasTexts }: PassProps) {
  const { name, beforeStep, trigger, undone, before, after, removed, neededAgain } = pass;
  return (
    <section>
      <h3>
        {name} before step {tokenText(beforeStep)}: {amountText(before)} → {amountText(after)}{' '}
        tokens
      </h3>
      <p>
        {sentence(TRIGGER_NAMES[trigger])}
        {undone ? ', undone' : ''}. {countText(removed.length, 'block')} changed,{' '}
        {neededAgain.length === 0
          ? 'nothing needed again'
          : `needed again ${countText(neededAgain.length, 'time')}`}
        .
      </p>
      {hasTexts && <Removed blocks={removed} />}
      {hasTexts && neededAgain.length > 0 && (
        <ul>
          {neededAgain.map(({ step, what }) => (
            <li>
              Needed again at step {tokenText(step)}: {what}
            </li>
          ))}
        </ul>
      )}
      {hasTexts && <Summaries report={report} beforeStep={beforeStep} />}
    </section>
  );
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

interface LossProps extends Pick<ReportProps, 'report' | 'hasTexts'> {
  readonly loss: RecordedLoss;
}

function Loss({ loss, report, hasTexts }: LossProps) {
  const { beforeStep, instructions, removed, needed } = loss;
  const missing = tokenText(instructions.length);
  const sentences = [
    lossDidText(loss),
    lossSummaryText(loss),
    hasTexts || instructions.length === 0
      ? lossInstructionsText(loss)
      : `Instruction files that were missing afterwards: ${missing}.`,
    lossCostText(loss),
    neededSumText(needed),
  ];
  return (
    <section>
      <h3>
        {lossName(loss)} before step {tokenText(beforeStep)}: {lossSizeText(loss)}
      </h3>
      <p>{sentences.filter((text) => text !== '').join(' ')}</p>
      {hasTexts && (
        <Removed blocks={removed.map((block) => ({ ...block, end: keptText(block) }))} />
      )}
      {needed.length > 0 && (
        <ul>
          {needed.map(({ what, blockId: _blockId, ...need }) => (
            <li>{needText(hasTexts ? { ...need, what } : need)}</li>
          ))}
        </ul>
      )}
      {hasTexts && <Summaries report={report} beforeStep={beforeStep} />}
    </section>
  );
}

interface RemovedProps {
  readonly blocks: readonly (Pick<InspectedBlock, 'label' | 'tokens'> & {
    readonly end?: string;
  })[];
}

/** The largest blocks that were removed, by name. */
function Removed({ blocks }: RemovedProps) {
  const largest = blocks.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
  const more = blocks.length - MOST_LISTED;
  return (
    <ul>
      {largest.slice(0, MOST_LISTED).map(({ label, tokens, end = '' }) => (
        <li>
          {label}: {amountText(tokens)} tokens{end === '' ? '' : `, ${end}`}
        </li>
      ))}
      {more > 0 && <li>and {tokenText(more)} more</li>}
    </ul>
  );
}

interface SummariesProps extends Pick<ReportProps, 'report'> {
  readonly beforeStep: number;
}

function Summaries({ report, beforeStep }: SummariesProps) {
  const own = report.summaries.filter((summary) => summary.beforeStep === beforeStep);
  return (
    <>
      {own.map(({ text }) => (
        <details open>
          <summary>Summary</summary>
          <pre>{text}</pre>
        </details>
      ))}
    </>
  );
}

const REPORT_STYLE = `${PAGE_STYLE}
body { max-width: 60rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
.map { display: flex; height: 2.2rem; border: 1px solid #8888; border-radius: 3px; overflow: hidden; }
.part { display: flex; min-width: 1px; }
.block { box-sizing: border-box; border-right: 1px solid #0005; }
.columns { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: start; margin-top: .8rem; }
.columns table { flex: 1 1 18rem; width: auto; }
.columns td, .columns th { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
svg { height: 9rem; } svg .mark { stroke: currentColor; }
li { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 4px solid #8888; padding-left: .8rem; }
`;
