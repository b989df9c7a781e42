import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import { frontMatterOf } from '../memory/frontMatter';
import { unknownKeys } from '../memory/instructionForms';
import type { Workspace } from '../workspace';

/** A sub-agent that a file of the project describes. */
export interface AgentDescription {
  readonly name: string;
  /** When to use it, in one line. */
  readonly description: string;
  /** What it is told in addition to its task. */
  readonly instructions: string;
  /** As the file names it; absent for the session's model. */
  readonly model?: string;
  /** Names of the tools it gets; absent for all. */
  readonly tools?: readonly string[];
}

/** The sub-agents of a project, and what of their files is not used, as sentences. */
export interface FoundAgents {
  readonly agents: readonly AgentDescription[];
  readonly problems: readonly string[];
}

/** Folders of agent files, Claude Code's and Copilot's, with the endings of their names. */
const FOLDERS = [
  { folder: '.claude/agents', ending: /\.md$/ },
  { folder: '.github/agents', ending: /(?:\.agent)?\.md$/ },
] as const;

/** The keys that are understood, or that only describe an agent. */
const KEYS = ['name', 'description', 'model', 'tools', 'color'];

/** Most files that are read. */
const MOST_FILES = 50;

/** Longest description and instructions; characters. A description is part of every request. */
const LONGEST_DESCRIPTION = 400;
const LONGEST_INSTRUCTIONS = 24_000;

/** Tools of Claude Code and Copilot by Plimsoll's names for the same. */
const SAME_TOOLS: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file'],
  grep: ['search_text'],
  glob: ['list_files'],
  ls: ['list_files'],
  search: ['search_text', 'list_files'],
  edit: ['edit_file', 'create_file'],
  multiedit: ['edit_file'],
  write: ['create_file', 'edit_file'],
  bash: ['run_command'],
  execute: ['run_command'],
  webfetch: ['fetch_url'],
  fetch: ['fetch_url'],
};

/** Reads the files that describe sub-agents. Of two with one name the first counts. */
export async function findAgents(
  workspace: Pick<Workspace, 'listFiles' | 'readFile'>,
  toolNames: readonly string[],
  signal: AbortSignal,
): Promise<FoundAgents> {
  const agents = new Map<string, AgentDescription>();
  const problems: string[] = [];
  for (const { folder, ending } of FOLDERS) {
    const listed = await workspace.listFiles(
      { path: folder, glob: '**/*.md', limit: MOST_FILES },
      signal,
    );
    for (const path of listed.ok ? listed.paths : []) {
      const read = await workspace.readFile(path);
      if (!read.ok) {
        problems.push(`${visiblePath(path)} is not used as a sub-agent: ${read.message}`);
        continue;
      }
      const fileName = path.slice(path.lastIndexOf('/') + 1).replace(ending, '');
      const found = agentIn(path, fileName, read.text, toolNames);
      problems.push(...found.problems);
      if (found.agent === undefined) continue;
      if (!agents.has(found.agent.name)) agents.set(found.agent.name, found.agent);
      else problems.push(`${visiblePath(path)} is not used: another file has its name.`);
    }
  }
  return { agents: [...agents.values()], problems };
}

function agentIn(
  path: string,
  fileName: string,
  text: string,
  toolNames: readonly string[],
): { readonly agent?: AgentDescription; readonly problems: readonly string[] } {
  const { fields, body } = frontMatterOf(text.replace(/^\uFEFF/, ''));
  const named = fields.get('name')?.[0]?.trim() ?? '';
  const name = named === '' ? fileName : named;
  const description = visibleLine((fields.get('description') ?? []).join(' ').trim());
  const instructions = body.trim();
  const why =
    description === ''
      ? 'it has no description'
      : instructions.length > LONGEST_INSTRUCTIONS
        ? `it has more than ${LONGEST_INSTRUCTIONS} characters`
        : !/^[\w][\w .-]{0,59}$/.test(name)
          ? 'its name is longer than 60 characters or has other characters than letters and digits'
          : undefined;
  if (why !== undefined) {
    return { problems: [`${visiblePath(path)} is not used as a sub-agent: ${why}.`] };
  }
  const wanted = fields.get('tools')?.flatMap((value) => value.split(','));
  const { tools, missing } = toolsNamed(wanted, toolNames);
  const model = fields.get('model')?.[0]?.trim() ?? '';
  const agent = {
    name,
    description: description.slice(0, LONGEST_DESCRIPTION),
    instructions,
    ...(model === '' || model === 'inherit' ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
  };
  const problems = [...unknownKeys(path, [...fields.keys()], KEYS)];
  if (missing.length > 0) {
    const names = visibleLine(missing.join(', '));
    problems.push(`The sub-agent ${name} works without ${names}: there is no such tool.`);
  }
  return { agent, problems };
}

/** The tools that a file names, by Plimsoll's names; `*` stands for all. */
function toolsNamed(
  wanted: readonly string[] | undefined,
  known: readonly string[],
): { readonly tools?: readonly string[]; readonly missing: readonly string[] } {
  const names = wanted?.map((one) => one.trim()).filter((one) => one !== '') ?? [];
  if (names.length === 0 || names.includes('*')) return { missing: [] };
  const tools = new Set<string>();
  const missing: string[] = [];
  for (const name of names) {
    const same = known.includes(name) ? [name] : (SAME_TOOLS[name.toLowerCase()] ?? []);
    const there = same.filter((one) => known.includes(one));
    if (there.length === 0) missing.push(name);
    for (const one of there) tools.add(one);
  }
  return { tools: [...tools], missing };
}
