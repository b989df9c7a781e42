import {
  compactionBeta,
  contextManagementBeta,
  type ContextEdit,
  type InputTokens,
} from './contextEdit';
import { turnsOf } from '../conversation';
import type { CountRequest } from '../messagesApi';
import { thinks, type OfflineModel } from '../models';
import {
  boolean,
  integer,
  list,
  nullable,
  oneOf,
  record,
  tagged,
  text,
  type Shape,
  isObject,
} from './fieldShapes';

const smallestCompactTrigger = 50_000;

const amount = (type: string, min: number) => record({ type: oneOf(type), value: integer(min) });

const clearThinking = record(
  { type: oneOf('clear_thinking_20251015') },
  {
    keep: (value, path) =>
      value === 'all'
        ? undefined
        : tagged({
            thinking_turns: amount('thinking_turns', 1),
            all: record({ type: oneOf('all') }),
          })(value, path),
  },
);

const names = list(text({ min: 1 }));

const clearToolUses = record(
  { type: oneOf('clear_tool_uses_20250919') },
  {
    trigger: tagged({
      input_tokens: amount('input_tokens', 1),
      tool_uses: amount('tool_uses', 1),
    }),
    keep: amount('tool_uses', 0),
    clear_at_least: nullable(amount('input_tokens', 0)),
    exclude_tools: nullable(names),
    clear_tool_inputs: nullable((value, path) =>
      Array.isArray(value) ? names(value, path) : boolean(value, path),
    ),
  },
);

const compactFields = record(
  { type: oneOf('compact_20260112') },
  {
    trigger: nullable(amount('input_tokens', 0)),
    instructions: nullable(text()),
    pause_after_compaction: boolean,
  },
);

const compact: Shape = (value, path) => {
  const fault = compactFields(value, path);
  if (fault !== undefined || !isObject(value)) return fault;
  const trigger = value['trigger'] as InputTokens | null | undefined;
  return trigger && trigger.value < smallestCompactTrigger
    ? `${path}: trigger.value must be at least ${smallestCompactTrigger}`
    : undefined;
};

/**
 * Makes the check of `context_management` for some betas; undefined if none of them has the field.
 */
export function contextManagementShape(betas: readonly string[]): Shape | undefined {
  const compacts = betas.includes(compactionBeta);
  if (!compacts && !betas.includes(contextManagementBeta)) return undefined;
  const edit = tagged({
    clear_thinking_20251015: clearThinking,
    clear_tool_uses_20250919: clearToolUses,
    ...(compacts ? { compact_20260112: compact } : {}),
  });
  return nullable(record({}, { edits: list(edit) }));
}

/**
 * Finds faults in the edits of a request as a whole.
 *
 * The texts on order, on thinking (lightdash/lightdash#23077) and on compaction blocks are the
 * API's own, as clients recorded them; those on repetition and on the model are ours.
 */
export function contextEditFault(request: CountRequest, model: OfflineModel): string | undefined {
  const edits: readonly ContextEdit[] = request.context_management?.edits ?? [];
  const types = edits.map(({ type }) => type);
  const thinkingAt = types.indexOf('clear_thinking_20251015');
  if (thinkingAt > 0) {
    return 'context_management: `clear_thinking_20251015` must be the first strategy in `context_management.edits` when provided';
  }
  const repeated = types.find((type, at) => types.indexOf(type) < at);
  if (repeated !== undefined) {
    return `context_management.edits: Found more than one \`${repeated}\` strategy`;
  }
  const unknown = types.findIndex((type) => !model.contextEdits.includes(type));
  if (unknown >= 0) {
    return `context_management.edits.${unknown}: \`${types[unknown]}\` is not supported for this model`;
  }
  if (thinkingAt === 0 && !thinks(request.thinking, model)) {
    return '`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive';
  }
  if (types.includes('compact_20260112')) return undefined;
  const compaction = turnsOf(request.messages)
    .flatMap(({ blocks }) => blocks)
    .find(({ block }) => block.type === 'compaction');
  return compaction === undefined
    ? undefined
    : `${compaction.path}: \`compaction\` blocks require a \`compact_20260112\` strategy in \`context_management.edits\`.`;
}
