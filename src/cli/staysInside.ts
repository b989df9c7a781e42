import { insideFolder, leadsOutside } from '../agent/approvals/commandPaths';
import type { ShellReading } from '../agent/approvals/shellCommand';

/** Shells, which run what they are given as a text or read from elsewhere. */
const SHELLS = /^(.*\/)?(ba|da|k|z|c|tc|fi)?sh$/;
/** What runs a text as a command, becomes another user, or gives another program a name. */
const OPAQUE =
  /^(.*\/)?(eval|source|\.|trap|alias|su|sudo|doas|pkexec|ssh|chroot|unshare|nsenter)$/;

/** Variables by which a shell, git or the loader of programs finds other files than those that are named. */
const STEERING =
  /^(PATH|CDPATH|HOME|IFS|ENV|BASH_ENV|BASH_FUNC.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|TMPDIR|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL.*|RUBY.*|GIT_.*|LD_.*|DYLD_.*|XDG_.*)$/;

/**
 * Says why `--yes` does not approve a command, as a sentence; undefined where it does. It is the part
 * that can be judged by words, and guards against accidents. It is no sandbox: a program that runs may
 * still do what it likes.
 */
export function whyNotInside(reading: ShellReading, root: string): string | undefined {
  if (!reading.ok) return `Its words cannot be judged: ${reading.message}.`;
  for (const { words, assignments } of reading.parts) {
    const [program = '', first = ''] = words;
    if (OPAQUE.test(program)) return `What ${program} does cannot be told from its words.`;
    if (SHELLS.test(program) && (first === '' || /^[-+]/.test(first))) {
      return `What ${program} is given to run cannot be judged.`;
    }
    const steering = assignments.find(({ name }) => STEERING.test(name));
    if (steering !== undefined)
      return `It sets ${steering.name}, which says where files are found.`;
  }
  return leadsOutside(reading.parts, insideFolder(root));
}
