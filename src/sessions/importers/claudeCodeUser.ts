import { z } from 'zod';
import {
  messageContent,
  readResults,
  readTold,
  readUserContent,
  type ImportAids,
  type MessageContent,
} from './messageContent';
import type { JsonLine } from './readJson';
import type { RecordedItem } from './recordedItem';

/** A user line: what was typed, what tools answered, or what Claude Code put in by itself. */
export const userLine = z.object({
  uuid: z.string().optional(),
  parentUuid: z.string().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  message: z.object({ content: messageContent }),
});

type UserLine = z.output<typeof userLine>;

const LOCAL_COMMAND = /^\s*<(?:command-name|command-message|local-command-\w+|bash-\w+)>/;
const INTERRUPT_MARK = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;

/** The text each slash command stands for, by the uuid of the line with the command. */
export function expansionsOf(lines: readonly JsonLine[]): ReadonlyMap<string, string> {
  const commands = new Set<string>();
  const expansions = new Map<string, string>();
  for (const { value } of lines) {
    const read = value['type'] === 'user' ? userLine.safeParse(value) : undefined;
    if (read?.success !== true) continue;
    const { uuid, parentUuid, isMeta } = read.data;
    const text = plainText(read.data.message.content);
    if (isMeta !== true && uuid !== undefined && LOCAL_COMMAND.test(text)) commands.add(uuid);
    const isOfCommand = typeof parentUuid === 'string' && commands.has(parentUuid);
    if (isMeta === true && isOfCommand && !LOCAL_COMMAND.test(text))
      expansions.set(parentUuid, text);
  }
  return expansions;
}

/** Reads one user line. */
export function readUserLine(
  value: UserLine,
  line: number,
  expansions: ReadonlyMap<string, string>,
  aids: ImportAids,
): readonly RecordedItem[] {
  const { content } = value.message;
  if (value.isCompactSummary === true) {
    return [{ type: 'compacted', line, summary: readTold(content, aids).text }];
  }
  if (value.isMeta === true) {
    if (!expansions.has(value.parentUuid ?? '')) aids.leftOut.add('injectedText');
    return readResults(content, aids);
  }
  const text = plainText(content);
  if (LOCAL_COMMAND.test(text)) {
    const expansion = expansions.get(value.uuid ?? '');
    if (expansion === undefined) {
      aids.leftOut.add('commandLine');
      return readResults(content, aids);
    }
    const typed = [tagged(text, 'command-name'), tagged(text, 'command-args')].join(' ').trim();
    return [{ type: 'prompt', line, text: `${typed}\n\n${expansion}`, attachments: [] }];
  }
  if (INTERRUPT_MARK.test(text)) {
    aids.leftOut.add('interruptMark');
    return readResults(content, aids);
  }
  return readUserContent(content, aids, line);
}

/** The text parts alone; what a wrapper or a mark is told by. */
function plainText(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [String(part['text'])] : [])).join('\n');
}

function tagged(text: string, tag: string): string {
  return new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? '';
}
