/** The policy that keeps the newest blocks. */
export const NEWEST: string;

/** Formats the tables of the measurements from the stored columns. */
export function tablesOf(columns: readonly unknown[]): string;

/** The median of sorted numbers. */
export function medianOf(sorted: readonly number[]): number;

/** Formats the table of the libraries that fitted one recording into the same budget. */
export function peersTableOf(peers: unknown): string;

/** Formats the table of what following the pauses saves. */
export function pausesTableOf(pauses: unknown): string;
