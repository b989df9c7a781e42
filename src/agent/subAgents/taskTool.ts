/** The name of the tool that starts sub-agents. */
export const TASK_TOOL = 'task';
