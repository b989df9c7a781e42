/** Why something was not done, in a sentence; undefined when it was done. */
export type Refusal = string | undefined;

/** Something that was not done; `message` says why. */
export interface Refused {
  readonly ok: false;
  readonly message: string;
}

/** What a function returns that either has a value or says why it has none. */
export type Result<T> = ({ readonly ok: true } & T) | Refused;

/** Makes a refusal. */
export function refused(message: string): Refused {
  return { ok: false, message };
}

/** Gives the text of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
