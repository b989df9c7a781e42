import * as z from 'zod/mini';
import type { BlockId } from '../../../contextWindow/block';
import { answered, id, number, text, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { summaryFindingsView } from './summaryFindings';

const { changes, looks } = wishesOf<ContextPanel>();

function answeringPass(type: 'apply' | 'spare') {
  return changes(
    { proposedPassId: z.int(), spared: z.array(id), summaries: z.record(id, text) },
    ({ proposedPassId, spared, summaries }, { current }) =>
      current.run.questions.answerPass(proposedPassId, {
        type,
        spared: spared as readonly BlockId[],
        summaries,
      }),
  );
}

/** The panel's wishes about passes. */
export const PASS_WISHES = {
  /** `instructions` are the user's, for the summaries; '' for none. */
  compactNow: changes({ instructions: text }, async ({ instructions }, { current }) => {
    const { ok, message } = await current.run.compactNow(instructions);
    // The ledger shows how much was freed.
    return ok ? undefined : message;
  }),
  undoPass: changes({ number }, ({ number }, { current }) => current.run.undoPass(number)),
  /** Applies the waiting pass, except to the spared blocks, with its summaries as edited, by id. */
  applyPass: answeringPass('apply'),
  /** Spares other blocks in the waiting pass, which is planned again and shown before it runs. */
  sparePass: answeringPass('spare'),
  postponePass: changes({ proposedPassId: z.int() }, ({ proposedPassId }, { current }) =>
    current.run.questions.answerPass(proposedPassId, { type: 'postpone' }),
  ),
  previewPass: looks({}, async (_wish, panel) => {
    const preview = await panel.inspection.preview();
    if (preview === undefined) return 'This policy exists only in replays. It plans nothing ahead.';
    // The rows use the same files as the preview.
    panel.redraw();
    return answered(preview);
  }),
  fetchDecisions: looks({ number }, ({ number }, { inspection }) => {
    const decisions = inspection.decisions(number);
    return decisions === undefined ? `There is no pass ${number}.` : answered(decisions);
  }),
  /** What the check of a pass's summaries found. */
  fetchSummaryFindings: looks({ number }, ({ number }, { inspection }) => {
    const findings = summaryFindingsView(inspection.inspected.window, number);
    return findings === undefined ? `There is no pass ${number}.` : answered(findings);
  }),
  exportPass: looks({ number }, ({ number }, panel) => panel.openPassReport(number)),
};
