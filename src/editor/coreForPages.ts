/** Pure helpers of the core that the webviews use. */
export {
  countText,
  dollarAmountText,
  dollarText,
  ESTIMATE_MARK,
  percentText,
} from '../contextWindow/amount';
export { type Mode, MODE_NAMES, MODES } from '../contextWindow/mode';
export { type Amount, policyLabel } from '../contextWindow/plan';
export { SCRATCHPAD_FIELDS, todoItem, todoLine } from '../contextWindow/scratchpad';
export { lineCount, visiblePath, visiblePieces } from '../contextWindow/visibleText';
