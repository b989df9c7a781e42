import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Preparation, Tool, ToolContext, ToolOutput } from '../agent/tool';
import { refused } from '../contextWindow/result';

// Zod's messages go to the model, so they must be in English.
z.config(en());

interface ToolSpec<S extends z.ZodMiniObject> {
  readonly name: string;
  readonly description: string;
  /** Strict: the model must hear about an unknown parameter. */
  readonly input: S;
  prepare(input: z.output<S>, context: ToolContext): Promise<Preparation>;
}

/** Makes a tool that checks its input against a schema before `prepare`. */
export function defineTool<S extends z.ZodMiniObject>(spec: ToolSpec<S>): Tool {
  const { name, description, input } = spec;
  return {
    definition: { name, description, inputSchema: jsonSchemaOf(input) },
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
