/** What the driver of the everyday task types. */
export const PROMPT: string;
/** Writes what the everyday task expects of its project. */
export function prepareProject(workspace: string): void;
