import { spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { repository } from '../paths.mjs';

/**
 * Runs a command to its end and returns its exit code; its output is written to this process's
 * output.
 *
 * `niceness` (0 to 19) lowers its priority by that much on systems that support it. `capture` collects the
 * output and returns it instead; `onOutput` receives it piece by piece.
 */
export function runCommand(
  command,
  args,
  {
    cwd = repository,
    env = process.env,
    capture = false,
    onOutput,
    shell = false,
    niceness = 0,
  } = {},
) {
  return new Promise((resolve, reject) => {
    const stream = capture || onOutput ? 'pipe' : 'inherit';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', stream, stream], shell });
    if (niceness > 0 && child.pid) makeNice(child.pid, niceness);
    let output = '';
    const take = onOutput ?? ((text) => (output += text));
    for (const pipe of [child.stdout, child.stderr]) pipe?.setEncoding('utf8').on('data', take);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? `killed by ${signal}`, output }));
  });
}

function makeNice(pid, niceness) {
  try {
    setPriority(pid, Math.min(19, getPriority() + niceness));
  } catch {
    // It has ended, or its priority may not be changed: it then runs at normal priority.
  }
}

/** Runs npm, the same one that started this process if there is one. */
export function runNpm(args, options = {}) {
  // The variables that npm sets for its scripts would mislead an npm in another folder.
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
