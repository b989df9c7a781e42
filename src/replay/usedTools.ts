import type { ToolDefinition } from '../contextWindow/event';
import type { Transcript } from '../sessions/transcript';

/** The API defines no tool by another name. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/**
 * Defines the tools a recording uses where it leaves the definitions out: the API takes no tool call
 * without them. Their real ones are not known, so any input is allowed.
 */
export function withUsedTools(transcript: Transcript): Transcript {
  if (transcript.tools.length > 0) return transcript;
  const names = transcript.entries
    .flatMap((entry) => (entry.type === 'reply' ? entry.parts : []))
    .flatMap((part) => (part.type === 'toolUse' ? [part.use.name] : []));
  const tools = [...new Set(names)].filter((name) => TOOL_NAME.test(name)).map(openTool);
  return { ...transcript, tools };
}

function openTool(name: string): ToolDefinition {
  return {
    name,
    description: 'A tool of the recorded agent.',
    inputSchema: { type: 'object' },
  };
}
