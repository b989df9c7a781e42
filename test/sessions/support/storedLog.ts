import { readSessionLog } from '../../../src/sessions/readSessionLog';
import { callsTools, dated, finished, prompt, started } from './sampleEvents';

/** A short session: a prompt, a reply that calls a tool, and its result. */
export const EVENTS = dated(started, prompt('Fix it'), callsTools('a'), finished('a'));

/** Reads a log that can be read. */
export function readWhole(file: string) {
  const result = readSessionLog(file);
  if (!result.ok) throw new Error(result.message);
  return result;
}

/** An event as a log has it. */
export const line = (event: object) => `${JSON.stringify(event)}\n`;
