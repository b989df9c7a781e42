import { act } from 'preact/test-utils';
import { onTestFinished, vi } from 'vitest';
import type { ContextWish } from '../../../../src/editor/contextPanel/wishes';
import type { WhatIfSettings, WhatIfView } from '../../../../src/editor/contextPanel/whatIf/state';
import { commit } from '../commit';
import {
  balanceOf,
  sampleBlocks,
  sampleContext,
  samplePlan,
  SAMPLE_SETTINGS,
} from '../contextViews';
import { drawPanel } from '../drawnPanel';

/** Delays the frames of the page; the returned function draws the next one. */
function holdFrames(): () => void {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void (frames[id - 1] = () => undefined));
  onTestFinished(() => void vi.unstubAllGlobals());
  return () => void act(() => frames.splice(0).forEach((frame) => frame()));
}

type Made = Partial<Extract<WhatIfView, { ok: true }>>;

/** The host's answer: the sample's settings with some changes, and their result. */
export const viewOf = (changes: Partial<WhatIfSettings> = {}, made: Made = {}): WhatIfView => ({
  settings: { ...SAMPLE_SETTINGS, ...changes },
  marks: { inputBudget: 26_880, highTokens: 21_504, lowTokens: 13_440 },
  ok: true,
  balance: balanceOf(sampleBlocks()),
  due: false,
  plan: samplePlan(),
  ...made,
});

/**
 * The panel with an open and answered what-if dialog; `asked` draws a frame and returns the new
 * wishes.
 */
export const opened = (whatIf = viewOf()) => {
  const nextFrame = holdFrames();
  const panel = drawPanel(sampleContext());
  panel.one('what-if').focus();
  panel.click(panel.one('what-if'));
  panel.answer({ type: 'answered', data: whatIf });
  panel.wishes.length = 0;
  const field = (name: string) => panel.one(`number-${name}`) as HTMLInputElement;
  const slider = (name: string) => panel.one(`slider-${name}`) as HTMLInputElement;
  const asked = (): readonly ContextWish[] => {
    nextFrame();
    return panel.wishes;
  };
  const choosePolicy = (policy: string): void => {
    const select = panel.one('policy') as HTMLSelectElement;
    select.value = policy;
    commit(select);
  };
  return { ...panel, field, slider, asked, choosePolicy };
};

/** The request for the sample's settings with some changes. */
export const wished = (changes: Partial<WhatIfSettings>): ContextWish => ({
  type: 'whatIf',
  settings: { ...SAMPLE_SETTINGS, ...changes },
});
