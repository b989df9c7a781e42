import type { VNode } from 'preact';

/** Shows the prompts that wait for the turn to end. */
export function QueuedPrompts({ prompts }: { readonly prompts: readonly string[] }): VNode | null {
  if (prompts.length === 0) return null;
  return (
    <ul class="queued" aria-label="Queued prompts">
      {prompts.map((prompt, index) => (
        <li key={index} data-testid="queued">
          <span class="small quiet">Queued</span>
          <span class="ellipsis" title={prompt}>
            {prompt}
          </span>
        </li>
      ))}
    </ul>
  );
}
