import type { VNode } from 'preact';

/** What the keys of the list do; those of a block do it to the row with the focus. */
const BLOCK_KEYS: readonly (readonly [key: string, deed: string])[] = [
  ['↑ ↓', 'the next row; Page Up, Page Down, Home and End go further'],
  ['← →', 'fold and unfold a turn'],
  ['Enter', 'details'],
  ['O', 'open the text'],
  ['P', 'pin, unpin'],
  ['T', 'make a prompt the task'],
  ['X', 'exclude'],
  ['R', 'restore'],
  ['C', 'clear the result'],
  ['E', 'rewrite a summary'],
  ['?', 'show or hide this'],
];

/** Lists the keys. */
export function KeyHelp({ id }: { readonly id: string }): VNode {
  return (
    <dl id={id} class="keys small" data-testid="block-keys">
      {BLOCK_KEYS.map(([key, deed]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{deed}</dd>
        </div>
      ))}
    </dl>
  );
}
