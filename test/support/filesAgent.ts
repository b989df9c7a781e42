import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { FilesBlock } from '../../src/contextWindow/block';
import type { AgentDeps, AgentSettings } from '../../src/agent/agentDeps';
import type { Workspace } from '../../src/agent/workspace';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import { editFile } from '../../src/tools/files/editFile';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { readFile } from '../../src/tools/files/readFile';
import { tempFolder } from '../tools/support/tempFolder';
import { POLICY_SETTINGS } from './agentSettings';
import { calls, scriptedAgent, type Beside, type Turn } from './scriptedAgent';

/** Sixty different lines, each with the name of its file. */
export const linesOf = (name: string): readonly string[] =>
  Array.from({ length: 60 }, (_, index) => `${name} says ${index + 1} of something to keep`);

export const textOf = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('');

export const reads = (id: string, path: string): Turn =>
  calls([{ id, name: 'read_file', input: { path } }]);

/** Runs something outside the agent before the model answers. */
export const meanwhile =
  (turn: Turn, what: () => void): Turn =>
  (request) => {
    what();
    return turn(request);
  };

export const NAMES = [...'abcdefghijkl'];
export const FILES = Object.fromEntries(
  NAMES.map((name) => [`${name}.txt`, textOf(linesOf(name))]),
);
export const READS = NAMES.map((name) => reads(`toolu_${name}`, `${name}.txt`));

/** With this share a pass has room for the first files. */
const POLICY: PolicySettings = { ...POLICY_SETTINGS, excerptShare: 0.9 };

/** An agent whose window holds about ten of its files. */
export async function filesAgent(
  files: Readonly<Record<string, string>>,
  script: (root: string) => readonly Turn[],
  more: {
    readonly policy?: PolicySettings;
    readonly change?: (workspace: Workspace) => Workspace;
    readonly settings?: Partial<AgentSettings>;
    readonly rater?: Beside;
    readonly deps?: (root: string) => Partial<AgentDeps>;
  } = {},
) {
  const root = await tempFolder();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  const workspace = makeNodeWorkspace({ folders: oneFolder(root) });
  const agent = scriptedAgent({
    script: script(root),
    ...(more.rater === undefined ? {} : { rater: more.rater }),
    settings: {
      policy: { ...(more.policy ?? POLICY), summaries: false },
      ...more.settings,
    },
    deps: {
      tools: [readFile, editFile],
      workspace: more.change?.(workspace) ?? workspace,
      ...more.deps?.(root),
    },
  });
  return Object.assign(agent, { root });
}

export type FilesAgent = Awaited<ReturnType<typeof filesAgent>>;

export const excerptsOf = ({ session }: FilesAgent): readonly FilesBlock[] =>
  [...session.window.blocks].filter((block): block is FilesBlock => block.kind === 'excerpts');

export const shownOf = (agent: FilesAgent, path: string) =>
  excerptsOf(agent)
    .flatMap(({ shown }) => shown)
    .filter((lines) => lines.path === path);
