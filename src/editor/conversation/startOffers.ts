import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathFrom, type WorkspaceFolder } from '../../agent/workspaceFolders';
import { isObject } from '../../contextWindow/json';
import { AGENTS, LENS_AGENTS } from '../../recordings/lens/findSessions';
import type { Services } from '../services';

/** What the open project and this machine offer to begin with. */
interface Found {
  /** Names of other agents with a folder of sessions on this machine. */
  readonly otherAgents: readonly string[];
  readonly prompts: readonly string[];
}

/** Looks once for what an empty session can offer. */
export class StartOffers {
  #found: Found | undefined;
  #isLooking = false;

  constructor(
    private readonly services: Pick<Services, 'root' | 'folders' | 'environment' | 'home' | 'now'>,
    private readonly changed: () => void,
  ) {}

  /** Undefined until `look` has ended. */
  get found(): Found | undefined {
    return this.#found;
  }

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { root, folders, environment, home, now } = this.services;
    const machine = { home, environment, now };
    // Only whether a folder exists: nothing of another agent is read before the user asks for it.
    const otherAgents = LENS_AGENTS.filter((agent) =>
      AGENTS[agent].places(machine).some((place) => existsSync(place)),
    ).map((agent) => AGENTS[agent].name);
    const name = folders.now?.first.name ?? '';
    const prompts = root === undefined ? [] : await promptsFor({ name, root });
    this.#found = { otherAgents, prompts };
    this.changed();
  }
}

/** Example prompts for a project: about its tests and its README, as far as it has them. */
async function promptsFor({ name, root }: WorkspaceFolder): Promise<readonly string[]> {
  const names = new Set(await readdir(root).catch(() => []));
  const manifest = names.has('package.json')
    ? await readFile(join(root, 'package.json'), 'utf8').catch(() => '')
    : '';
  return examplePrompts(names, manifest, name);
}

/** The commands that run the tests of a project, by the file that tells. */
const TEST_COMMANDS = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pytest.ini', 'pytest'],
  ['pom.xml', 'mvn test'],
  ['mix.exs', 'mix test'],
] as const;

/** The package managers other than npm, by their lockfile. */
const LOCKFILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun run'],
] as const;

/** `npm init` writes this as the test script. */
const NO_TEST = /no test specified/;

/**
 * The prompts for a folder with these files and this package.json, '' for none. Nothing else of a
 * file becomes part of a prompt: the user sends it as their own.
 */
export function examplePrompts(
  names: ReadonlySet<string>,
  manifest: string,
  folder = '',
): readonly string[] {
  const test = testCommand(names, manifest);
  const readme = ['README.md', 'README', 'readme.md'].find((name) => names.has(name));
  return [
    ...(test === undefined ? [] : [`Run ${test}, and explain what fails.`]),
    ...(readme === undefined
      ? []
      : [
          `Read ${pathFrom({ name: folder, root: '' }, readme)}, and explain how this project is built.`,
        ]),
  ];
}

function testCommand(names: ReadonlySet<string>, manifest: string): string | undefined {
  const scripts = fieldOf(parsedJson(manifest), 'scripts');
  const script = fieldOf(scripts, 'test');
  if (typeof script === 'string' && !NO_TEST.test(script)) {
    const manager = LOCKFILES.find(([file]) => names.has(file))?.[1] ?? 'npm';
    return `${manager} test`;
  }
  return TEST_COMMANDS.find(([file]) => names.has(file))?.[1];
}

/** Undefined for a text that is not JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
