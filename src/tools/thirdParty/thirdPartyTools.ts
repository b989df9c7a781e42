import { holdsSecret } from '../../agent/secrets';
import type { Tool, ToolOutput } from '../../agent/tool';
import { refused } from '../../contextWindow/result';
import { failed } from '../defineTool';
import { outputOf } from './answerText';
import { usableSchema } from './inputSchema';
import { apiName } from './toolName';

/** A tool of another extension or of an MCP server, as the editor knows it. */
export interface OfferedTool {
  /** The name that its provider gave it, unique in the editor. */
  readonly name: string;
  /** Who provides it, in words. */
  readonly provider: string;
  readonly description: string;
  /** JSON Schema; absent for a tool that takes nothing. */
  readonly inputSchema?: unknown;
  /** Runs it, and gives the parts of its answer; rejects where it failed. */
  readonly invoke: (
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<readonly unknown[]>;
}

/** A tool of others: as the agent can call it, or why it cannot. */
export type ThirdPartyTool = { readonly offered: OfferedTool } & (
  | { readonly tool: Tool }
  /** `why` goes on from "cannot be chosen:". */
  | { readonly why: string }
);

/** Longest description, characters: it is in every request. */
const LONGEST_DESCRIPTION = 10_000;

/** Makes tools of the agent of what others offer; `own` are the names of Plimsoll's. */
export function thirdPartyTools(
  offered: readonly OfferedTool[],
  own: ReadonlySet<string>,
): readonly ThirdPartyTool[] {
  const taken = new Set(own);
  return offered.map((one): ThirdPartyTool => {
    const name = apiName(one.name, own);
    if (taken.has(name)) return { offered: one, why: `another tool has the name ${name}` };
    const read = usableSchema(one.inputSchema);
    if (!read.ok) return { offered: one, why: read.message };
    const { length } = one.description;
    if (length > LONGEST_DESCRIPTION) {
      const [has, most] = [length, LONGEST_DESCRIPTION].map((each) => each.toLocaleString('en-US'));
      return { offered: one, why: `its description has ${has} characters, more than ${most}` };
    }
    taken.add(name);
    const { schema, problemOf } = read.usable;
    const { provider } = one;
    const description = one.description.toWellFormed();
    return {
      offered: one,
      tool: {
        definition: { name, description, inputSchema: schema, provider },
        prepare: async (input) => {
          const problem = problemOf(input);
          if (problem !== undefined) return refused(`${name} was not called: ${problem}.`);
          const shown = JSON.stringify(input, null, 2);
          if (holdsSecret(shown)) {
            return refused(`${name} was not called: its input holds an API key.`);
          }
          return {
            ok: true,
            call: {
              approval: { kind: 'tool', tool: one.name, provider, input: shown },
              action: `The call of ${name}`,
              run: (signal) => answered(one, name, input, signal),
            },
          };
        },
      },
    };
  });
}

async function answered(
  { invoke, provider }: OfferedTool,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  try {
    return outputOf(await invoke(input, signal));
  } catch (error) {
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    if (signal.aborted) return failed(`${name} was stopped: whether it was done is not known.`);
    // This is what the editor throws where the user says no in its own dialog.
    if (kind === 'Canceled' || message === 'Canceled') {
      return failed(`${name} was not run: the question of the editor was answered with no.`);
    }
    return failed(`${name} of ${provider} failed: ${message}`);
  }
}
