/** How an untrusted text is drawn so that all of it can be seen; for the webviews. */
export { lineCount, visiblePath, visiblePieces } from '../contextWindow/visibleText';
