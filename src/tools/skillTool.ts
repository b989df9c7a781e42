import * as z from 'zod/mini';
import { contentHash } from '../agent/memory/projectMemory';
import { frontMatterOf } from '../agent/memory/frontMatter';
import type { ContextWindow } from '../contextWindow/window';
import { refused } from '../contextWindow/result';
import { defineTool, succeeded } from './defineTool';

/** Most files listed beside a skill, and its longest text; characters. */
const MOST_LISTED = 50;
const LONGEST_SKILL = 100_000;

export const skillTool = defineTool({
  name: 'skill',
  description:
    'Returns the instructions of a skill of this project, and the files beside it, which read_file ' +
    'reads. Call it before a task that the description of a <skill> fits.',
  input: z.strictObject({ name: z.string().check(z.describe('The name of the skill.')) }),
  async prepare({ name }, { window, workspace }) {
    const skills = skillsOf(window);
    const found = skills.find((one) => one.skill.name === name);
    if (found === undefined) {
      const names = skills.map((one) => one.skill.name).join(', ');
      return refused(`There is no skill "${name}". The skills are: ${names || 'none'}.`);
    }
    const { path } = found;
    const read = await workspace.readFile(path);
    if (!read.ok) return read;
    const text = read.text.replace(/^\uFEFF/, '');
    if (text.length > LONGEST_SKILL) {
      return refused(`${path} has over ${LONGEST_SKILL} characters: read parts of it.`);
    }
    // Another text than the approved one must not instruct the agent before the user has seen it.
    const isApproved = contentHash(text) === found.skill.hash;
    return {
      ok: true,
      call: {
        ...(isApproved ? {} : { approval: { kind: 'memory', path, text } as const }),
        action: `The use of ${path}`,
        async run(signal) {
          const folder = path.split('/').slice(0, -1).join('/');
          const listed = await workspace.listFiles({ path: folder, limit: MOST_LISTED }, signal);
          const beside = listed.ok ? listed.paths.filter((one) => one !== path) : [];
          const files = beside.length === 0 ? [] : [`Files of the skill:\n${beside.join('\n')}`];
          return succeeded([frontMatterOf(text).body.trim(), ...files].join('\n\n'));
        },
      },
    };
  },
});

/** The skills that the window offers. */
function skillsOf({ preamble: { memory = [] } }: ContextWindow) {
  return memory.flatMap(({ path, skill: offered }) =>
    offered === undefined ? [] : [{ path, skill: offered }],
  );
}
