import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { AgentDeps } from '../agent/agentDeps';
import {
  insideFolders,
  lastingNamed,
  leadsOutside,
  pathsNamed,
  whyCommandUnderWay,
  whyFolderAsRemote,
} from '../agent/approvals/commandPaths';
import { farEffect, fetchedCode } from '../agent/approvals/farEffects';
import { type ShellReading, withAllCarried } from '../agent/approvals/shellCommand';
import { steeringVariable } from '../agent/approvals/variables';
import { lastingIn } from '../agent/lastingFiles';
import { hasHarmlessOptions } from '../agent/approvals/programs';
import type { ApprovalAnswer, ApprovalRequest } from '../agent/tool';
import type { FolderPlace } from '../agent/workspaceFolders';
import { visiblePath } from '../contextWindow/visibleText';
import { approvalQuestion, isRemembered } from './approvalQuestion';
import type { TextOutput } from './terminalText';

/** Where the process runs and what it may use; a parameter, so that tests can run the commands. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly apiKey: string | undefined;
  /** The user's home folder, which holds their profile. */
  readonly home: string;
  /** Variables that name the folders of other agents; by default those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The folder of the bundles, with the count worker. */
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

/** The version in the package of the bundles; 'unknown' for bundles without one, as in tests. */
export function versionNear(bundles: string): string {
  try {
    const text = readFileSync(join(bundles, '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(text) as { readonly version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** What `--yes` depends on. */
interface YesOptions {
  /** The folder of the run; absolute. */
  readonly place: FolderPlace;
  /** Whether commands run in a sandbox, which holds what their words cannot show. */
  readonly inSandbox: boolean;
  readonly readCommand: (command: string) => Promise<ShellReading>;
}

/** Answers approvals: by the rules of `--yes`, or by asking the person at the terminal. */
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
        message: 'No one is at the terminal to ask, and --yes was not given.',
      };
    }
    if (request.kind === 'question') return askAnswer(request, terminal, signal);
    return { approved: await askYesOrNo(request, terminal, signal) };
  };
}

/** Says why `--yes` does not approve something; undefined if it does. */
async function whyNotByYes(
  request: ApprovalRequest,
  { place, inSandbox, readCommand }: YesOptions,
): Promise<string | undefined> {
  if (request.kind === 'memory') return '--yes does not approve instructions.';
  if (request.kind === 'question') return '--yes answers no questions, and no one else is asked.';
  if (request.kind === 'input') return '--yes types nothing into commands.';
  if (request.kind === 'fetch') return '--yes does not approve hosts.';
  if (request.kind === 'tool') return '--yes does not approve third-party tools.';
  if (request.kind !== 'command') {
    if (request.kind === 'edit' && isRemembered(request)) {
      return '--yes does not approve a change of what later sessions read.';
    }
    const { lasting } = request;
    return lasting === undefined ? undefined : `--yes does not approve this. ${lasting}`;
  }
  const reading = await readCommand(request.command);
  const lasting = reading.ok ? lastingNamed(reading.parts, place) : lastingIn(request.command);
  if (lasting !== undefined) {
    return `--yes does not approve this command: it may change ${visiblePath(lasting)}, which outlasts the session.`;
  }
  if (inSandbox) return undefined;
  const why = whyNotInside(reading, place);
  return why === undefined
    ? undefined
    : `--yes approves only commands that name nothing outside ${place.root}. ${why} Use plain words, and paths relative to the folder.`;
}

/** Where questions are asked, and whether a person is there to answer. */
interface Terminal {
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly readableEnded?: boolean;
  };
  readonly output: TextOutput;
}

/** Lines written before the person is asked to continue. */
const PAGE_LINES = 500;

/** Shows a person the whole subject, page by page, and then asks for a yes. */
async function askYesOrNo(
  request: ApprovalRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await asked(request, terminal, signal, '[y/N] ');
  return answer !== undefined && /^y(es)?$/i.test(answer);
}

/**
 * Asks a person a question of the agent: they pick one of its answers by number, or type their own.
 */
async function askAnswer(
  request: Extract<ApprovalRequest, { readonly kind: 'question' }>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const answer = (await asked(request, terminal, signal, '')) ?? '';
  if (answer === '') return { approved: false };
  const chosen = /^\d+$/.test(answer) ? request.choices[Number(answer) - 1] : undefined;
  return { approved: true, feedback: chosen ?? answer };
}

/**
 * Asks, and returns what was typed; undefined if the person left, stopped the turn, or stopped
 * reading.
 */
async function asked(
  request: ApprovalRequest,
  { input, output }: Terminal,
  signal: AbortSignal,
  hint: string,
): Promise<string | undefined> {
  const { lines, question } = approvalQuestion(request);
  // With a terminal of its own, readline would swallow Ctrl-C, and a stop would count as a no.
  const reader = createInterface({ input, terminal: false });
  const left = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  const ask = async (text: string): Promise<string | undefined> => {
    output.write(text);
    return (await Promise.race([reader.question('', { signal }), left]))?.trim();
  };
  try {
    for (let at = 0; at < lines.length; at += PAGE_LINES) {
      const page = lines.slice(at, at + PAGE_LINES);
      output.write(page.map((line) => `${line}\n`).join(''));
      const more = lines.length - at - page.length;
      if (more === 0) continue;
      if (/^n/i.test((await ask(`${more} more lines. Show them? [Y/n] `)) ?? 'n')) return undefined;
    }
    return await ask(`${question} ${hint}`);
  } catch {
    // A question rejects only because of the signal: the turn was stopped.
    return undefined;
  } finally {
    reader.close();
  }
}

/** A text for a shell that enters the home folder, without naming it. */
const GOES_HOME = /(^|[\s;&|({])(cd|chdir|pushd)\s*($|[;&|)}\n])/;

/**
 * Says why `--yes` does not approve a command, as a sentence; undefined if it does. It judges by
 * words alone, so it guards against accidents. It is not a sandbox: a program that runs can do
 * whatever it likes.
 */
export function whyNotInside(reading: ShellReading, place: FolderPlace): string | undefined {
  if (!reading.ok) return `Its words cannot be judged: ${reading.message}.`;
  for (const part of withAllCarried(reading.parts)) {
    const { words, hides, assignments } = part;
    if (hides !== undefined) return `It ${hides}.`;
    const far = farEffect(words) ?? fetchedCode(words, (name) => isInstalled(name, place.root));
    if (far !== undefined) return `It ${far}.`;
    const steering = steeringVariable(part);
    if (steering !== undefined) return `It sets ${steering}, which decides where files are found.`;
    const values = assignments.map(({ value }) => value);
    const given = isKnown(words) ? values : [...words.slice(1), ...values];
    const unclear = given.find((text) => /[$`]/.test(text) || GOES_HOME.test(text));
    if (unclear !== undefined) return `${words[0]} may run a text such as ${unclear}.`;
    const hidden = pathsNamed(part).find((path) => /(^|\/)\.[^/]*[*?[]/.test(path));
    if (hidden !== undefined) return `The pattern ${hidden} may match hidden files.`;
  }
  return (
    leadsOutside(reading.parts, insideFolders(place)) ??
    whyFolderAsRemote(reading.parts, place) ??
    whyCommandUnderWay(reading.parts, place)
  );
}

/** A package by its own name, which its program need not have. */
const PACKAGE = /^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/;

/** Whether a folder has a package or its program, in itself or in a folder around it. */
function isInstalled(name: string, folder: string): boolean {
  const packages = join(folder, 'node_modules');
  if (existsSync(join(packages, '.bin', name))) return true;
  if (PACKAGE.test(name) && existsSync(join(packages, name))) return true;
  return folder !== dirname(folder) && isInstalled(name, dirname(folder));
}

/** Whether a dollar sign means nothing to a program but itself, as for grep and awk. */
function isKnown(words: readonly string[]): boolean {
  return hasHarmlessOptions(words) || /(^|\/)([gmn]?awk|sed)$/.test(words[0] ?? '');
}
