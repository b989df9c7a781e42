import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { setLetThrough } from '../../src/agent/secrets/secretNames';
import { setMasking } from '../../src/agent/secrets/knownSecrets';
import type { ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

const TOKEN = `ghp_${'Ab3'.repeat(12)}`;
const HIDDEN = 'PLIMSOLL_TEST_TOKEN';

afterEach(() => {
  setMasking(true);
  setLetThrough([]);
  delete process.env[HIDDEN];
});

/** Runs the agent on a folder with secrets, with a model that reads all of them. */
async function runOnSecrets(...more: readonly string[]) {
  const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
  const workspace = tempFolder();
  writeFileSync(join(workspace, 'notes.txt'), `token: ${TOKEN}\n`);
  writeFileSync(join(workspace, '.env'), 'DB_PASSWORD=hunter22!\nPORT=3999\n');
  process.env[HIDDEN] = 'in-the-environment-1';
  const calls: readonly (readonly [string, object])[] = [
    ['run_command', { command: 'cat notes.txt .env' }],
    ['run_command', { command: 'printenv' }],
    ['read_file', { path: '.env' }],
    ['search_text', { pattern: 'token' }],
  ];
  let step = 0;
  const server = await startStrictServer({
    respond: () => {
      const [name, input] = calls[step++] ?? [];
      const content: readonly ScriptedPart[] =
        name === undefined
          ? [{ type: 'text', text: 'Done.' }]
          : [{ type: 'tool_use', id: `toolu_${step}`, name, input: { ...input } }];
      return { content };
    },
  });
  const [log, requests] = [join(scratch, 'log.jsonl'), join(scratch, 'requests.jsonl')];
  try {
    const args = ['--task', 'Look', '--cwd', workspace, '--base-url', server.url, '--yes'];
    const files = ['--log', log, '--requests', requests];
    const ran = await plimsoll(['run', ...args, ...files, ...more], scratch);
    expect(ran.code).toBe(0);
    const written = [log, requests].map((file) => readFileSync(file, 'utf8'));
    return { ran, all: [...written, JSON.stringify(server.requests)] };
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

it('plimsoll run sends and logs no secrets of the folder and the environment', async () => {
  const { ran, all } = await runOnSecrets();
  for (const text of all) {
    expect(text).toMatch(/\[masked: GitHub token [0-9a-f]{4,}\]/);
    expect(text).toMatch(/DB_PASSWORD=\[masked: DB_PASSWORD in \.env [0-9a-f]{4,}\]/);
    for (const secret of [TOKEN, 'hunter22', 'PORT=3999', 'in-the-environment']) {
      expect(text).not.toContain(secret);
    }
  }
  expect(ran.stderr).toMatch(
    /Commands run without .*PLIMSOLL_TEST_TOKEN.*: these look like secrets/,
  );
});

it('--environment and --no-masking turn that off', async () => {
  const { ran, all } = await runOnSecrets('--environment', `OTHER,${HIDDEN}`, '--no-masking');
  for (const text of all) {
    for (const secret of [TOKEN, 'hunter22', 'PORT=3999', 'in-the-environment']) {
      expect(text).toContain(secret);
    }
  }
  expect(ran.stderr).not.toContain(HIDDEN);
});
