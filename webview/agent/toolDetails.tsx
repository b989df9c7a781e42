import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ToolView } from '../../src/protocol/agentView';
import { formatNumber } from '../ui/tokens';
import { useAgent } from './agentContext';

/** Shows arguments and result of a tool call; the result is fetched when there is one. */
export function ToolDetails({ tool }: { readonly tool: ToolView }): VNode {
  const store = useAgent();
  const { toolUseId, argumentsText, resultChars } = tool;
  const hasResult = resultChars !== undefined;
  useEffect(() => {
    if (hasResult) store.fetchResult(toolUseId);
  }, [hasResult, toolUseId]);
  const output = store.outputs.value.get(toolUseId);
  return (
    <div class="details">
      <h2 class="small quiet">Arguments</h2>
      <pre class="output mono" data-testid="tool-arguments" tabIndex={0}>
        {argumentsText}
      </pre>
      {hasResult ? (
        <>
          <h2 class="small quiet">Result · {formatNumber(resultChars)} characters</h2>
          <pre class="output mono" data-testid="tool-result" tabIndex={0}>
            {store.results.value.get(toolUseId) ?? 'Fetching…'}
          </pre>
        </>
      ) : (
        output !== undefined && (
          <>
            <h2 class="small quiet">Output so far</h2>
            <pre class="output mono" data-testid="tool-output" tabIndex={0}>
              {output}
            </pre>
          </>
        )
      )}
    </div>
  );
}
