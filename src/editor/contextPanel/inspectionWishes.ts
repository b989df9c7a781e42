import type { ContextWishes, ExportForm, RequestForm, ShownBlocks } from './wishes';
import type { WhatIfSettings } from './whatIf/state';
import { answered, type WishHandlers } from '../wish';
import type { Inspection } from './inspection';
import { fileLives, livesOf } from './blocks/lives';
import type { RequestAt } from './request/requestAt';
import type { RequestName } from './request/requestDocuments';
import type { Refusal } from '../../contextWindow/result';

/** What the wishes to look at something do. */
export interface InspectionEffects {
  readonly inspection: Inspection;
  /** Draws the panel again. */
  changed(): void;
  openRequest(name: RequestName, form: RequestForm): Promise<void>;
  diffRequests(from: number, to: number | 'next', form: RequestForm): Promise<void>;
  /** Puts text on the clipboard. */
  copy(text: string): Promise<void>;
  /** The request as JSON, as it is sent. */
  rawRequest(at: RequestAt): string;
  /** `shown` are the blocks the panel shows; absent for all of them, in order. */
  exportView(form: ExportForm, shown: ShownBlocks | undefined): Promise<Refusal>;
  exportPass(number: number): Promise<Refusal>;
  forkAt(step: number): Promise<Refusal>;
  /** Opens the user's profile in an editor, or says why not. */
  openProfile(): Promise<Refusal>;
  handOver(): Promise<Refusal>;
  closeSession(): Promise<Refusal>;
  openLinked(session: string): Promise<Refusal>;
  /** Stores settings the user has confirmed, or replays the recording with them. */
  applySettings(settings: WhatIfSettings): Promise<Refusal>;
  openRecording(): Promise<void>;
  closeRecording(): void;
  followRecording(following: boolean): Refusal;
  dismissIntro(): void;
  dismissCapNotice(): void;
}

const NO_BLOCK = 'There is no such block in this session.';

const NO_VIEW = 'The log does not hold what this block shows of files, and why.';
const NO_STEP = 'There is no such step in this session.';
const NO_EXCHANGE = 'The log does not hold what was asked for this summary.';
const NO_ANSWER = 'No answer came: the ledger says why.';

/** Handlers of the wishes to look at something; none of these changes a session. */
export type InspectionHandlers = ReturnType<typeof inspectionHandlers>;

/** Fulfils the wishes to look at something, or says why not. */
export function inspectionHandlers(effects: InspectionEffects) {
  const { inspection } = effects;
  const isStep = (step: number | 'next') => inspection.requestAt(step) !== undefined;
  return {
    travelTo: async ({ at }) => {
      const refusal = await inspection.travelTo(at);
      effects.changed();
      return refusal;
    },
    fetchDecisions: ({ number }) => {
      const decisions = inspection.decisions(number);
      return decisions === undefined ? `There is no pass ${number}.` : answered(decisions);
    },
    fetchLives: ({ blockId }) => {
      const lives = livesOf(inspection.lifeFacts, blockId);
      return lives === undefined ? NO_BLOCK : answered(lives);
    },
    fetchExcerpts: ({ blockId }) => {
      const shown = inspection.shownExcerpts(blockId);
      return shown === undefined ? NO_VIEW : answered(shown);
    },
    fetchFiles: () => answered(fileLives(inspection.lifeFacts)),
    previewPass: async () => {
      const preview = await inspection.preview();
      if (preview === undefined)
        return 'This policy exists only in replays. It plans nothing ahead.';
      // What would leave next is drawn from the same files.
      effects.changed();
      return answered(preview);
    },
    whatIf: async ({ settings }) => answered(await inspection.whatIf(settings)),
    applyWhatIf: ({ settings }) => effects.applySettings(settings),
    fetchRequest: ({ step }) => {
      const view = inspection.requestView(step);
      return view === undefined ? NO_STEP : answered(view);
    },
    openRequest: ({ step, form }) => (isStep(step) ? effects.openRequest(step, form) : NO_STEP),
    openExchange: ({ summaryId, side, form }) => {
      const exchange = inspection.exchangeAt(summaryId);
      if (exchange === undefined) return NO_EXCHANGE;
      if (side === 'answered' && exchange.answered === undefined) return NO_ANSWER;
      return effects.openRequest({ summaryId, side }, side === 'asked' ? form : 'readable');
    },
    copyRequest: ({ step }) => {
      const at = inspection.requestAt(step);
      return at === undefined ? NO_STEP : effects.copy(effects.rawRequest(at));
    },
    diffRequests: ({ from, to, form }) =>
      isStep(from) && isStep(to) ? effects.diffRequests(from, to, form) : NO_STEP,
    exportView: ({ form, shown }) => effects.exportView(form, shown),
    exportPass: ({ number }) => effects.exportPass(number),
    forkAt: ({ step }) => effects.forkAt(step),
    openProfile: () => effects.openProfile(),
    handOver: () => effects.handOver(),
    closeSession: () => effects.closeSession(),
    openLinked: ({ session }) => effects.openLinked(session),
    openRecording: () => effects.openRecording(),
    closeRecording: () => effects.closeRecording(),
    followRecording: ({ following }) => effects.followRecording(following),
    dismissIntro: () => effects.dismissIntro(),
    dismissCapNotice: () => effects.dismissCapNotice(),
  } satisfies Partial<WishHandlers<ContextWishes>>;
}
