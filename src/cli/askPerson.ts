import { createInterface } from 'node:readline/promises';
import type { ApprovalAnswer, ApprovalRequest } from '../agent/tool';
import { approvalQuestion } from './approvalQuestion';
import type { TextOutput } from './terminalText';

/** Where questions are asked, and whether anybody is there to answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly readableEnded?: boolean;
  };
  readonly output: TextOutput;
}

/** How many lines are written at once; a person says when to go on. */
const PAGE_LINES = 500;

/** Shows a person all of what is asked about, page by page, and then asks for a yes. */
export async function askYesOrNo(
  request: ApprovalRequest,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await asked(request, terminal, signal, '[y/N] ');
  return answer !== undefined && /^y(es)?$/i.test(answer);
}

/** Asks a person what the agent wants to know: one of its answers by number, or words of their own. */
export async function askAnswer(
  request: Extract<ApprovalRequest, { readonly kind: 'question' }>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const answer = (await asked(request, terminal, signal, '')) ?? '';
  if (answer === '') return { approved: false };
  const chosen = /^\d+$/.test(answer) ? request.choices[Number(answer) - 1] : undefined;
  return { approved: true, feedback: chosen ?? answer };
}

/** Asks, and gives what is typed; undefined where the person left, stopped the turn, or saw enough. */
async function asked(
  request: ApprovalRequest,
  { input, output }: Terminal,
  signal: AbortSignal,
  hint: string,
): Promise<string | undefined> {
  const { lines, question } = approvalQuestion(request);
  // With a terminal of its own, readline would keep Ctrl-C to itself, and a stop would count as a
  // no.
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
