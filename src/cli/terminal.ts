import { createInterface } from 'node:readline/promises';
import type { AgentDeps } from '../agent/agentDeps';
import type { ApprovalRequest } from '../agent/tool';
import type { ShellReading } from '../approvals/shellCommand';
import { lastingIn } from '../agent/lastingFiles';
import { visiblePath } from '../contextWindow/visibleText';
import { approvalQuestion, isRemembered } from './approvalQuestion';
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

/** Where questions are asked, and whether anybody is there to answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly readableEnded?: boolean;
  };
  readonly output: TextOutput;
}

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
    return { approved: await askPerson(request, terminal, signal) };
  };
}

/** Says why `--yes` does not approve something; undefined where it does. */
async function whyNotByYes(
  request: ApprovalRequest,
  { root, inSandbox, readCommand }: YesOptions,
): Promise<string | undefined> {
  if (request.kind === 'memory') return '--yes does not answer for instructions.';
  if (request.kind === 'edit') {
    if (isRemembered(request)) {
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

/** How many lines are written at once; a person says when to go on. */
const PAGE_LINES = 500;

/** Shows a person all of what is asked about, page by page, and then asks. */
async function askPerson(
  request: ApprovalRequest,
  { input, output }: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const { lines, question } = approvalQuestion(request);
  // With a terminal of its own, readline would keep Ctrl-C to itself, and a stop would count as a
  // no.
  const reader = createInterface({ input, terminal: false });
  const left = new Promise<string>((resolve) => reader.once('close', () => resolve('n')));
  const ask = (text: string): Promise<string> => {
    output.write(text);
    return Promise.race([reader.question('', { signal }), left]);
  };
  try {
    for (let at = 0; at < lines.length; at += PAGE_LINES) {
      const page = lines.slice(at, at + PAGE_LINES);
      output.write(page.map((line) => `${line}\n`).join(''));
      const more = lines.length - at - page.length;
      if (more > 0 && /^n/i.test((await ask(`${more} more lines. Show them? [Y/n] `)).trim())) {
        return false;
      }
    }
    return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
  } catch {
    // A question rejects only because of the signal: the turn was stopped.
    return false;
  } finally {
    reader.close();
  }
}
