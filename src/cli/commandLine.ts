import { redacted } from '../agent/secrets/knownSecrets';
import { errorText } from '../contextWindow/result';
import { INSPECT_HELP, inspectSession, type InspectOptions, readInspectArguments } from './inspect';
import type { Read } from './options';
import { replayFiles, unusableReplay } from './replayFiles';
import { readReplayArguments, REPLAY_HELP, type ReplayOptions } from './replayOptions';
import { run, unusableRun } from './run';
import { readRunArguments, RUN_HELP, type RunOptions } from './runOptions';
import {
  listSessions,
  readSessionsArguments,
  SESSIONS_HELP,
  type SessionsOptions,
} from './sessions';
import { type Say, type Surroundings, versionNear } from './terminal';
import { shownOn } from './terminalText';

/** Runs the command line and returns the exit code. Errors are printed without a stack. */
export async function runCommandLine(surroundings: Surroundings): Promise<number> {
  const around: Surroundings = {
    ...surroundings,
    stdout: shownOn(surroundings.stdout),
    stderr: shownOn(surroundings.stderr, true),
  };
  const say = (line: string) => void around.stderr.write(`${redacted(line)}\n`);
  try {
    return await runArguments(around, say);
  } catch (error) {
    say(`plimsoll: ${errorText(error)}`);
    return 1;
  }
}

async function runArguments(around: Surroundings, say: Say): Promise<number> {
  const args = readArguments(around.argv, around.cwd);
  const refuse = (problem: string) => {
    say(`plimsoll: ${problem}\nNothing was done. See plimsoll --help.`);
    return 2;
  };
  switch (args.type) {
    case 'help':
      around.stdout.write(`${args.text}\n`);
      return 0;
    case 'version':
      around.stdout.write(`plimsoll ${versionNear(around.bundles)}\n`);
      return 0;
    case 'badUsage':
      return refuse(args.message);
    case 'run': {
      const problem = unusableRun(args.options);
      return problem === undefined ? run(args.options, around, say) : refuse(problem);
    }
    case 'sessions':
      return listSessions(args.options, around, say);
    case 'inspect':
      return inspectSession(args.options, around, say);
    case 'replay': {
      const problem = unusableReplay(args.options);
      return problem === undefined ? replayFiles(args.options, around, say) : refuse(problem);
    }
  }
}

type Arguments =
  | { readonly type: 'run'; readonly options: RunOptions }
  | { readonly type: 'replay'; readonly options: ReplayOptions }
  | { readonly type: 'sessions'; readonly options: SessionsOptions }
  | { readonly type: 'inspect'; readonly options: InspectOptions }
  | { readonly type: 'help'; readonly text: string }
  | { readonly type: 'version' }
  | { readonly type: 'badUsage'; readonly message: string };

/** What `plimsoll --help` says: every command with its options. */
export const HELP = `${RUN_HELP}\n\n${REPLAY_HELP}\n\n${SESSIONS_HELP}\n\n${INSPECT_HELP}

plimsoll --version says which version this is.`;

const HELP_OPTIONS = ['--help', '-h'];

/** Reads the command line. Any mistake is reported, and nothing is done. */
export function readArguments(argv: readonly string[], here: string): Arguments {
  const [command, ...rest] = argv;
  if (command === 'help' || HELP_OPTIONS.includes(command ?? '')) {
    return { type: 'help', text: HELP };
  }
  if (command === '--version') return { type: 'version' };
  const asksHelp = HELP_OPTIONS.some((option) => rest.includes(option));
  if (command === 'run') {
    if (asksHelp) return { type: 'help', text: RUN_HELP };
    return taken(readRunArguments(rest, here), (options) => ({ type: 'run', options }));
  }
  if (command === 'replay') {
    if (asksHelp) return { type: 'help', text: REPLAY_HELP };
    return taken(readReplayArguments(rest), (options) => ({ type: 'replay', options }));
  }
  if (command === 'sessions') {
    if (asksHelp) return { type: 'help', text: SESSIONS_HELP };
    return taken(readSessionsArguments(rest, here), (options) => ({ type: 'sessions', options }));
  }
  if (command === 'inspect') {
    if (asksHelp) return { type: 'help', text: INSPECT_HELP };
    return taken(readInspectArguments(rest, here), (options) => ({ type: 'inspect', options }));
  }
  const message =
    command === undefined
      ? 'Say what to do: plimsoll run --task TEXT, or plimsoll replay FILE'
      : `There is no command "${command}".`;
  return { type: 'badUsage', message };
}

function taken<T>(read: Read<T>, form: (options: T) => Arguments): Arguments {
  return read.ok ? form(read.value) : { type: 'badUsage', message: read.message };
}
