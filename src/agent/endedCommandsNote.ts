import { endText } from '../contextWindow/backgroundCommand';
import { untoldEnds } from '../contextWindow/log/commandChanges';
import { visibleLine } from '../contextWindow/visibleText';
import { lastingText } from './lastingWords';
import type { Session } from './session';

/** Longest command in the note, characters. */
const LONGEST_COMMAND = 200;

/**
 * Tells the model which commands in the background ended that it does not know of. To be called before
 * a prompt or behind results, since nothing may come between a call and its result.
 */
export function tellEndedCommands({ session }: { readonly session: Session }): void {
  const ended = untoldEnds(session.window);
  if (ended.length === 0) return;
  const text = [
    ended.length === 1
      ? 'A command in the background is over:'
      : `${ended.length} commands in the background are over:`,
    ...ended.flatMap(({ handle, command, end }) => {
      if (end === undefined) return [];
      const line = visibleLine(command.slice(0, LONGEST_COMMAND));
      const name = command.length > LONGEST_COMMAND ? `${line}…` : line;
      const isKept = end.because === 'exited' || end.because === 'user';
      const how = `${endText(end)}${isKept ? '; read_output gives what it wrote last' : ''}`;
      const lasting = end.lasting === undefined ? '' : ` While it ran: ${lastingText(end.lasting)}`;
      return [`- ${handle} (${name}): ${how}.${lasting}`];
    }),
  ].join('\n');
  session.append({
    type: 'noteAdded',
    source: { from: 'commandsEnded', handles: ended.map(({ handle }) => handle) },
    text,
    admission: { form: 'whole' },
  });
}
