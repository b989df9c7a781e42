/** Reads and writes lines of the agent's checklist, for webviews. */
export { todoItem, todoLine } from '../../contextWindow/scratchpad';
