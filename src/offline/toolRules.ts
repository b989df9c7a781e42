import type { PlacedBlock, Turn } from './conversation';
import type { CountRequest, ToolUseBlock } from './messagesApi';
import type { OfflineModel } from './models';

const toolUses = (turn: Turn | undefined): readonly ToolUseBlock[] =>
  turn?.role === 'assistant'
    ? turn.blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [block] : []))
    : [];

/** Ids answered by the tool_result blocks a user turn begins with; a later one does not count as an answer. */
function leadingResults(turn: Turn | undefined): readonly string[] {
  const ids: string[] = [];
  if (turn?.role !== 'user') return ids;
  for (const { block } of turn.blocks) {
    if (block.type !== 'tool_result') break;
    ids.push(block.tool_use_id);
  }
  return ids;
}

function repeatedId(turns: readonly Turn[]): string | undefined {
  const seen = new Set<string>();
  for (const { block, path } of turns.flatMap((turn) => turn.blocks)) {
    if (block.type !== 'tool_use') continue;
    if (seen.has(block.id)) return `${path}: \`tool_use\` ids must be unique`;
    seen.add(block.id);
  }
  return undefined;
}

function badResult(results: readonly PlacedBlock[], asked: ReadonlySet<string>) {
  const seen = new Set<string>();
  for (const { block, path } of results) {
    if (block.type !== 'tool_result') continue;
    const id = block.tool_use_id;
    if (!asked.has(id)) {
      return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (seen.has(id)) {
      return `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
    seen.add(id);
  }
  return undefined;
}

/** Finds the first tool_use without its result in the next turn, or the first tool_result without its tool_use. */
export function toolPairFault(turns: readonly Turn[]): string | undefined {
  const repeated = repeatedId(turns);
  if (repeated !== undefined) return repeated;
  for (const [index, turn] of turns.entries()) {
    const answered = leadingResults(turns[index + 1]);
    const open = toolUses(turn).filter(({ id }) => !answered.includes(id));
    if (open.length > 0) {
      const ids = open.map(({ id }) => id).join(', ');
      return `${turn.path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const asked = new Set(toolUses(turns[index - 1]).map(({ id }) => id));
    const fault = turn.role === 'user' ? badResult(turn.blocks, asked) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Finds what is wrong with the tools and the tool choice of a request as a whole. */
export function toolsFault(request: CountRequest, model: OfflineModel): string | undefined {
  const names = (request.tools ?? []).map((tool) => tool.name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const choice = request.tool_choice;
  if (choice === undefined) return undefined;
  if (names.length === 0) return 'tool_choice may only be specified while providing tools.';
  if (choice.name !== undefined && !names.includes(choice.name)) {
    return `Tool '${choice.name}' not found in provided tools`;
  }
  if (choice.type !== 'any' && choice.type !== 'tool') return undefined;
  if (!model.forcedToolUse)
    return `tool_choice.type: '${choice.type}' is not supported for this model`;
  return request.thinking?.type === 'enabled'
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined;
}
