import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { CaptureStore } from '../../../../src/recordings/captures/captureStore';
import { withRecording } from '../../../../src/recordings/captures/claudeCodeSwitch';
import { tempFolder } from '../../../tools/support/tempFolder';

/** Longest run of an agent; ms. */
export const PATIENCE = 90_000;

const agents = process.env['PLIMSOLL_AGENTS'] ?? '';

interface Where {
  readonly home: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Starts an agent in a folder with three files and a home folder of its own. */
export function start(binary: string, args: readonly string[], { home, cwd, env }: Where) {
  // Some need a newer Node than the one in the path.
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const own = { PATH: path, HOME: home, ...env };
  const child = spawn(join(agents, 'node_modules', '.bin', binary), args, {
    cwd,
    env: own,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  }
  return { child, output: () => said };
}

/** Runs an agent to its end without input, and returns what it wrote. */
export async function run(binary: string, args: readonly string[], where: Where): Promise<string> {
  const { child, output } = start(binary, args, where);
  child.stdin.end();
  await new Promise((resolve) => child.on('close', resolve));
  return output();
}

/** A home folder of its own, with a folder to work in. */
export function place() {
  const home = tempFolder();
  const cwd = join(home, 'app');
  mkdirSync(cwd);
  for (const n of [1, 2, 3]) writeFileSync(join(cwd, `f${n}.txt`), `file ${n}\nline two\n`);
  return { home, cwd, store: new CaptureStore(join(home, 'requests')) };
}

/** Makes a Claude Code record its requests; returns the folder for them, and its environment. */
export async function recordedClaude(
  { home, store }: Pick<ReturnType<typeof place>, 'home' | 'store'>,
  url: string,
  more: object = {},
) {
  const captures = await store.prepare('claude-code');
  const settings = withRecording(undefined, captures);
  if (!settings.ok) throw new Error(settings.message);
  mkdirSync(join(home, '.claude'));
  writeFileSync(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({ ...JSON.parse(settings.text), ...more }),
  );
  const env = {
    ANTHROPIC_API_KEY: 'sk-ant-test-000',
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // The strict server has no tools that are loaded later; newer versions would ask without them again.
    ENABLE_TOOL_SEARCH: 'false',
  };
  return { captures, env };
}
