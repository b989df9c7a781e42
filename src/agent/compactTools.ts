import type { ToolUse } from '../contextWindow/block';
import { isSmallWindow } from '../contextWindow/budget';
import type { ToolDefinition } from '../contextWindow/event';
import { preambleOf } from '../contextWindow/request/request';
import { refused } from '../contextWindow/result';
import type { ContextWindow } from '../contextWindow/window';
import type { AgentSettings } from './agentDeps';
import type { Tool } from './tool';

/** In a small window this tool calls those that have no short description of their own. */
export const MORE_TOOLS = 'more_tools';

/** Fewer tools than this stay as they are: a tool that calls others takes about 100 tokens. */
const LEAST_HELD = 3;

/** Longest line about a tool in the description of `more_tools`, characters. */
const LONGEST_LINE = 200;

/**
 * Whether the next request gets the compact tool set. A window that is enlarged in the middle of a
 * session keeps it until the model changes: other tools would start a new prompt cache.
 */
export function isCompact(
  { preamble, step, model: before }: ContextWindow,
  { budget, model }: Pick<AgentSettings, 'budget' | 'model'>,
): boolean {
  if (isSmallWindow(budget)) return true;
  return step > 0 && before === model && preamble.tools.some(({ name }) => name === MORE_TOOLS);
}

/** The definitions of the tools for a request, whole or compact. */
export function definitionsOf(tools: readonly Tool[], compact: boolean): readonly ToolDefinition[] {
  const held = compact ? heldIn(tools) : [];
  const own = tools.filter((tool) => !held.includes(tool));
  return [
    ...own.map(({ definition, brief }) => (compact ? (brief ?? definition) : definition)),
    ...(held.length === 0 ? [] : [moreTools(held).definition]),
  ];
}

/** The text that each tool adds to a request, by its name. */
export function textsSent(tools: readonly Tool[], compact: boolean): ReadonlyMap<string, string> {
  const held = compact ? heldIn(tools) : [];
  return new Map(
    tools.map((tool) => {
      const { definition, brief } = tool;
      const sent = compact ? (brief ?? definition) : definition;
      const [whole] = preambleOf({ system: '', tools: [sent] }).tools;
      return [definition.name, held.includes(tool) ? lineOf(definition) : JSON.stringify(whole)];
    }),
  );
}

/** The tool that a call names, whether the request had it or `more_tools` in its place. */
export function toolNamed(tools: readonly Tool[], name: string): Tool | undefined {
  const found = tools.find(({ definition }) => definition.name === name);
  return found ?? (name === MORE_TOOLS ? moreTools(tools) : undefined);
}

/**
 * The call that a call of `more_tools` asks for; it is approved, logged and shown as that call, and
 * sent as a call of `more_tools`. Other calls stay as they are.
 */
export function calledThrough(use: ToolUse, tools: readonly Tool[]): ToolUse {
  const { tool: name, input, ...rest } = use.input;
  if (use.name !== MORE_TOOLS || use.inputFault !== undefined) return use;
  const asked = objectOf(input);
  const isKnown = tools.some(({ definition }) => definition.name === name);
  if (!isKnown || asked === undefined || Object.keys(rest).length > 0) return use;
  return { id: use.id, name: String(name), input: asked, via: MORE_TOOLS };
}

/** Small models sometimes write an object as text. */
function objectOf(input: unknown): Readonly<Record<string, unknown>> | undefined {
  let read = input;
  try {
    if (typeof input === 'string') read = JSON.parse(input);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  return read as Readonly<Record<string, unknown>>;
}

function heldIn(tools: readonly Tool[]): readonly Tool[] {
  const held = tools.filter(({ brief }) => brief === undefined);
  return held.length < LEAST_HELD ? [] : held;
}

/** `more_tools` for these tools. It only runs a call that names none of them, or has no input. */
function moreTools(tools: readonly Tool[]): Tool {
  const names = tools.map(({ definition }) => definition.name);
  return {
    definition: {
      name: MORE_TOOLS,
      description:
        'Calls one of the tools below: tool is its name, input an object with its parameters (? is ' +
        'optional). Without input, it returns the whole description of the tool.\n' +
        tools.map(({ definition }) => lineOf(definition)).join('\n'),
      inputSchema: {
        type: 'object',
        properties: { tool: { type: 'string' }, input: { type: 'object' } },
        required: ['tool'],
      },
      holds: names,
    },
    prepare({ tool: name, input }) {
      const tool = tools.find(({ definition }) => definition.name === name);
      const why =
        tool === undefined
          ? `there is no tool "${String(name)}". The tools are: ${names.join(', ')}`
          : `it takes tool and input, an object with the parameters of ${String(name)}`;
      if (tool === undefined || input !== undefined) {
        return Promise.resolve(refused(`${MORE_TOOLS} was not run: ${why}.`));
      }
      const { description, inputSchema } = tool.definition;
      const text = `${description}\nInput, as JSON schema: ${JSON.stringify(inputSchema)}`;
      const run = () => Promise.resolve({ text, isError: false });
      return Promise.resolve({ ok: true, call: { action: `The description of ${name}`, run } });
    },
  };
}

/** A tool in one line: its parameters, and the first sentence of its description. */
function lineOf({ name, description, inputSchema }: ToolDefinition): string {
  const [first = ''] = description.split(/(?<=\.)\s|\n/, 1);
  const line = `- ${name}(${parametersOf(inputSchema)}): ${first}`;
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}

type Schema = Readonly<Record<string, unknown>>;

function parametersOf({ properties = {}, required = [] }: Schema): string {
  const needed = new Set(required as readonly string[]);
  return Object.entries(properties as Readonly<Record<string, Schema>>)
    .map(([name, schema]) => {
      const type = typeOf(schema);
      return `${name}${needed.has(name) ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
    })
    .join(', ');
}

function typeOf(schema: Schema): string {
  const { type, enum: values, items } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join('|');
  if (type === 'array') return `${typeOf((items ?? {}) as Schema)}[]`;
  if (type === 'object') return `{${parametersOf(schema)}}`;
  return typeof type === 'string' ? type : 'any';
}
