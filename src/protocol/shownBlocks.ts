/** What the panel can be saved as: as it is shown, or the log of the session. */
export type ExportForm = 'html' | 'markdown' | 'jsonl';

/** Which blocks the panel shows where the user chose some, or another order. */
export interface ShownBlocks {
  /** In the order they are shown in. */
  readonly ids: readonly string[];
  /** How they were chosen: "filter “read”, state “Evicted”, “Largest first”". */
  readonly words: string;
}
