import type { BackgroundCommand } from '../backgroundCommand';
import type { ContextWindow } from '../contextWindow';
import type { EventOf } from '../event';

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
