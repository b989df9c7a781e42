import * as z from 'zod/mini';
import { type BackgroundCommands, RING_CHARS } from '../../agent/backgroundCommands';
import type { ToolOutput } from '../../agent/tool';
import { endText } from '../../contextWindow/commands';
import { refused } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { defineTool, failed, succeeded } from '../defineTool';
import { BoundedOutput } from './startedProcess';

/** Most characters of output that one read returns. */
export const READ_CHARS = 20_000;

const NONE = refused('No command can run in the background here.');

const handle = z.string().check(z.describe('A handle from run_command: "cmd1".'));

export const readOutput = defineTool({
  name: 'read_output',
  description:
    'Returns the output of a background command since the last read, then a last line that says whether it is running ' +
    `or how it ended. At most ${READ_CHARS} characters: the middle is left out, with a note. ` +
    `Only the last ${RING_CHARS} characters of unread output are kept.`,
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
    'Types text into the standard input of a background command, followed by Enter. It is a pipe, ' +
    'not a terminal: programs that need a terminal do not accept it. The user approves it first. read_output returns the answer.',
  input: z.strictObject({
    handle,
    text: z.string().check(z.describe('The text to type.')),
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
    'Stops a background command with everything it started, and returns its last output.',
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

/** Output since the last read, and the command's state. */
function outputOf(of: string, background: BackgroundCommands): ToolOutput {
  const output = background.read(of);
  if (!output.ok) return failed(output.message);
  const { end } = output;
  const text = shortOutput(output).trimEnd();
  const said = text === '' ? '(nothing new)' : text;
  if (end === undefined) return succeeded(`${said}\nrunning`);
  return { ...succeeded(`${said}\n${endText(end)}`), reportedEnds: [of] };
}

/** The outcome of a command: its output, and a last line with its state. */
export interface RanCommand extends Pick<ToolOutput, 'isError' | 'reportedEnds'> {
  readonly text: string;
  readonly last: string;
  /** It ended without being stopped. */
  readonly hasExited: boolean;
}

/** Output for the model: cut in the middle, with a note. */
export function shortOutput({
  text,
  missed,
}: {
  readonly text: string;
  readonly missed: number;
}): string {
  const short = new BoundedOutput(READ_CHARS);
  short.add(text);
  const gone = missed === 0 ? '' : `[${missed} characters before this were dropped]\n`;
  return `${gone}${short.text()}`;
}
