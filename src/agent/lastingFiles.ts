import type { LastingChange } from '../contextWindow/event';
import { visiblePath } from '../contextWindow/visibleText';

/**
 * Which files outlast the session: instructions for later sessions, and files that git, the editor,
 * a shell or a build server runs automatically. Every change of one needs the user's own approval;
 * no rule grants it.
 */

/** What a lasting file does, as a sentence for the user and the model. */
export const LASTING_WORDS = {
  instructions: 'Every later agent session in this project reads this file as instructions.',
  git: 'Git reads this file and may run commands in it.',
  hook: 'Commands in this file run automatically on commit, push or install.',
  editor: 'The editor reads this file when the project opens, and may run commands in it.',
  environment: 'A shell may run this file automatically when someone enters the folder.',
  ci: 'Build servers run the commands in this file, with their permissions and secrets.',
  scripts: 'Commands in this file run when someone builds, tests or installs the project.',
} as const;

export type LastingKind = keyof typeof LASTING_WORDS;

/** Files and folders that last at any depth, in lower case. */
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
  '.windsurfrules': 'instructions',
  '.clinerules': 'instructions',
  '.roo': 'instructions',
  '.continue': 'instructions',
  '.gemini': 'instructions',
  '.codex': 'instructions',
  '.mcp.json': 'instructions',
  'agents.override.md': 'instructions',
  '.agents': 'instructions',
  '.agent': 'instructions',
  'qwen.md': 'instructions',
  '.qwen': 'instructions',
  '.windsurf': 'instructions',
  '.kiro': 'instructions',
  '.junie': 'instructions',
  '.trae': 'instructions',
  '.amazonq': 'instructions',
  '.augment': 'instructions',
  '.kilocode': 'instructions',
  '.rules': 'instructions',
  '.opencode': 'instructions',
  'opencode.json': 'instructions',
  '.aider.conf.yml': 'instructions',
  '.openhands': 'instructions',
  '.factory': 'instructions',
  'crush.md': 'instructions',
  '.crush': 'instructions',
  '.crush.json': 'instructions',
  'crush.json': 'instructions',
  'warp.md': 'instructions',
  '.goosehints': 'instructions',
  '.git': 'git',
  'git~1': 'git',
  '.gitmodules': 'git',
  '.gitconfig': 'git',
  '.husky': 'hook',
  '.githooks': 'hook',
  'lefthook.yml': 'hook',
  'lefthook.yaml': 'hook',
  '.lefthook.yml': 'hook',
  '.lefthook.yaml': 'hook',
  'lefthook.toml': 'hook',
  '.lefthook.toml': 'hook',
  'lefthook.json': 'hook',
  '.lefthook.json': 'hook',
  'lefthook-local.yml': 'hook',
  '.lefthook-local.yml': 'hook',
  '.lintstagedrc': 'hook',
  '.lintstagedrc.json': 'hook',
  '.lintstagedrc.yaml': 'hook',
  '.simple-git-hooks.json': 'hook',
  '.overcommit.yml': 'hook',
  '.pre-commit-config.yaml': 'hook',
  '.pre-commit-config.yml': 'hook',
  '.vscode': 'editor',
  '.devcontainer': 'editor',
  '.devcontainer.json': 'editor',
  '.idea': 'editor',
  '.zed': 'editor',
  '.exrc': 'editor',
  '.nvim.lua': 'editor',
  '.dir-locals.el': 'editor',
  '.dir-locals-2.el': 'editor',
  '.helix': 'editor',
  '.fleet': 'editor',
  '.vimrc': 'editor',
  '.nvimrc': 'editor',
  '.lvimrc': 'editor',
  '.gitpod.yml': 'editor',
  '.idx': 'editor',
  '.replit': 'editor',
  '.vs': 'editor',
  '.envrc': 'environment',
  '.mise.toml': 'environment',
  'mise.toml': 'environment',
  '.bashrc': 'environment',
  '.bash_profile': 'environment',
  '.profile': 'environment',
  '.zshrc': 'environment',
  '.zshenv': 'environment',
  '.zprofile': 'environment',
  '.gdbinit': 'environment',
  '.bash_login': 'environment',
  '.bash_logout': 'environment',
  '.bash_aliases': 'environment',
  '.zlogin': 'environment',
  '.zlogout': 'environment',
  '.mise': 'environment',
  'mise.local.toml': 'environment',
  '.mise.local.toml': 'environment',
  '.circleci': 'ci',
  '.ci': 'ci',
  '.buildkite': 'ci',
  '.gitlab-ci.yml': 'ci',
  '.gitlab-ci.yaml': 'ci',
  '.travis.yml': 'ci',
  'azure-pipelines.yml': 'ci',
  'azure-pipelines.yaml': 'ci',
  'bitbucket-pipelines.yml': 'ci',
  '.drone.yml': 'ci',
  '.woodpecker': 'ci',
  '.woodpecker.yml': 'ci',
  '.cirrus.yml': 'ci',
  '.semaphore': 'ci',
  '.azure-pipelines': 'ci',
  '.tekton': 'ci',
  '.teamcity': 'ci',
  '.build.yml': 'ci',
  '.builds': 'ci',
  '.appveyor.yml': 'ci',
  '.drone.yaml': 'ci',
  '.woodpecker.yaml': 'ci',
  'buildspec.yml': 'ci',
  'cloudbuild.yml': 'ci',
  'codemagic.yaml': 'ci',
  'bitrise.yml': 'ci',
  'netlify.toml': 'ci',
  'vercel.json': 'ci',
  procfile: 'ci',
  'appveyor.yml': 'ci',
  'cloudbuild.yaml': 'ci',
  jenkinsfile: 'ci',
  makefile: 'scripts',
  gnumakefile: 'scripts',
  bsdmakefile: 'scripts',
  justfile: 'scripts',
  '.justfile': 'scripts',
  'taskfile.yml': 'scripts',
  'taskfile.yaml': 'scripts',
  'taskfile.dist.yml': 'scripts',
  'taskfile.dist.yaml': 'scripts',
  '.npmrc': 'scripts',
  '.yarnrc': 'scripts',
  '.yarnrc.yml': 'scripts',
  '.pnpmfile.cjs': 'scripts',
  '.pnpmfile.mjs': 'scripts',
  'pnpmfile.js': 'scripts',
  '.mvn': 'scripts',
  '.bazelrc': 'scripts',
  'directory.build.props': 'scripts',
  'directory.build.targets': 'scripts',
  '.lldbinit': 'scripts',
  '.rprofile': 'scripts',
  '.irbrc': 'scripts',
  '.pryrc': 'scripts',
  '.pdbrc': 'scripts',
  '.ghci': 'scripts',
  '.ocamlinit': 'scripts',
  '.octaverc': 'scripts',
  'bunfig.toml': 'scripts',
  '.cargo': 'scripts',
};

/** Folders that a command in the sandbox cannot make: they take effect when they appear. */
export const HELD_FOLDERS: readonly string[] = [
  '.vscode',
  '.devcontainer',
  '.github',
  '.github/workflows',
  '.github/actions',
  '.circleci',
  '.husky',
  '.claude',
  '.cursor',
  '.plimsoll',
  '.cargo',
];

/** Lasting folders in which no tool edits or creates files, in lower case. */
const PROTECTED: ReadonlySet<string> = new Set(['.git', 'git~1', '.vscode', '.plimsoll']);

/** Folders that last as part of a path, in lower case. */
const FOLDERS: Readonly<Record<string, LastingKind>> = {
  '.github/workflows': 'ci',
  '.github/actions': 'ci',
  '.github/instructions': 'instructions',
  '.github/agents': 'instructions',
  '.github/prompts': 'instructions',
  '.github/skills': 'instructions',
  '.github/hooks': 'instructions',
  '.github/chatmodes': 'instructions',
  '.hg/hgrc': 'git',
  '.config/mise': 'environment',
  '.config/mise.toml': 'environment',
  '.yarn/plugins': 'scripts',
  '.yarn/releases': 'scripts',
  '.bundle/config': 'scripts',
  '.forgejo/workflows': 'ci',
  '.gitea/workflows': 'ci',
  '.gitlab/ci': 'ci',
};

/** Folders around those of `FOLDERS`: replacing one replaces the files in it. */
const PARENTS = [...new Set(Object.keys(FOLDERS).map((path) => path.split('/')[0] ?? ''))];

/** What lasts at any depth, in lower case, without git's own folder. */
export const LASTING_NAMES: readonly string[] = [
  ...Object.keys(NAMES).filter((name) => name !== '.git' && name !== 'git~1'),
  ...Object.keys(FOLDERS),
];

/** The kind of a lasting file; `path` is relative to the workspace, with forward slashes. */
export function lastingKind(path: string): LastingKind | undefined {
  const names = path.split('/').map(plainName);
  for (const [index, name] of names.entries()) {
    if (Object.hasOwn(NAMES, name)) return NAMES[name];
    const folder = `${name}/${names[index + 1]}`;
    if (Object.hasOwn(FOLDERS, folder)) return FOLDERS[folder];
    if (/\.(code-workspace|sublime-project)$/.test(name) && index === names.length - 1)
      return 'editor';
  }
  return undefined;
}

/**
 * The part of a path that lasts as a whole: `.vscode` of `.vscode/tasks.json`. Undefined for a path that does
 * not last, and for git's folder.
 */
export function lastingFolder(path: string): string | undefined {
  const names = path.split('/');
  for (const length of names.keys()) {
    const beginning = names.slice(0, length + 1).join('/');
    const kind = lastingKind(beginning);
    if (kind !== undefined) return names[length] === '.git' ? undefined : beginning;
  }
  return undefined;
}

/** Whether no tool writes in a folder of this name. */
export function isProtected(segment: string): boolean {
  return PROTECTED.has(plainName(segment));
}

/** A change of a file, with each of its paths: links are followed. */
interface Change {
  readonly paths: readonly string[];
  readonly before: string | undefined;
  readonly after: string;
  /** What the settings of its repository make of it. */
  readonly byGit: LastingKind | undefined;
}

/**
 * The lasting kind of a change. In a package.json only the scripts count: package versions change
 * all the time. Files that scripts name count as ordinary sources.
 */
export function lastingChange({ paths, before, after, byGit }: Change): LastingKind | undefined {
  for (const path of paths) {
    const kind = lastingKind(path);
    if (kind !== undefined) return kind;
    if (isPackage(path) && scriptsIn(before) !== scriptsIn(after)) return 'scripts';
  }
  return byGit;
}

/** Whether only the `scripts` of a file last. */
export function isPackage(path: string): boolean {
  return plainName(path.split('/').at(-1) ?? '') === 'package.json';
}

/** The scripts of a package.json as text; the whole text when it cannot be parsed. */
export function scriptsIn(text: string | undefined): string {
  if (text === undefined) return '{}';
  try {
    const { scripts = {} } = JSON.parse(text.replace(/^\uFEFF/, '')) as { scripts?: unknown };
    return JSON.stringify(scripts);
  } catch {
    return text;
  }
}

/** Options of a search whose value names files to find or to leave out. */
const SEARCHED = /^(--exclude(-dir)?|-(i?path|wholename|i?name))(=|$)/;

/** A search that also acts on the files it finds. */
const ACTS = /^-(delete|exec|ok|fprint|fls)/;

/** The words of a program without the names that it only searches for. */
export function withoutSearched(words: readonly string[]): readonly string[] {
  if (words.some((word) => ACTS.test(word))) return words;
  return words.filter((word, index) => {
    const before = words[index - 1] ?? '';
    return !SEARCHED.test(word) && !(SEARCHED.test(before) && !before.includes('='));
  });
}

/** The first lasting file named in the text of a command that cannot be read, as written there. */
export function lastingIn(command: string): string | undefined {
  // A backslash escapes a character or separates folders.
  const words = [command.replace(/["'\\]/g, ''), command.replace(/["']/g, '').replaceAll('\\', '/')]
    .join(' ')
    .split(/[\s;|&<>()=`$:]+/);
  return words.find((word) => /[^*/.]/.test(word) && couldLast(word, false));
}

/**
 * Whether a path is a lasting file, or a pattern that could match one, apart from `*.js` and `*.json` below the
 * root. `isWritten`: the whole file is replaced, so that the scripts of a package.json count, too.
 */
export function couldLast(path: string, isWritten: boolean): boolean {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (!/[*?[]/.test(path)) {
    const isAround = PARENTS.includes(plainName(segments.at(-1) ?? ''));
    return lastingKind(path) !== undefined || (isWritten && (isPackage(path) || isAround));
  }
  // `src/*.json` is ordinary, and a lasting file of such a name is rare below the root.
  const isTop = segments.slice(0, -1).every((segment) => segment === '**');
  const names = [...Object.keys(NAMES), 'package.json'].filter(
    (name) => (isWritten && isTop) || !/^[^.].*\.js(on)?$/.test(name),
  );
  const lasting = [...names, ...PARENTS, 'x.code-workspace'];
  return segments.some((segment, at) => {
    if (!/[*?[]/.test(segment))
      return [...Object.keys(NAMES), ...PARENTS].includes(plainName(segment));
    // A lasting folder has a dot before its name; `**` stands for ordinary ones.
    if (at < segments.length - 1 && !/^[.g]/i.test(segment)) return false;
    // A pattern matches names that begin with a dot only if it does, too.
    return lasting.some(
      (name) => name.startsWith('.') === segment.startsWith('.') && couldMatch(segment, name),
    );
  });
}

/** Whether a pattern of the shell could match a name, in any case. */
export function couldMatch(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return false;
  const text = pattern
    .toLowerCase()
    .replace(/\[[^\]]*\]?/g, '?')
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\?/g, '.')
    .replace(/\*+/g, '.*');
  return new RegExp(`^${text}$`).test(name.toLowerCase());
}

/**
 * Windows reads `.GIT`, `.git.` and `.git::$DATA` as `.git`; the file system of macOS takes some letters for
 * others, such as a long s.
 */
function plainName(segment: string): string {
  const [name = ''] = segment.split(':');
  return name
    .toUpperCase()
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

const HOW = { made: 'new', changed: 'changed', gone: 'gone' } as const;

const MOST_NAMED = 12;

/** Describes the lasting files that a command changed, for user and model. */
export function lastingText(changes: readonly LastingChange[]): string {
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ path, how }) => `${visiblePath(path)} (${HOW[how]})`);
  const left = changes.length - named.length;
  const more = left > 0 ? ` and ${left} more` : '';
  return `The command changed files that outlast the session: ${named.join(', ')}${more}.`;
}
