/** Pure helpers of the core that the webviews use. */
export { todoItem, todoLine } from '../contextWindow/scratchpad';
export { lineCount, visiblePath, visiblePieces } from '../contextWindow/visibleText';
