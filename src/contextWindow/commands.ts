import type { EventOf, LastingChange } from './event';
import type { ContextWindow } from './window';

/** The commands that the log says run. */
export function runningCommands({ commands = [] }: ContextWindow): readonly BackgroundCommand[] {
  return commands.filter(({ end }) => end === undefined);
}

/** Those that ended and the model has not been told of. */
export function untoldEnds({ commands = [] }: ContextWindow): readonly BackgroundCommand[] {
  return commands.filter(({ end, isEndTold }) => end !== undefined && isEndTold !== true);
}

/** The handle of the command that is started next. */
export function nextHandle({ commands = [] }: ContextWindow): string {
  return `cmd${commands.length + 1}`;
}

/** Takes in that a command was started. */
export function withCommand(
  window: ContextWindow,
  { handle, command, at }: EventOf<'commandStarted'>,
): ContextWindow {
  return { ...window, commands: [...(window.commands ?? []), { handle, command, startedAt: at }] };
}

/** Takes in that a command ended. */
export function withCommandEnd(
  window: ContextWindow,
  event: EventOf<'commandEnded'>,
): ContextWindow {
  const { type: _type, handle, ...end } = event;
  return changed(window, [handle], (command) => ({ ...command, end }));
}

/** Takes in that the model was told of the end of commands. */
export function withEndsTold(
  window: ContextWindow,
  handles: readonly string[] = [],
): ContextWindow {
  return changed(window, handles, (command) => ({ ...command, isEndTold: true }));
}

function changed(
  window: ContextWindow,
  handles: readonly string[],
  change: (command: BackgroundCommand) => BackgroundCommand,
): ContextWindow {
  const { commands } = window;
  if (commands === undefined || handles.length === 0) return window;
  return {
    ...window,
    commands: commands.map((one) => (handles.includes(one.handle) ? change(one) : one)),
  };
}

/**
 * Why a command in the background ended: by itself; by the agent, by the user; with its session; with
 * the window; `lost`: the editor had gone before it could be said; `forked`: it is of the session that
 * this one was forked from, and was never of this one.
 */
export const COMMAND_END_CAUSES = [
  'exited',
  'agent',
  'user',
  'sessionEnded',
  'windowClosed',
  'lost',
  'forked',
] as const;
export type CommandEndCause = (typeof COMMAND_END_CAUSES)[number];

/** How a command in the background ended. */
export interface CommandEnd {
  readonly because: CommandEndCause;
  /** Null where a signal ended it, or nothing is known. */
  readonly exitCode: number | null;
  /** The signal that ended it, as the system names it. */
  readonly signal?: string;
  /** What became of files that outlast the session while it ran. */
  readonly lasting?: readonly LastingChange[];
}

/** A command goes on in the background: what is logged of it. */
export interface CommandStarted {
  readonly type: 'commandStarted';
  /** "cmd1", counted in the session. */
  readonly handle: string;
  readonly command: string;
  /** It was started in the foreground. */
  readonly moved?: true;
}

/** A command in the background is over, with all that was found of what it had started. */
export interface CommandEnded extends CommandEnd {
  readonly type: 'commandEnded';
  readonly handle: string;
}

/** A command in the background, as the log tells of it. */
export interface BackgroundCommand {
  /** "cmd1": what the agent calls it. */
  readonly handle: string;
  readonly command: string;
  /** Ms since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs; `at` in ms since the epoch. */
  readonly end?: CommandEnd & { readonly at: number };
  /** The model knows of the end. */
  readonly isEndTold?: true;
}

/** Says in a few words how a command ended: "exit code 1", "stopped by the user". */
export function endText({ because, exitCode, signal }: CommandEnd): string {
  switch (because) {
    case 'exited':
      if (signal !== undefined) return `ended by ${signal}`;
      return exitCode === null ? 'ended' : `exit code ${exitCode}`;
    case 'agent':
      return 'stopped by the agent';
    case 'user':
      return 'stopped by the user';
    case 'sessionEnded':
      return 'stopped when the session ended';
    case 'windowClosed':
    case 'lost':
      return 'stopped when the editor closed';
    case 'forked':
      return 'belongs to the session this one was forked from';
  }
}
