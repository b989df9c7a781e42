import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Preparation, Tool, ToolContext, ToolOutput } from '../agent/tool';
import { refused } from '../contextWindow/result';

// Zod's messages go to the model, so they must be in English.
z.config(en());

interface ToolSpec<S extends z.ZodMiniObject> {
  readonly name: string;
  readonly description: string;
  /** Its description in a small window; without it, `more_tools` calls it there. */
  readonly brief?: string;
  /** Strict: the model must hear about an unknown parameter. */
  readonly input: S;
  prepare(input: z.output<S>, context: ToolContext): Promise<Preparation>;
}

/** Makes a tool that checks its input against a schema before `prepare`. */
export function defineTool<S extends z.ZodMiniObject>(spec: ToolSpec<S>): Tool {
  const { name, description, brief, input } = spec;
  const inputSchema = jsonSchemaOf(input);
  return {
    definition: { name, description, inputSchema },
    ...(brief === undefined
      ? {}
      : { brief: { name, description: brief, inputSchema: bareSchema(inputSchema) } }),
    async prepare(raw, context) {
      const parsed = input.safeParse(raw);
      if (parsed.success) return spec.prepare(parsed.data, context);
      const problems = parsed.error.issues.map((issue) => problemText(issue, input));
      return refused(`${name} was not run: ${problems.join('; ')}.`);
    },
  };
}

/** The schema for the API, without zod's extras. */
function jsonSchemaOf(input: z.ZodMiniObject): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}

/** What a schema says besides names and types; a wrong input is refused with the reason. */
const BEYOND_TYPES: ReadonlySet<string> = new Set(
  'description additionalProperties minimum maximum minLength maxLength minItems maxItems'.split(
    ' ',
  ),
);

/** A schema with names and types only. */
function bareSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (BEYOND_TYPES.has(key)) return [];
      return [[key, key === 'properties' ? bareProperties(value) : bareValue(value)]];
    }),
  );
}

/** The names of parameters are not words of the schema. */
function bareProperties(properties: unknown): Record<string, unknown> {
  const entries = Object.entries(properties as Readonly<Record<string, unknown>>);
  return Object.fromEntries(entries.map(([name, value]) => [name, bareValue(value)]));
}

function bareValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return bareSchema(value as Readonly<Record<string, unknown>>);
}

function problemText(issue: z.core.$ZodIssue, input: z.ZodMiniObject): string {
  const name = `"${issue.path.join('.')}"`;
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(input.shape).join(', ');
    return `unknown parameter ${issue.keys.map((key) => `"${key}"`).join(', ')}; it takes ${known}`;
  }
  if (issue.code === 'invalid_type') {
    const missing = issue.message.endsWith('received undefined');
    const wanted = issue.expected === 'int' ? 'whole number' : issue.expected;
    return missing ? `${name} is missing (${wanted})` : `${name} must be of type ${wanted}`;
  }
  return issue.path.length === 0 ? issue.message : `${name}: ${issue.message}`;
}

/** The result of a call that succeeded. */
export function succeeded(text: string): ToolOutput {
  return { text, isError: false };
}

/** The result of a call that failed; the text tells the model what to do. */
export function failed(text: string): ToolOutput {
  return { text, isError: true };
}
