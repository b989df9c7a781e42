import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent } from '../agent/agentEvent';

/** Removes colour codes from live output: the views show text. */
export function readable(event: AgentEvent): AgentEvent {
  return event.type === 'toolOutput'
    ? { ...event, text: stripVTControlCharacters(event.text) }
    : event;
}
