import type { LastingChange } from '../contextWindow/event';
import { visiblePath } from '../contextWindow/visibleText';

/**
 * Which files outlast the session: instructions that later sessions are told, and what git, the
 * editor, a shell or a build server runs by itself. A change of one is a question of its own,
 * which nothing but the user's yes to just this change answers.
 */

/** What a lasting file does, in a sentence for the user and the model. */
export const LASTING_WORDS = {
  instructions: 'Every later session of an agent in this project is told what stands in this file.',
  git: 'Git acts on this file, and may run what stands in it.',
  hook: 'What stands in this file runs by itself when somebody commits, pushes or installs.',
  editor: 'The editor acts on this file when the project is opened, and may run what stands in it.',
  environment: 'A shell may run this file by itself when somebody enters the folder.',
  ci: 'Build servers run what stands in this file, with the rights and secrets they have.',
  scripts: 'What stands in this file runs when somebody builds, tests or installs the project.',
} as const;

export type LastingKind = keyof typeof LASTING_WORDS;

/** Names of files and folders that last wherever they lie, in lower case. */
const NAMES: Readonly<Record<string, LastingKind>> = {
  'agents.md': 'instructions',
  'claude.md': 'instructions',
  'claude.local.md': 'instructions',
  'gemini.md': 'instructions',
  '.cursorrules': 'instructions',
  'copilot-instructions.md': 'instructions',
  '.plimsoll': 'instructions',
  '.claude': 'instructions',
  '.cursor': 'instructions',
  '.git': 'git',
  'git~1': 'git',
  '.gitmodules': 'git',
  '.husky': 'hook',
  '.githooks': 'hook',
  'lefthook.yml': 'hook',
  'lefthook.yaml': 'hook',
  '.pre-commit-config.yaml': 'hook',
  '.vscode': 'editor',
  '.devcontainer': 'editor',
  '.devcontainer.json': 'editor',
  '.envrc': 'environment',
  '.circleci': 'ci',
  '.ci': 'ci',
  '.buildkite': 'ci',
  '.gitlab-ci.yml': 'ci',
  '.gitlab-ci.yaml': 'ci',
  '.travis.yml': 'ci',
  'azure-pipelines.yml': 'ci',
  'azure-pipelines.yaml': 'ci',
  'bitbucket-pipelines.yml': 'ci',
  jenkinsfile: 'ci',
  makefile: 'scripts',
  gnumakefile: 'scripts',
  justfile: 'scripts',
  'taskfile.yml': 'scripts',
  '.npmrc': 'scripts',
};

/** Folders that last as a part of a path; in lower case. */
const FOLDERS: Readonly<Record<string, LastingKind>> = {
  '.github/workflows': 'ci',
  '.github/actions': 'ci',
};

/** What a file does if it lasts; `path` is relative to the workspace, with forward slashes. */
export function lastingKind(path: string): LastingKind | undefined {
  const names = path.split('/').map(plainName);
  for (const [index, name] of names.entries()) {
    if (Object.hasOwn(NAMES, name)) return NAMES[name];
    const folder = `${name}/${names[index + 1]}`;
    if (Object.hasOwn(FOLDERS, folder)) return FOLDERS[folder];
    if (name.endsWith('.code-workspace') && index === names.length - 1) return 'editor';
  }
  return undefined;
}

/** A change of a file, under each of its names: links are followed. */
interface Change {
  readonly paths: readonly string[];
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * What a change does that lasts. Of a package.json only a change of its scripts does: versions of
 * packages come and go. The files that scripts name are sources like any other.
 */
export function lastingChange({ paths, before, after }: Change): LastingKind | undefined {
  for (const path of paths) {
    const kind = lastingKind(path);
    if (kind !== undefined) return kind;
    if (isPackage(path) && scriptsIn(before) !== scriptsIn(after)) return 'scripts';
  }
  return undefined;
}

/** Says whether a file is one in whose `scripts` alone something lasts. */
export function isPackage(path: string): boolean {
  return plainName(path.split('/').at(-1) ?? '') === 'package.json';
}

/** The scripts of a package.json as text; the whole text where it cannot be read. */
export function scriptsIn(text: string | undefined): string {
  if (text === undefined) return '{}';
  try {
    const { scripts = {} } = JSON.parse(text.replace(/^\uFEFF/, '')) as { scripts?: unknown };
    return JSON.stringify(scripts);
  } catch {
    return text;
  }
}

/** What a search leaves out or looks for by name. */
const SEARCHED = /(--exclude(-dir)?[= ]|-(i?path|wholename|i?name) )\S+/g;

/** A search that also does something to what it finds. */
const ACTS = /\s-(delete|exec|ok|fprint|fls)/;

/** The first file that lasts among the words of a command, as it is written there. */
export function lastingIn(command: string): string | undefined {
  const plain = ACTS.test(command) ? command : command.replace(SEARCHED, '');
  // A backslash escapes a character, or stands between folders.
  const words = [plain.replace(/["'\\]/g, ''), plain.replace(/["']/g, '').replaceAll('\\', '/')]
    .join(' ')
    .split(/[\s;|&<>()=`$:]+/);
  return words.find((word) => lastingKind(word) !== undefined);
}

/** Windows reads `.GIT`, `.git.` and `.git::$DATA` as `.git`. */
function plainName(segment: string): string {
  return (segment.split(':')[0] ?? '').toLowerCase().replace(/[. ]+$/, '');
}

const HOW = { made: 'new', changed: 'changed', gone: 'gone' } as const;

/** Most files that are named. */
const MOST_NAMED = 12;

/** Says what a command did to files that outlast the session, in a sentence for user and model. */
export function lastingText(changes: readonly LastingChange[]): string {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ path, how }) => `${visiblePath(path)} (${HOW[how]})`);
  const left = changes.length - named.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return `The command changed what outlasts the session: ${named.join(', ')}${more}.`;
}
