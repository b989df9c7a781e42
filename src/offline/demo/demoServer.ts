import { startStrictServer } from '../strictServer';
import { demoModel } from './demoModel';

/** Pause between two pieces of a scripted reply, so that it reads like one being written. */
const DELAY_MS = 25;

/** Starts the strict server with the scripted demo behind it. */
export function startDemoServer() {
  return startStrictServer({ respond: demoModel({ delayMs: DELAY_MS }) });
}
