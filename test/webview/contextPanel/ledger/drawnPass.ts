import type { PassView } from '../../../../src/editor/contextPanel/ledger/state';
import { sampleContext, samplePass } from '../contextViews';
import { drawPanel } from '../drawnPanel';

/** The panel with one pass, with some changes to the sample's. */
export const drawn = (changes: Partial<PassView> = {}) =>
  drawPanel(sampleContext({ passes: [samplePass(changes)] }));

/** The text of the first element that matches a selector. */
export const textOf = (element: HTMLElement, part: string) =>
  element.querySelector(part)?.textContent;
