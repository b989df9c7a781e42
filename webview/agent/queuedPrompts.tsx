import type { VNode } from 'preact';
import { useAgent } from './agentContext';

/** Shows the prompts that wait for the turn to end, or for the next one when a turn has failed. */
export function QueuedPrompts({ prompts }: { readonly prompts: readonly string[] }): VNode | null {
  const store = useAgent();
  if (prompts.length === 0) return null;
  return (
    <ul class="queued" aria-label="Queued prompts">
      {prompts.map((prompt, index) => (
        <li key={index} data-testid="queued">
          <span class="small quiet">Queued</span>
          <span class="ellipsis" title={prompt}>
            {prompt}
          </span>
          {index === prompts.length - 1 && (
            <button
              type="button"
              class="plain link take-back"
              data-testid="take-back"
              aria-label="Take the queued prompts back into the composer"
              onClick={() => store.wish({ type: 'takeBackQueued' })}
            >
              Take back
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
