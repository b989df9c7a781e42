import * as z from 'zod/mini';
import type { AgentDescription } from '../agent/subAgents/agentFile';
import { MOST_AT_ONCE, TASK_TOOL } from '../agent/subAgents/subAgents';
import type { Tool } from '../agent/tool';
import { refused } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';
import { defineTool, failed } from './defineTool';

const filled = z.refine<string>((text) => text.trim() !== '', 'must not be empty');

/** Hands tasks to sub-agents; `agents` are those that the project describes. */
export function taskTool(agents: readonly AgentDescription[]): Tool {
  const lines = agents.map(({ name, description }) => `\n- ${name}: ${description}`);
  const described = lines.length === 0 ? '' : ` Agents of this project:${lines.join('')}`;
  return defineTool({
    name: TASK_TOOL,
    description:
      'Hands a task to a sub-agent, which has a context window of its own, and returns its last ' +
      'reply. For work that reads much and is answered briefly, such as a broad search or a review. ' +
      'It sees nothing of this conversation, so the prompt must say all it needs. Calls in one reply ' +
      `run at the same time, at most ${MOST_AT_ONCE}.${described}`,
    input: z.strictObject({
      title: z.string().check(filled, z.maxLength(60), z.describe('Three to six words.')),
      prompt: z.string().check(filled),
      agent: z.optional(z.string()).check(z.describe('Name of an agent of this project.')),
      model: z.optional(z.string()),
      tools: z
        .optional(z.array(z.string()))
        .check(z.describe('Names of the tools it gets; without it all.')),
    }),
    async prepare({ title, prompt, agent, model, tools }) {
      const described = agents.find(({ name }) => name === agent);
      if (agent !== undefined && described === undefined) {
        const names = agents.map(({ name }) => name).join(', ');
        const there = names === '' ? 'The project describes none.' : `There are: ${names}.`;
        return refused(`${TASK_TOOL} was not run: there is no agent "${agent}". ${there}`);
      }
      return {
        ok: true,
        call: {
          action: `The task "${title}"`,
          task: {
            name: described?.name ?? visibleLine(title),
            prompt,
            instructions: described?.instructions ?? '',
            model: model ?? described?.model,
            ...(model === undefined ? {} : { isModelOfCall: true }),
            tools: tools ?? described?.tools,
          },
          run: async () => failed('No sub-agent can run here.'),
        },
      };
    },
  });
}
