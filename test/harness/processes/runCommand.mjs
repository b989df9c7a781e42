import { spawn } from 'node:child_process';
import { repository } from '../paths.mjs';

/**
 * Runs a command to its end and returns its exit code; output goes straight to this process's output.
 *
 * With `capture` the output is collected and returned instead; `onOutput` is given it piece by piece.
 */
export function runCommand(
  command,
  args,
  { cwd = repository, env = process.env, capture = false, onOutput, shell = false } = {},
) {
  return new Promise((resolve, reject) => {
    const stream = capture || onOutput ? 'pipe' : 'inherit';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', stream, stream], shell });
    let output = '';
    const take = onOutput ?? ((text) => (output += text));
    for (const pipe of [child.stdout, child.stderr]) pipe?.setEncoding('utf8').on('data', take);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? `killed by ${signal}`, output }));
  });
}

/** Runs npm, the very one that started this process if there is one. */
export function runNpm(args, options = {}) {
  // What npm tells its scripts about themselves would mislead an npm that works in another folder.
  const env = Object.fromEntries(
    Object.entries(options.env ?? process.env).filter(
      ([name]) => !/^(npm_(lifecycle|package|command|config_local_prefix)|INIT_CWD)/.test(name),
    ),
  );
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.[cm]?js$/.test(npm)) {
    return runCommand(process.execPath, [npm, ...args], { ...options, env });
  }
  return runCommand('npm', args, { ...options, env, shell: process.platform === 'win32' });
}
