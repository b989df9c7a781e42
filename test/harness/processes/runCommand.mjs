import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { repository } from '../paths.mjs';
import { startGroup } from './processGroup.mjs';

/**
 * Runs a command to its end and returns its exit code; its output is written to this process's
 * output.
 *
 * `niceness` (0 to 19) lowers its priority by that much on systems that support it. `capture`
 * collects the output and returns it instead; `onOutput` receives it piece by piece.
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
    const options = { cwd, env, stdio: ['ignore', stream, stream], shell };
    const group = niceness > 0 ? startGroup(command, args, options) : undefined;
    const child = group?.child ?? spawn(command, args, options);
    if (niceness > 0 && child.pid) makeNice(child.pid, niceness);
    let output = '';
    const take = onOutput ?? ((text) => (output += text));
    for (const pipe of [child.stdout, child.stderr]) pipe?.setEncoding('utf8').on('data', take);
    child.once('error', reject);
    child.once('close', async (code, signal) => {
      await group?.stop();
      resolve({ code: code ?? `killed by ${signal}`, output });
    });
  });
}

/**
 * Lowers the priority of a process that leads a session. Linux usually gives every session its
 * share of the processor, whatever the priorities of its processes are, so the session has one of
 * its own (sched(7), autogroup).
 */
function makeNice(pid, niceness) {
  const lower = [
    () => setPriority(pid, Math.min(19, getPriority() + niceness)),
    () => process.platform === 'linux' && writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`),
  ];
  for (const attempt of lower) {
    try {
      attempt();
    } catch {
      // It has ended, or its priority may not be changed: it then runs at normal priority.
    }
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
