import { readCodexItem } from './codexItem';
import { LeftOut } from './leftOut';
import type { ImportAids } from './messageContent';
import { isObject, type JsonLine } from './readJson';
import type { RecordedCompaction, RecordedItem, RecordedPrompt } from './recordedItem';

/**
 * Of a rollout that does not say what it went on with, Codex goes on with the newest prompts of
 * this many tokens in all (its `compact.rs`), for which it takes four characters each.
 */
const KEPT_PROMPT_CHARS = 20_000 * 4;

/** Reads a compaction of Codex: prompts stay, word for word; all else is in its summary. */
export function readCodexCompaction(
  { message, replacement_history: history }: JsonLine['value'],
  line: number,
  before: readonly RecordedItem[],
  aids: ImportAids,
): RecordedCompaction {
  const prompts = before.filter((item) => item.type === 'prompt');
  const kept = Array.isArray(history)
    ? namedIn(prompts, textsOf(history, line, aids))
    : newest(prompts);
  const hasSummary = typeof message === 'string' && message.trim() !== '';
  return { type: 'compacted', line, ...(hasSummary ? { summary: message } : {}), kept };
}

/** The prompts in what the conversation was replaced by. */
function textsOf(history: readonly unknown[], line: number, aids: ImportAids): readonly string[] {
  // What it leaves out was told where it first stood.
  const again = { ...aids, leftOut: new LeftOut() };
  return history.flatMap((item) => {
    const read = isObject(item) ? readCodexItem(item, line, '', again) : undefined;
    const items = read?.ok === true ? read.value : [];
    return items.flatMap((one) => (one.type === 'prompt' ? [one.text] : []));
  });
}

/** The newest prompts with these texts, each text as often as it is named. */
function namedIn(
  prompts: readonly RecordedPrompt[],
  texts: readonly string[],
): readonly RecordedPrompt[] {
  const left = [...texts];
  const named = prompts.toReversed().filter(({ text }) => {
    const at = left.lastIndexOf(text);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
  return named.reverse();
}

function newest(prompts: readonly RecordedPrompt[]): readonly RecordedPrompt[] {
  let left = KEPT_PROMPT_CHARS;
  const start = prompts.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return prompts.slice(start + 1);
}
