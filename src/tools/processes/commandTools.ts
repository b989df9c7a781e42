import * as z from 'zod/mini';
import { type BackgroundCommands, RING_CHARS } from '../../agent/backgroundCommands';
import type { ToolOutput } from '../../agent/tool';
import { endText } from '../../contextWindow/commands';
import { refused } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { defineTool, failed, succeeded } from '../defineTool';
import { BoundedOutput } from './startedProcess';

/** Most characters of output that one reading gives. */
export const READ_CHARS = 20_000;

const NONE = refused('No command can run in the background here.');

const handle = z.string().check(z.describe('As run_command gave it: "cmd1".'));

export const readOutput = defineTool({
  name: 'read_output',
  description:
    'Gives what a command in the background has written since it was last read, then a last line that says ' +
    `whether it runs or how it ended. At most ${READ_CHARS} characters: the middle is left out, and how much. ` +
    `Of what was not read, the last ${RING_CHARS} characters are kept.`,
  input: z.strictObject({ handle }),
  prepare({ handle: of }, { background }) {
    if (background === undefined) return Promise.resolve(NONE);
    return Promise.resolve({
      ok: true,
      call: {
        action: `the output of ${visibleLine(of)}`,
        run: () => Promise.resolve(outputOf(of, background)),
      },
    });
  },
});

export const sendInput = defineTool({
  name: 'send_input',
  description:
    'Types a text into the standard input of a command in the background, and Enter behind it. It is a pipe, ' +
    'no terminal: programs that want a terminal do not take it. The user is asked first. read_output gives the answer.',
  input: z.strictObject({
    handle,
    text: z.string().check(z.describe('What is typed.')),
    press_enter: z.optional(z.boolean()).check(z.describe('Default true.')),
  }),
  prepare({ handle: of, text, press_enter: enter = true }, { background }) {
    if (background === undefined) return Promise.resolve(NONE);
    const known = background.runningOne(of);
    if (!known.ok) return Promise.resolve(known);
    const sent = enter ? `${text}\n` : text;
    const { command } = known.command;
    return Promise.resolve({
      ok: true,
      call: {
        approval: { kind: 'input', handle: of, command, text, enter },
        action: `the input to ${of}`,
        run: async (signal) => {
          const why = await background.write(of, sent);
          if (why !== undefined) return failed(why);
          await background.firstLook(of, signal);
          return outputOf(of, background);
        },
      },
    });
  },
});

export const stopCommand = defineTool({
  name: 'stop_command',
  description:
    'Stops a command in the background with everything it started, and gives what it wrote last.',
  input: z.strictObject({ handle }),
  prepare({ handle: of }, { background }) {
    if (background === undefined) return Promise.resolve(NONE);
    const known = background.runningOne(of);
    if (!known.ok) return Promise.resolve(known);
    return Promise.resolve({
      ok: true,
      call: {
        action: `the stop of ${of}`,
        run: async () => {
          const why = await background.stop(of, 'agent');
          return why === undefined ? outputOf(of, background) : failed(why);
        },
      },
    });
  },
});

/** What was written since the last reading, and how the command stands. */
function outputOf(of: string, background: BackgroundCommands): ToolOutput {
  const output = background.read(of);
  if (!output.ok) return failed(output.message);
  const { end } = output;
  const text = shortOutput(output).trimEnd();
  const said = text === '' ? '(nothing new)' : text;
  if (end === undefined) return succeeded(`${said}\nrunning`);
  return { ...succeeded(`${said}\n${endText(end)}`), toldEnds: [of] };
}

/** What came of a command: its output, and a last line that says how it stands. */
export interface RanCommand extends Pick<ToolOutput, 'isError' | 'toldEnds'> {
  readonly text: string;
  readonly last: string;
  /** It ended by itself. */
  readonly hasExited: boolean;
}

/** Output as it is told: cut in the middle, with what is left out. */
export function shortOutput({
  text,
  missed,
}: {
  readonly text: string;
  readonly missed: number;
}): string {
  const short = new BoundedOutput(READ_CHARS);
  short.add(text);
  const gone = missed === 0 ? '' : `[${missed} characters before this are gone]\n`;
  return `${gone}${short.text()}`;
}
