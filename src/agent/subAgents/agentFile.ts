import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import { frontMatterOf } from '../memory/frontMatter';
import { unknownKeys } from '../memory/instructionForms';

/** A sub-agent that a file of the project describes. */
export interface AgentDescription {
  readonly name: string;
  /** When to use it, in one line. */
  readonly description: string;
  /** Its instructions in addition to its task. */
  readonly instructions: string;
  /** As the file names it; absent for the session's model. */
  readonly model?: string;
  /** Names of the tools it gets; absent for all. */
  readonly tools?: readonly string[];
}

/** A folder of agent files. */
interface AgentForm {
  readonly folder: string;
  /** The end of the names of its files. */
  readonly suffix: string;
}

/** The documented forms, Claude Code's and Copilot's. */
export const AGENT_FORMS: readonly AgentForm[] = [
  { folder: '.claude/agents', suffix: '.md' },
  { folder: '.github/agents', suffix: '.md' },
];

/** The keys that are understood, or that only describe an agent. */
const KEYS = ['name', 'description', 'model', 'tools', 'color'];

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

/** A sub-agent, if the file describes one, and what of the file is not used, as sentences. */
interface ReadAgent {
  readonly agent?: AgentDescription;
  readonly problems: readonly string[];
}

/** Reads the description of a sub-agent; without a name it has that of its file. */
export function agentIn(path: string, text: string, toolNames: readonly string[]): ReadAgent {
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.agent)?\.md$/, '');
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
