import type { VNode } from 'preact';

/** Says that what stands here was written beforehand. */
export function OfflineMark({ testId }: { readonly testId: string }): VNode {
  return (
    <p class="offline small" data-testid={testId}>
      Offline demo: scripted, no AI
    </p>
  );
}
