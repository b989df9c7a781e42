import type { Preparation, ToolOutput } from '../agent/tool';

/** Answers a call that did what was asked. */
export function succeeded(text: string): ToolOutput {
  return { text, isError: false };
}

/** Answers a call that could not be done; the text tells the model what to do about it. */
export function failed(text: string): ToolOutput {
  return { text, isError: true };
}

/** Refuses a call before anything happens. */
export function refused(message: string): Preparation {
  return { ok: false, message };
}
