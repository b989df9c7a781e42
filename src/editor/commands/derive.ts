import { endText } from '../../contextWindow/commands';
import type { ContextWindow } from '../../contextWindow/window';
import { visibleLine } from '../../contextWindow/visibleText';
import type { CommandView } from './state';

/** Most ended commands shown. */
const MOST_ENDED = 5;

/** Longest command shown, in characters. */
const LONGEST_COMMAND = 500;

/** Lists the background commands: running ones, then those that ended last, newest first. */
export function commandViews(
  { commands = [] }: ContextWindow,
  withOutput: ReadonlySet<string>,
): readonly CommandView[] {
  const own = commands.filter(({ end }) => end?.because !== 'forked').toReversed();
  const running = own.filter(({ end }) => end === undefined);
  const ended = own
    .filter(({ end }) => end !== undefined)
    .toSorted((one, other) => (other.end?.at ?? 0) - (one.end?.at ?? 0))
    .slice(0, MOST_ENDED);
  return [...running, ...ended].map(({ handle, command, startedAt, end }) => ({
    handle,
    command: visibleLine(command.slice(0, LONGEST_COMMAND)),
    startedAt,
    ...(end === undefined ? {} : { ended: endText(end), ranMs: end.at - startedAt }),
    ...(withOutput.has(handle) ? { hasOutput: true } : {}),
  }));
}
