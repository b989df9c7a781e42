import { createInterface } from 'node:readline/promises';
import type { AgentDeps } from '../agent/agentDeps';
import { MEMORY_PATH } from '../agent/projectMemory';
import type { ApprovalRequest } from '../agent/tool';
import { visiblePath, visibleText } from '../contextWindow/visibleText';
import { lastingIn } from '../tools/lastingFiles';
import { staysInside } from './staysInside';

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
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
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
  readonly output: NodeJS.WritableStream;
}

/** Answers approvals: yes inside the folder with `--yes`, else as the person at the terminal says. */
export function terminalApproval(
  yes: boolean,
  root: string,
  terminal: Terminal,
): AgentDeps['approve'] {
  return async (_use, request, signal) => {
    if (yes && request.kind === 'memory') {
      return { approved: false, message: '--yes does not answer for instructions.' };
    }
    if (yes && request.kind === 'edit' && isRemembered(request)) {
      return {
        approved: false,
        message: '--yes does not approve what every later session would be told.',
      };
    }
    if (yes && request.kind === 'edit' && request.lasting !== undefined) {
      return { approved: false, message: `--yes does not approve this. ${request.lasting}` };
    }
    const lasting = yes && request.kind === 'command' ? lastingIn(request.command) : undefined;
    if (lasting !== undefined) {
      const why = `it names ${visiblePath(lasting)}, which outlasts the session`;
      return { approved: false, message: `--yes does not approve this command: ${why}.` };
    }
    if (yes) {
      if (request.kind !== 'command' || staysInside(request.command, root))
        return { approved: true };
      return {
        approved: false,
        message: `--yes approves only what stays inside ${root}. Use paths relative to it and no substitution.`,
      };
    }
    if (terminal.input.isTTY !== true || terminal.input.readableEnded === true) {
      return {
        approved: false,
        message: 'nobody is at the terminal to ask, and --yes was not given.',
      };
    }
    return askPerson(request, terminal, signal);
  };
}

async function askPerson(request: ApprovalRequest, terminal: Terminal, signal: AbortSignal) {
  // With a terminal of its own, readline would keep Ctrl-C to itself, and a stop would count as a
  // no.
  const lines = createInterface({
    input: terminal.input,
    output: terminal.output,
    terminal: false,
  });
  try {
    const left = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([
      lines.question(`${questionFor(request)} [y/N] `, { signal }),
      left,
    ]);
    return { approved: /^y(es)?$/i.test(answer.trim()) } as const;
  } catch {
    // A question rejects only because of the signal: the turn was stopped.
    return { approved: false } as const;
  } finally {
    lines.close();
  }
}

/** Says whether an edit adds to what later sessions are told, here or in all projects. */
function isRemembered({ path, profile }: Extract<ApprovalRequest, { kind: 'edit' }>): boolean {
  return path === MEMORY_PATH || profile !== undefined;
}

function questionFor(request: ApprovalRequest): string {
  const lasting = request.kind === 'edit' ? request.lasting : undefined;
  return lasting === undefined ? plainQuestion(request) : `${lasting}\n${plainQuestion(request)}`;
}

function plainQuestion(request: ApprovalRequest): string {
  if (request.kind === 'command') return `Run: ${request.command}`;
  if (request.kind === 'memory') {
    return (
      `${visibleText(request.text)}\nThis is ${visiblePath(request.path)}, which came or changed since the ` +
      'session began. Shall the agent follow it as instructions?'
    );
  }
  if (isRemembered(request))
    return `Remember${request.profile === undefined ? '' : ' for all projects'}: ${request.after.trimEnd().split('\n').at(-1)}`;
  const lines = request.after.split('\n').length;
  return request.before === undefined
    ? `Create ${request.path} (${lines} lines)?`
    : `Edit ${request.path} (${request.before.split('\n').length} -> ${lines} lines)?`;
}
