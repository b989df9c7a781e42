import { promptParts } from '../../contextWindow/attached';
import type { LedgerEntry } from '../../contextWindow/contextWindow';
import type { EventOf } from '../../contextWindow/event';
import { viewSize, viewSizeText } from '../../contextWindow/files/viewSize';
import { passTitle } from '../../contextWindow/passes/passName';
import { NO_FILE, type TurnFile } from '../../contextWindow/fileChanges';
import { isThinking } from '../../contextWindow/thinking';
import type { ThinkingView, TurnItem } from './state';
import type { TurnFileView } from '../checkpoints/state';
import { attachedNames } from '../composer/attachedNames';
import { tokensAfter } from '../contextPanel/ledger/derive';

/** A pass as it is drawn in the conversation. */
export type PassSource = Pick<LedgerEntry, 'pass' | 'certifiedTokens' | 'undone'>;

type Reply = EventOf<'replyReceived'>;

/** What an item of a turn is drawn from. */
export type Source =
  | Reply
  | PassSource
  | EventOf<'sessionSummarised'>
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'takenOver'; readonly title: string; readonly text: string };

/** Longest thinking a view is given, characters; the session log has the rest. */
const LONGEST_THINKING = 20_000;

/** What was thought in a step, as it is drawn; nothing where nothing was. */
export function thinkingOf({ parts, usage }: Reply): { readonly thinking?: ThinkingView } {
  if (!parts.some(isThinking)) return {};
  const said = parts.flatMap((part) => (part.type === 'thinking' ? [part.thinking.trim()] : []));
  const whole = said.filter((text) => text !== '').join('\n\n');
  const left = whole.length - LONGEST_THINKING;
  const text =
    left <= 0
      ? whole
      : `${whole.slice(0, LONGEST_THINKING)}\n… (${left} more characters are in the session log)`;
  const { thinkingTokens: tokens } = usage;
  return { thinking: { text, ...(tokens === undefined ? {} : { tokens }) } };
}

/** Draws a pass between steps. */
export function passItem(entry: PassSource): TurnItem {
  const { pass } = entry;
  const after = tokensAfter(entry);
  return {
    type: 'pass',
    number: pass.number,
    name: passTitle(pass),
    trigger: pass.trigger,
    beforeTokens: pass.before.tokens,
    afterTokens: after.tokens,
    exact: pass.before.exact && after.exact,
    ...(pass.view === undefined ? {} : { shows: viewSizeText(viewSize(pass.view.shown)) }),
    ...(entry.undone === true ? { undone: true } : {}),
  };
}

/**
 * Draws what is told as it is: words of the user, and summaries of whole sessions. `number` is its place
 * among the items of the turn.
 */
export function textItem(source: Exclude<Source, PassSource | Reply>, number: number): TurnItem {
  const { type, text } = source;
  if (type === 'said') {
    const parts = promptParts(text);
    return { type, number, text: parts.typed, ...attachedNames(parts) };
  }
  if (type === 'takenOver') return { type: 'summary', number, text, from: source.title };
  const { writtenBy: by } = source;
  const writtenBy = by.by === 'model' ? `by ${by.model}` : `a work note, because ${by.because}`;
  return { type: 'summary', number, text, writtenBy };
}

/** Draws what a turn made of a file. */
export function fileView({ before, after, path, added, removed, answer }: TurnFile): TurnFileView {
  const how = before === NO_FILE ? 'made' : after === NO_FILE ? 'gone' : 'changed';
  return {
    path,
    how,
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
    ...(answer === undefined ? {} : { answer }),
  };
}
