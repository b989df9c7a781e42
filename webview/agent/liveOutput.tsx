import type { VNode } from 'preact';
import { useAgent } from './agentContext';

/** How many of the last lines are shown under a running tool. */
const LINES = 4;

/** Shows the end of what a running tool has written so far. */
export function LiveOutput({ toolUseId }: { readonly toolUseId: string }): VNode | null {
  const output = useAgent().outputs.value.get(toolUseId) ?? '';
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return (
    <pre class="output live mono" data-testid="live-output">
      {lines.slice(-LINES).join('\n')}
    </pre>
  );
}
