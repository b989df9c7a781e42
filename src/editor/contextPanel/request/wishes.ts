import * as z from 'zod/mini';
import { answered, id, number, wishesOf } from '../../wish';
import type { Inspection } from '../inspection';
import type { ContextPanel } from '../panel';

const { looks } = wishesOf<ContextPanel>();

/** The request of a step; 'next' for the next one. */
const step = z.union([number, z.literal('next')]);

/** A request as its JSON body, or formatted for reading. */
const form = z.enum(['raw', 'readable']);
export type RequestForm = z.output<typeof form>;

/** The request for a summary, or the model's answer. */
const side = z.enum(['asked', 'answered']);
export type ExchangeSide = z.output<typeof side>;

const NO_STEP = 'There is no such step in this session.';

/** The panel's wishes about requests. */
export const REQUEST_WISHES = {
  fetchRequest: looks({ step }, ({ step }, { inspection }) => {
    const call = inspection.capturedAt(step);
    if (call !== undefined && step !== 'next') {
      return inspection
        .capturedView(step, call)
        .then((view) => (view === undefined ? NO_STEP : answered(view)));
    }
    const view = inspection.requestView(step);
    return view === undefined ? NO_STEP : answered(view);
  }),
  openRequest: looks({ step, form }, ({ step, form }, panel) =>
    isStep(panel.inspection, step) ? panel.requests.open(step, form) : NO_STEP,
  ),
  /** Opens the request for a summary, or the model's answer, in an editor. */
  openExchange: looks({ summaryId: id, side, form }, ({ summaryId, side, form }, panel) => {
    const exchange = panel.inspection.exchangeAt(summaryId);
    if (exchange === undefined) return 'The log does not hold the request for this summary.';
    if (side === 'answered' && exchange.answered === undefined)
      return 'No answer came: the ledger says why.';
    return panel.requests.open({ summaryId, side }, side === 'asked' ? form : 'readable');
  }),
  copyRequest: looks({ step }, ({ step }, panel) => {
    const at = panel.inspection.requestAt(step);
    return at === undefined ? NO_STEP : panel.requests.copy(step);
  }),
  diffRequests: looks({ from: number, to: step, form }, ({ from, to, form }, panel) =>
    isStep(panel.inspection, from) && isStep(panel.inspection, to)
      ? panel.requests.diff(from, to, form)
      : NO_STEP,
  ),
};

function isStep(inspection: Inspection, step: number | 'next'): boolean {
  return inspection.requestAt(step) !== undefined;
}
