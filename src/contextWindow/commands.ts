import type { EventOf, LastingChange } from './event';
import type { ContextWindow } from './window';

/** The background commands that still run, according to the log. */
export function runningCommands({ commands = [] }: ContextWindow): readonly BackgroundCommand[] {
  return commands.filter(({ end }) => end === undefined);
}

/** The background commands that ended without the model knowing it yet. */
export function unreportedEnds({ commands = [] }: ContextWindow): readonly BackgroundCommand[] {
  return commands.filter(({ end, isEndReported }) => end !== undefined && isEndReported !== true);
}

/** The handle for the next command that starts. */
export function nextHandle({ commands = [] }: ContextWindow): string {
  return `cmd${commands.length + 1}`;
}

/** Records that a command started. */
export function withCommand(
  window: ContextWindow,
  { handle, command, at }: EventOf<'commandStarted'>,
): ContextWindow {
  return { ...window, commands: [...(window.commands ?? []), { handle, command, startedAt: at }] };
}

/** Records that a command ended. */
export function withCommandEnd(
  window: ContextWindow,
  event: EventOf<'commandEnded'>,
): ContextWindow {
  const { type: _type, handle, ...end } = event;
  return changed(window, [handle], (command) => ({ ...command, end }));
}

/** Records that the model knows about the end of commands. */
export function withEndsReported(
  window: ContextWindow,
  handles: readonly string[] = [],
): ContextWindow {
  return changed(window, handles, (command) => ({ ...command, isEndReported: true }));
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
 * Why a background command ended. `exited`: of its own accord. `lost`: the editor was gone before
 * it could report the end. `forked`: the command belongs to the session from which this one was
 * forked.
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

export interface CommandEnd {
  readonly because: CommandEndCause;
  /** Null if a signal ended it, or if the code is unknown. */
  readonly exitCode: number | null;
  /** The system's name of the signal that ended it. */
  readonly signal?: string;
  /** Changes, during its run, of files that outlast the session. */
  readonly lasting?: readonly LastingChange[];
}

export interface CommandStarted {
  readonly type: 'commandStarted';
  /** For example "cmd1", counted in the session. */
  readonly handle: string;
  readonly command: string;
  /** It started in the foreground and was moved. */
  readonly moved?: true;
}

/** A background command ended, together with every process it had started. */
export interface CommandEnded extends CommandEnd {
  readonly type: 'commandEnded';
  readonly handle: string;
}

/** A background command as the log describes it. */
export interface BackgroundCommand {
  /** The agent's name for it, for example "cmd1". */
  readonly handle: string;
  readonly command: string;
  /** Ms since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs; `at` in ms since the epoch. */
  readonly end?: CommandEnd & { readonly at: number };
  /** The model knows about the end. */
  readonly isEndReported?: true;
}

/** Describes the end of a command in a few words: "exit code 1", "stopped by the user". */
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
