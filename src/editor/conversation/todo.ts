/** The checklist of the agent's notes, as webviews write and read its lines. */
export { todoItem, todoLine } from '../../contextWindow/scratchpad';
