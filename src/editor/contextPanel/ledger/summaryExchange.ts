import { countText } from '../../../contextWindow/amount';
import { passName, passTitle } from '../../../contextWindow/passes/passName';
import type { Pass, Summary, SummaryExchange } from '../../../contextWindow/plan';
import type { ContextWindow } from '../../../contextWindow/window';
import type { ExchangeView } from './state';
import type { RequestAt } from '../request/requestAt';

/** The request for a summary, and the model's answer. */
export interface ExchangeAt {
  readonly asked: RequestAt;
  /** Text to read in an editor; undefined if no answer came. */
  readonly answered: string | undefined;
}

/** Lists the requests for the summaries of a pass; empty if the log does not hold them. */
export function exchangeViews({ summaries }: Pass): readonly ExchangeView[] {
  return summaries.flatMap((summary): readonly ExchangeView[] => {
    const { id, covers, exchange } = summary;
    return exchange === undefined
      ? []
      : [
          {
            summaryId: id,
            covers: covers.length,
            hasAnswer: answerTo(summary, exchange) !== undefined,
          },
        ];
  });
}

/** Finds the request for a summary; undefined if the log does not hold it. */
export function exchangeAt(window: ContextWindow, summaryId: string): ExchangeAt | undefined {
  for (const { pass } of window.ledger) {
    const summary = pass.summaries.find(({ id }) => id === summaryId);
    if (summary?.exchange !== undefined) return exchangeOf(window, pass, summary, summary.exchange);
  }
  return undefined;
}

function exchangeOf(
  window: ContextWindow,
  pass: Pass,
  summary: Summary,
  exchange: SummaryExchange,
): ExchangeAt {
  const { model, maxTokens, system, content } = exchange;
  const answer = answerTo(summary, exchange);
  const head = [`model: ${modelOf(summary, exchange)}`, ...answerNotes(pass, summary, exchange)];
  return {
    asked: {
      request: {
        model,
        maxTokens,
        system: [{ type: 'text', text: system }],
        tools: [],
        messages: [{ role: 'user', content }],
      },
      notes: [`Request for a summary of ${passName(pass)}.`, ...unanswered(summary, exchange)],
      window,
    },
    answered:
      answer === undefined
        ? undefined
        : `${head.join('\n')}\n\n${answer}\n${correctionText(exchange)}`,
  };
}

/** The verbatim answer: the summary itself, unless it was cut, edited or not used. */
function answerTo({ text, writtenBy }: Summary, { answer }: SummaryExchange): string | undefined {
  return answer ?? (writtenBy.by === 'model' ? text : undefined);
}

function modelOf({ writtenBy }: Summary, { model }: SummaryExchange): string {
  return writtenBy.by === 'model' ? writtenBy.model : model;
}

function unanswered(summary: Summary, exchange: SummaryExchange): readonly string[] {
  const { writtenBy } = summary;
  return writtenBy.by === 'workNote' && answerTo(summary, exchange) === undefined
    ? [`No answer came, because ${writtenBy.because}.`]
    : [];
}

/** The request for a correction and its answer; '' for none. */
function correctionText({ correction }: SummaryExchange): string {
  if (correction === undefined) return '';
  const { asked, answer } = correction;
  const answered = answer === undefined ? '(No answer came.)' : answer;
  return `\n--- Request for a correction\n${asked}\n\n--- Corrected answer\n${answered}\n`;
}

function answerNotes(
  pass: Pass,
  { writtenBy, editedByUser, check }: Summary,
  { answer }: SummaryExchange,
): readonly string[] {
  if (writtenBy.by === 'workNote') {
    return [`(It was not used, because ${writtenBy.because}.)`];
  }
  if (check !== undefined && check.unfounded.length > 0 && answer !== undefined) {
    const which = check.notCorrected === undefined ? 'The corrected answer below' : 'It';
    const removed = check.removed?.length ?? 0;
    const without = removed === 0 ? '' : `, without ${countText(removed, 'removed text')}`;
    return [`(${which} is the summary${without}.)`];
  }
  if (editedByUser === true) return [`(You edited it before ${passName(pass)} applied.)`];
  return answer === undefined
    ? [`(${passTitle(pass)} put it into the window as the summary, verbatim.)`]
    : ['(It exceeded the maximum length: the summary is its beginning.)'];
}
