import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Conversation } from '../../src/protocol/agentView';
import { useAgentView } from './agentViewStore';
import { PromptHistory, promptsOf } from './promptHistory';

/**
 * Has Up on the first line of the composer show the prompt before, and Down on the last line the one
 * after it. The function it gives answers whether a key was used for that.
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
    // Where the same key goes on from.
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
