import { dirname, resolve } from 'node:path';
import {
  importsIn,
  INSTRUCTION_FORMS,
  MOST_HOPS,
  scopeOf,
  type InstructionForm,
} from '../../agent/memory/instructionForms';
import {
  type FoundMemory,
  type ProjectMemory,
  MEMORY_PATH,
  memoryPathIn,
} from '../../agent/memory/projectMemory';
import type { Workspace } from '../../agent/workspace';
import { pathFrom, type WorkspaceFolder } from '../../agent/workspaceFolders';
import { SKILL_FILE, SKILL_FOLDERS, skillIn } from '../../agent/memory/skill';
import { globMatcher } from '../search/glob';
import { pathIn, projectFolders, rulesDownTo } from '../search/ignoreRules';
import { filesBelow, MOST_BELOW } from './filesBelow';
import { followed, insideWorkspace } from './insideWorkspace';

const NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** Files of the root alone that apply to the whole workspace. */
const ROOT_NAMES = [
  '.claude/CLAUDE.md',
  'CLAUDE.local.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.clinerules',
] as const;

/** Claude Code's settings of a project, and what in them changes how its agent works. */
const AGENT_SETTINGS = ['.claude/settings.json', '.claude/settings.local.json'] as const;
const NOT_USED = ['hooks', 'permissions'] as const;

/** Most files that a CLAUDE.md imports, with those that they import. */
const MOST_IMPORTS = 50;

/** A text up to this length that names the other file only refers to it; characters. */
const LONGEST_REFERENCE = 200;

/**
 * Reads project memory through a workspace, as the user sees the files, and never outside it. What is
 * in the root of a folder applies to its files; in the first folder, to the whole workspace.
 */
export function makeProjectMemory(workspace: Workspace): ProjectMemory {
  const { folders } = workspace;
  const isRemembered = ({ path }: FoundMemory) => path === memoryPathIn(folders);
  const root = async () => {
    const [files, skills, settings] = await Promise.all([
      rootFilesOf(workspace, folders.first),
      skillsOf(workspace),
      settingsNotUsed(workspace),
    ]);
    const remembered = files.filter(isRemembered);
    const written = files.filter((file) => !isRemembered(file));
    return withoutRepeats([...written, ...skills, ...remembered, ...settings]);
  };
  return {
    root,
    everywhere: () => everywhereIn(workspace),
    async of(path) {
      const inside = await insideWorkspace(folders, path).catch(() => undefined);
      if (inside?.ok !== true || inside.path === '.') return [];
      const place = (await followed(folders)).placeOf(inside.realPath);
      const folder = folders.all.find(({ name }) => name === place?.folder.name);
      if (place === undefined || folder === undefined) return [];
      const isFile = inside.kind === 'file';
      const [own, nested, rules] = await Promise.all([
        folder === folders.first ? [] : rootFilesOf(workspace, folder),
        nestedFolders(folder, place.path, inside.kind === 'folder'),
        isFile ? rulesFor(workspace, folder, place.path) : [],
      ]);
      if (own.length + nested.length + rules.length === 0) return [];
      const outer = await root();
      const files = nested.map((one) => filesOf(workspace, pathFrom(folder, one)));
      const found = [own, ...(await Promise.all(files)), rules];
      // Skips a copy of an outer folder's file and a link to it.
      return withoutRepeats([...outer, ...found.flat()]).filter((file) => !outer.includes(file));
    },
  };
}

/** The files that apply to all of a folder, without its skills. */
async function rootFilesOf(
  workspace: Workspace,
  folder: WorkspaceFolder,
): Promise<readonly FoundMemory[]> {
  const [rules, own] = await Promise.all([
    rulesOf(workspace, folder),
    filesOf(workspace, pathFrom(folder, '')),
  ]);
  const others = ROOT_NAMES.map((name) => withImports(workspace, pathFrom(folder, name)));
  const always = rules.filter((file) => file.globs === undefined);
  return [...own, ...(await Promise.all(others)).flat(), ...always];
}

/** The files of all folders, each on its own. */
async function everywhereIn(workspace: Workspace): Promise<readonly FoundMemory[]> {
  const { all } = workspace.folders;
  const found = all.map(async (one): Promise<readonly FoundMemory[]> => {
    const paths: string[] = [];
    for await (const folder of projectFolders(one.root, isMemoryFolder)) {
      if (folder === 'cut' || paths.length >= MOST_LISTED) break;
      for (const { name } of folder.entries) {
        if (NAMES.some((one) => one === name)) paths.push(pathIn(folder.path, name));
        if (isMemoryFolder(name)) paths.push(pathIn(folder.path, MEMORY_PATH));
      }
    }
    const named = [...paths, ...ROOT_NAMES].map((path) =>
      withImports(workspace, pathFrom(one, path)),
    );
    return [...(await Promise.all(named)).flat(), ...(await rulesOf(workspace, one))];
  });
  return [...(await Promise.all(found)).flat(), ...(await skillsOf(workspace))];
}

/** The files in other agents' folders of instructions, each with its globs. */
async function rulesOf(workspace: Workspace, of: WorkspaceFolder): Promise<readonly FoundMemory[]> {
  const ofForm = async (general: InstructionForm): Promise<readonly FoundMemory[]> => {
    const form = { ...general, folder: pathFrom(of, general.folder) };
    const { paths, isCut } = await filesBelow(workspace.folders, form);
    const read = await Promise.all(paths.map((path) => readMemory(workspace, path)));
    const cut = `Plimsoll reads ${MOST_BELOW} files of ${form.folder}; the others are not used.`;
    return [
      ...read.flat().flatMap((file) => scoped(form, file)),
      ...(isCut ? [{ path: form.folder, unsupported: cut }] : []),
    ];
  };
  return (await Promise.all(INSTRUCTION_FORMS.map(ofForm))).flat();
}

function scoped(form: InstructionForm, file: FoundMemory): readonly FoundMemory[] {
  if (!('text' in file)) return [file];
  const { applies, unsupported } = scopeOf(form, file.path, file.text);
  const globs = applies === 'always' || applies === 'never' ? [] : applies;
  const invalid = globs.flatMap((glob) => {
    const made = globMatcher(glob);
    return made.ok ? [] : [`${file.path}: ${made.message}`];
  });
  const reports = [...unsupported, ...invalid].map((one) => ({
    path: file.path,
    unsupported: one,
  }));
  if (applies === 'never') return reports;
  return [applies === 'always' ? file : { ...file, globs }, ...reports];
}

/** The skills, each with its description; of two with one name the first keeps it. */
async function skillsOf(workspace: Workspace): Promise<readonly FoundMemory[]> {
  const found: FoundMemory[] = [];
  const names = new Set<string>();
  const { folders } = workspace;
  for (const folder of SKILL_FOLDERS.flatMap((one) => folders.inEach(one))) {
    const { paths } = await filesBelow(folders, { folder, suffix: `/${SKILL_FILE}` });
    // A skill may have folders of its own.
    const depth = folder.split('/').length + 2;
    const own = paths.filter((path) => path.split('/').length === depth);
    for (const file of (await Promise.all(own.map((path) => readMemory(workspace, path)))).flat()) {
      if (!('text' in file)) {
        found.push(file);
        continue;
      }
      const { path } = file;
      const { skill, unsupported } = skillIn(path, file.text);
      const isTaken = skill !== undefined && names.has(skill.name);
      if (skill !== undefined && !isTaken) found.push({ ...file, skill });
      if (skill !== undefined) names.add(skill.name);
      const taken = isTaken
        ? [`${path} is not offered: another skill is named ${skill.name}.`]
        : [];
      found.push(...[...unsupported, ...taken].map((one) => ({ path, unsupported: one })));
    }
  }
  return found;
}

/** Reports settings for another agent that a user may expect to hold here, too. */
async function settingsNotUsed(workspace: Workspace): Promise<readonly FoundMemory[]> {
  const paths = AGENT_SETTINGS.flatMap((path) => workspace.folders.inEach(path));
  const read = await Promise.all(paths.map((path) => readMemory(workspace, path)));
  return read.flat().flatMap((file) => {
    const found = 'text' in file ? NOT_USED.filter((key) => hasEntries(file.text, key)) : [];
    if (found.length === 0) return [];
    const unsupported = `Plimsoll does not use the ${found.join(' and ')} in ${file.path}.`;
    return [{ path: file.path, unsupported }];
  });
}

/** Whether a JSON object has entries under a key; any other text has none. */
function hasEntries(text: string, key: string): boolean {
  try {
    const value: unknown = (JSON.parse(text) as Record<string, unknown> | null)?.[key];
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  } catch {
    return false;
  }
}

/** The files of a folder whose globs match a path from its root. */
async function rulesFor(
  workspace: Workspace,
  folder: WorkspaceFolder,
  path: string,
): Promise<readonly FoundMemory[]> {
  return (await rulesOf(workspace, folder)).filter(({ globs = [] }) =>
    globs.some((glob) => {
      const made = globMatcher(glob);
      return made.ok && made.matches(path);
    }),
  );
}

/** A file, followed by the files that it imports if it is a CLAUDE.md. */
async function withImports(workspace: Workspace, path: string): Promise<readonly FoundMemory[]> {
  const found = [...(await readMemory(workspace, path))];
  if (!/(^|\/)CLAUDE(\.local)?\.md$/.test(path)) return found;
  const seen = new Set([path]);
  const waiting = found.map((file) => ({ file, hops: 0 }));
  // The list grows during the loop; an import that was seen is not read again, so a cycle ends.
  for (const { file, hops } of waiting) {
    if (!('text' in file)) continue;
    for (const name of importsIn(file.text)) {
      const target = targetOf(workspace, file.path, name);
      const read = seen.has(target ?? name)
        ? []
        : await imported(workspace, file.path, name, target);
      seen.add(target ?? name);
      if (read.length === 0) continue;
      const why =
        hops >= MOST_HOPS
          ? `Imports are followed ${MOST_HOPS} times: ${target ?? name}, imported by ${file.path}, is not used.`
          : `Plimsoll reads ${MOST_IMPORTS} imports of ${path}: ${target ?? name} is not used.`;
      const isLeftOut = hops >= MOST_HOPS || waiting.length > MOST_IMPORTS;
      const now = isLeftOut ? [{ path: target ?? name, unsupported: why }] : read;
      found.push(...now);
      if (!isLeftOut) waiting.push(...now.map((one) => ({ file: one, hops: hops + 1 })));
    }
  }
  return found;
}

/** The path that a file imports; undefined for one outside the workspace. */
function targetOf({ folders }: Workspace, by: string, name: string): string | undefined {
  if (/^(~|\/|[A-Za-z]:)/.test(name)) return undefined;
  return folders.pathOf(resolve(dirname(folders.absolute(by)), name));
}

/** An imported file; one outside the workspace is reported, and a name without a file is no import. */
async function imported(
  workspace: Workspace,
  by: string,
  name: string,
  target: string | undefined,
): Promise<readonly FoundMemory[]> {
  if (target !== undefined) return readMemory(workspace, target);
  const problem = `${by} imports ${name}, which is outside the workspace.`;
  return [{ path: name, problem }];
}

/** Most files listed; a project has a handful. */
const MOST_LISTED = 500;

/** Whether a path is the folder of the file that `remember` writes to. */
function isMemoryFolder(path: string): boolean {
  return path.split('/').at(-1) === MEMORY_PATH.split('/')[0];
}

/**
 * The folders from the root (excluded) down to a path from it. Ignored folders and installed packages
 * give no instructions: other people wrote them.
 */
async function nestedFolders(
  { root }: WorkspaceFolder,
  path: string,
  isFolder: boolean,
): Promise<readonly string[]> {
  if (path === '') return [];
  const segments = path.split('/');
  const depth = isFolder ? segments.length : segments.length - 1;
  const folder = segments.slice(0, depth).join('/');
  if (segments.includes('node_modules')) return [];
  if ((await rulesDownTo(root, folder)) === undefined) return [];
  return segments.slice(0, depth).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/**
 * The files of one folder, with the file that `remember` writes last; a file that only refers to
 * the other is left out.
 */
async function filesOf(workspace: Workspace, folder: string): Promise<readonly FoundMemory[]> {
  const read = (name: string) => withImports(workspace, pathIn(folder, name));
  const found = (await Promise.all(NAMES.map(read))).flat();
  // Only the two names stand for each other: an imported file that names one more is a text of its own.
  const named = found.filter(({ path }) => NAMES.some((name) => path === pathIn(folder, name)));
  const told = found.filter(
    (file) => !named.some((other) => named.includes(file) && refersTo(file, other)),
  );
  return [...(told.length > 0 ? told : found), ...(await read(MEMORY_PATH))];
}

/** One file, or nothing when it is missing or blank. */
async function readMemory(workspace: Workspace, path: string): Promise<readonly FoundMemory[]> {
  const inside = await insideWorkspace(workspace.folders, path).catch(() => undefined);
  if (inside === undefined) return [];
  if (!inside.ok) return [{ path, problem: `${path} leads outside the workspace.` }];
  if (inside.kind === 'missing' || inside.kind === 'folder') return [];
  if (inside.kind === 'other') return [{ path, problem: `${path} is not a regular file.` }];
  const read = await workspace.readFile(path);
  if (!read.ok) return [{ path, problem: read.message }];
  const text = read.text.replace(/^\uFEFF/, '');
  return text.trim() === '' ? [] : [{ path, text }];
}

function refersTo(file: FoundMemory, other: FoundMemory): boolean {
  if (file === other || !('text' in file) || !('text' in other)) return false;
  const name = other.path.split('/').at(-1) ?? '';
  const said = file.text.split('\n').filter((line) => line.trim() !== '' && !/^#+\s/.test(line));
  return said.length === 1 && file.text.length <= LONGEST_REFERENCE && file.text.includes(name);
}

function withoutRepeats(found: readonly FoundMemory[]): readonly FoundMemory[] {
  const texts = new Set<string>();
  const paths = new Set<string>();
  return found.filter((file) => {
    if (!('text' in file)) return true;
    const text = file.text.trim();
    if (texts.has(text) || paths.has(file.path)) return false;
    texts.add(text);
    paths.add(file.path);
    return true;
  });
}
