import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Conversation } from '../../src/editor/conversation/state';
import { useAgentView } from './agentViewStore';

/** The prompts of a session in order, queued ones last, without repetitions in a row. */
export function promptsOf({ turns, queued }: Conversation): readonly string[] {
  const all = [...turns.map(({ prompt }) => prompt), ...queued.map(({ text }) => text)];
  return all.filter((text, at) => text.trim() !== '' && text !== all[at - 1]);
}

/** Goes back and forth through the prompts; the text typed before comes back at the end. */
export class PromptHistory {
  /** The index of the prompt shown, and the text typed before. */
  #place: { readonly at: number; readonly shown: string; readonly begun: string } | undefined;

  /**
   * The prompt before the one in the composer, which contains `text`; undefined if there is none.
   */
  earlier(prompts: readonly string[], text: string): string | undefined {
    const place = this.#placeOf(text);
    return this.#show(prompts, (place?.at ?? prompts.length) - 1, place?.begun ?? text);
  }

  /** The prompt after it, or at the end the text typed before; undefined if no prompt is shown. */
  later(prompts: readonly string[], text: string): string | undefined {
    const place = this.#placeOf(text);
    if (place === undefined) return undefined;
    const next = this.#show(prompts, place.at + 1, place.begun);
    if (next !== undefined) return next;
    this.#place = undefined;
    return place.begun;
  }

  /** A prompt that was changed counts as new text. */
  #placeOf(text: string) {
    return this.#place?.shown === text ? this.#place : undefined;
  }

  #show(prompts: readonly string[], at: number, begun: string): string | undefined {
    const shown = prompts[at];
    if (shown !== undefined) this.#place = { at, shown, begun };
    return shown;
  }
}

/**
 * Makes Up on the first line show the previous prompt, and Down on the last line the next. The
 * function it returns says whether it used the key.
 */
export function useHistoryKeys(
  field: RefObject<HTMLTextAreaElement | null>,
  conversation: Conversation,
): (event: KeyboardEvent) => boolean {
  const store = useAgentView();
  const history = useRef(new PromptHistory()).current;
  const caret = useRef<'start' | 'end' | undefined>(undefined);
  const text = store.unsentPrompt.value;
  useLayoutEffect(() => {
    // The next press of the same key continues from here.
    const at = caret.current === 'start' ? 0 : text.length;
    if (caret.current !== undefined) field.current?.setSelectionRange(at, at);
    caret.current = undefined;
  }, [text]);

  return (event) => {
    const element = field.current;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (element === null || !isPlain || event.isComposing) return false;
    const { selectionStart: from, selectionEnd: to } = element;
    if (from !== to) return false;
    const isUp = event.key === 'ArrowUp' && !text.slice(0, from).includes('\n');
    const isDown = event.key === 'ArrowDown' && !text.slice(to).includes('\n');
    if (!isUp && !isDown) return false;
    const prompts = promptsOf(conversation);
    const shown = isUp ? history.earlier(prompts, text) : history.later(prompts, text);
    if (shown === undefined) return false;
    caret.current = isUp ? 'start' : 'end';
    store.unsentPrompt.value = shown;
    return true;
  };
}
