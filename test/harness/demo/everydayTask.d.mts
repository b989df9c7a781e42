/** What the driver of the everyday task types. */
export const PROMPT: string;
