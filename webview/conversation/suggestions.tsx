import type { VNode } from 'preact';
import { useAgentView } from './agentViewStore';
import { composerElement } from './composerElement';

/** Offers prompts worth trying; picking one puts it into the composer, where it can be changed. */
export function Suggestions({ prompts }: { readonly prompts: readonly string[] }): VNode | null {
  const store = useAgentView();
  if (prompts.length === 0 || store.unsentPrompt.value !== '') return null;
  const pick = (prompt: string): void => {
    store.unsentPrompt.value = prompt;
    composerElement()?.focus();
  };
  return (
    <ul class="suggestions" aria-label="Suggestions">
      {prompts.map((prompt) => (
        <li key={prompt}>
          <button
            type="button"
            class="suggestion plain"
            data-testid="suggestion"
            title={prompt}
            onClick={() => pick(prompt)}
          >
            <span>{prompt}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
