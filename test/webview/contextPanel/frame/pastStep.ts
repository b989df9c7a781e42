import { sampleContext } from '../contextViews';

/** The panel at a past step of 58. */
export const past = (at: number) =>
  sampleContext({
    travel: { at, first: 1, last: 58 },
    whyReadOnly: 'This is step 12: go back to now to change anything.',
    busy: false,
  });

export const isDisabled = (element: HTMLElement) =>
  element.getAttribute('aria-disabled') === 'true';
