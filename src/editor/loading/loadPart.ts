import { errorText } from '../../contextWindow/result';

/**
 * Waits for a part of Plimsoll that is loaded on first use. If that fails, the error says so in
 * words for the user.
 */
export async function loadPart<T>(name: string, part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    // Node adds, line by line, the files that asked for it.
    const [why] = errorText(error).split('\n');
    const message = `${name} could not be loaded. Reload the window; if that does not help, install Plimsoll again. (${why})`;
    throw new Error(message, { cause: error });
  }
}
