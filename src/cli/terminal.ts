import type { AgentDeps } from '../agent/agentDeps';
import type { ApprovalRequest } from '../agent/tool';
import type { ShellReading } from '../agent/approvals/shellCommand';
import { lastingIn } from '../agent/lastingFiles';
import { visiblePath } from '../contextWindow/visibleText';
import { askAnswer, askYesOrNo, type Terminal } from './askPerson';
import { isRemembered } from './approvalQuestion';
import { whyNotInside } from './staysInside';
import type { TextOutput } from './terminalText';

/** Where the process is and what it may use; a parameter, so that tests can run the commands. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly apiKey: string | undefined;
  /** The user's home folder, where their profile is. */
  readonly home: string;
  /** The folder of the bundles, with the count worker in it. */
  readonly bundles: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly signal: AbortSignal;
  /** Gives a signal that aborts at the next stop from now on. */
  readonly nextStop: () => AbortSignal;
}

/** Writes one line to standard error. */
export type Say = (line: string) => void;

/** What `--yes` rests on. */
export interface YesOptions {
  /** The folder that is worked in; absolute. */
  readonly root: string;
  /** True where commands run in a sandbox, which holds what words cannot tell. */
  readonly inSandbox: boolean;
  /** Reads a command line. */
  readonly readCommand: (command: string) => Promise<ShellReading>;
}

/** Answers approvals: by the rules of `--yes` where they are given, else as the person at the terminal says. */
export function terminalApproval(
  terminal: Terminal,
  yes: YesOptions | undefined,
): AgentDeps['approve'] {
  return async (_use, request, signal) => {
    if (yes !== undefined) {
      const message = await whyNotByYes(request, yes);
      return message === undefined ? { approved: true } : { approved: false, message };
    }
    if (terminal.input.isTTY !== true || terminal.input.readableEnded === true) {
      return {
        approved: false,
        message: 'nobody is at the terminal to ask, and --yes was not given.',
      };
    }
    if (request.kind === 'question') return askAnswer(request, terminal, signal);
    return { approved: await askYesOrNo(request, terminal, signal) };
  };
}

/** Says why `--yes` does not approve something; undefined where it does. */
async function whyNotByYes(
  request: ApprovalRequest,
  { root, inSandbox, readCommand }: YesOptions,
): Promise<string | undefined> {
  if (request.kind === 'memory') return '--yes does not answer for instructions.';
  if (request.kind === 'question') return '--yes answers no questions, and nobody else is asked.';
  if (request.kind === 'input') return '--yes types nothing into commands.';
  if (request.kind === 'fetch') return '--yes does not answer for a host.';
  if (request.kind === 'tool') return '--yes does not answer for tools of others.';
  if (request.kind !== 'command') {
    if (request.kind === 'edit' && isRemembered(request)) {
      return '--yes does not approve what every later session would be told.';
    }
    const { lasting } = request;
    return lasting === undefined ? undefined : `--yes does not approve this. ${lasting}`;
  }
  const reading = await readCommand(request.command);
  const lasting = lastingOf(request.command, reading);
  if (lasting !== undefined) {
    return `--yes does not approve this command: it names ${visiblePath(lasting)}, which outlasts the session.`;
  }
  if (inSandbox) return undefined;
  const why = whyNotInside(reading, root);
  return why === undefined
    ? undefined
    : `--yes approves only commands that name nothing outside ${root}. ${why} Use plain words, and paths relative to the folder.`;
}

/** A file that outlasts the session among the words of a command, as they stand there and as they are read. */
function lastingOf(command: string, reading: ShellReading): string | undefined {
  const words = reading.ok
    ? reading.parts.flatMap((part) => [...part.words, ...part.redirects.map(({ path }) => path)])
    : [];
  return lastingIn(command) ?? lastingIn(words.join(' '));
}
