/** A sentence that says why something was not done; undefined if it was done. */
export type Refusal = string | undefined;

/** A refusal; `message` says why. */
export interface Refused {
  readonly ok: false;
  readonly message: string;
}

/** Either a value, or a sentence that says why there is none. */
export type Result<T> = ({ readonly ok: true } & T) | Refused;

export function refused(message: string): Refused {
  return { ok: false, message };
}

/** The message of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
