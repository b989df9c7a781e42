import type { Answer } from '../protocol/answer';
import type { ContextWish, RequestForm } from '../protocol/contextPanel';
import type { Handlers } from '../protocol/handlers';
import type { ExportForm, ShownBlocks } from '../protocol/shownBlocks';
import type { Refusal } from '../protocol/refusal';
import type { Inspection } from '../views/inspection';
import { requestText, requestView } from '../views/requestView';
import type { WhatIfSettings } from '../protocol/whatIf';
import type { RequestAt } from '../views/requestAt';

/** Wishes to look at something; none changes a session. */
export type InspectionWish = Extract<
  ContextWish,
  {
    readonly type:
      | 'travelTo'
      | 'fetchDecisions'
      | 'previewPass'
      | 'whatIf'
      | 'applyWhatIf'
      | 'fetchRequest'
      | 'openRequest'
      | 'copyRequest'
      | 'diffRequests'
      | 'exportView'
      | 'exportPass'
      | 'forkAt'
      | 'openRecording'
      | 'closeRecording'
      | 'followRecording'
      | 'dismissIntro';
  }
>;

/** What those wishes lead to. */
export interface InspectionEffects {
  readonly inspection: Inspection;
  answer(answer: Answer): void;
  /** Draws the panel anew. */
  changed(): void;
  openRequest(step: number | 'next', form: RequestForm): Promise<void>;
  diffRequests(from: number, to: number | 'next', form: RequestForm): Promise<void>;
  /** Puts text on the clipboard. */
  copy(text: string): Promise<void>;
  /** The request as JSON, as it is sent. */
  rawRequest(at: RequestAt): string;
  /** `shown` are the blocks the panel shows; absent for all of them, in order. */
  exportView(form: ExportForm, shown: ShownBlocks | undefined): Promise<Refusal>;
  exportPass(number: number): Promise<Refusal>;
  forkAt(step: number): Promise<Refusal>;
  /** Stores settings the user has confirmed, or replays the recording with them. */
  applySettings(settings: WhatIfSettings): Promise<Refusal>;
  openRecording(): Promise<void>;
  closeRecording(): void;
  followRecording(following: boolean): Refusal;
  dismissIntro(): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<void>): void;
}

const NO_STEP = 'There is no such step in this session.';

/** Fulfils the wishes to look at something, or says why not. */
export function inspectionHandlers(effects: InspectionEffects): Handlers<InspectionWish> {
  const { inspection, answer, background } = effects;
  const refuse = (message: Refusal) => {
    if (message !== undefined) answer({ type: 'wishRefused', message });
  };
  const later = (work: () => Promise<Refusal>) => background(async () => refuse(await work()));
  const isStep = (step: number | 'next') => inspection.requestAt(step) !== undefined;
  return {
    travelTo: ({ at }) =>
      later(async () => {
        const refusal = await inspection.travelTo(at);
        effects.changed();
        return refusal;
      }),
    fetchDecisions: ({ number }) => {
      const decisions = inspection.decisions(number);
      if (decisions === undefined) return refuse(`There is no pass ${number}.`);
      answer({ type: 'decisionsFetched', number, decisions });
    },
    previewPass: () => {
      const preview = inspection.preview();
      if (preview !== undefined) return answer({ type: 'previewShown', preview });
      refuse('This policy exists in a replay only: it plans nothing ahead.');
    },
    whatIf: ({ settings }) => answer({ type: 'whatIfShown', whatIf: inspection.whatIf(settings) }),
    applyWhatIf: ({ settings }) =>
      background(async () => {
        const refusal = await effects.applySettings(settings);
        if (refusal === undefined) answer({ type: 'wishFulfilled' });
        else refuse(refusal);
      }),
    fetchRequest: ({ step }) => {
      const at = inspection.requestAt(step);
      if (at === undefined) return refuse(NO_STEP);
      answer({ type: 'requestFetched', request: requestView(at, step) });
    },
    openRequest: ({ step, form }) =>
      isStep(step) ? background(() => effects.openRequest(step, form)) : refuse(NO_STEP),
    copyRequest: ({ step }) => {
      const at = inspection.requestAt(step);
      if (at === undefined) return refuse(NO_STEP);
      background(async () => {
        await effects.copy(effects.rawRequest(at));
        answer({ type: 'wishFulfilled' });
      });
    },
    diffRequests: ({ from, to, form }) =>
      isStep(from) && isStep(to)
        ? background(() => effects.diffRequests(from, to, form))
        : refuse(NO_STEP),
    exportView: ({ form, shown }) => later(() => effects.exportView(form, shown)),
    exportPass: ({ number }) => later(() => effects.exportPass(number)),
    forkAt: ({ step }) => later(() => effects.forkAt(step)),
    openRecording: () => background(() => effects.openRecording()),
    closeRecording: () => effects.closeRecording(),
    followRecording: ({ following }) => refuse(effects.followRecording(following)),
    dismissIntro: () => effects.dismissIntro(),
  };
}

/** The text of a request as an editor shows it. */
export function documentOf(
  at: RequestAt,
  form: RequestForm,
  raw: (at: RequestAt) => string,
): string {
  return form === 'raw' ? raw(at) : requestText(at);
}
