// `npm run test:agents`: real agents from the npm registry, installed outside the clone, against
// servers on this machine: their sessions are found, and their requests shown as they were sent.
// They need about 1.3 GB once. No key, and no network apart from the installation.
import './requireNode.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installEditorHost } from './editorHost/installEditorHost.mjs';
import { cacheFolder, inRepository } from './paths.mjs';
import { ensureDependencies } from './prepareClone.mjs';
import { runCommand } from './processes/runCommand.mjs';

const PACKAGES = [
  '@anthropic-ai/claude-code',
  '@openai/codex',
  'opencode-ai',
  '@google/gemini-cli',
  '@github/copilot',
  '@earendil-works/pi-coding-agent',
];
const BINARIES = ['claude', 'codex', 'opencode', 'gemini', 'copilot', 'pi'];

const folder = join(cacheFolder(), 'agents');

async function installAgents() {
  const isThere = (name) => existsSync(join(folder, 'node_modules', '.bin', name));
  if (BINARIES.every(isThere)) return;
  console.log(`Installing ${PACKAGES.join(', ')} into ${folder}...`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code } = await runCommand(npm, ['install', '--no-audit', '--no-fund', ...PACKAGES], {
    cwd: folder,
  });
  if (code !== 0) throw new Error('npm could not install the agents: see its message above.');
}

await ensureDependencies(console.log);
await installAgents();
// Codex compresses what it records with zstd, which Node 20 cannot read.
const hasZstd = process.getBuiltinModule?.('node:zlib').createZstdDecompress !== undefined;
const node = hasZstd ? process.execPath : (await installEditorHost(console.log)).node;
const { code } = await runCommand(
  node,
  [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--project=unit',
    '--reporter=verbose',
    '.agents.ts',
  ],
  {
    cwd: inRepository(),
    env: { ...process.env, PLIMSOLL_AGENTS: folder, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' },
  },
);
process.exit(code);
