import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { ToolView } from '../../src/editor/conversation/state';
import { sentenceOf } from '../kit/callWords';
import { DiffLines, PathName, VisibleText } from '../kit/untrustedText';
import { callIcon, Icon } from '../kit/icon';
import { formatElapsed, RunningTime } from '../kit/runningTime';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

interface ToolRowProps {
  readonly tool: ToolView;
  /** Start time, ms since the epoch; absent unless it is running now. */
  readonly runningSince?: number;
}

/** Calls whose label ends with a path. */
const NAMES_FILE: ReadonlySet<ToolView['kind']> = new Set(['read', 'edit', 'write', 'list']);

/** One tool call as a line that opens to its arguments and result. */
export function ToolRow({ tool, runningSince }: ToolRowProps): VNode {
  const store = useAgentView();
  const details = useId();
  const { name, kind, label, state, elapsedMs, toolUseId, why, lasting, allowedBy } = tool;
  const reason = useId();
  const isOpen = store.openCalls.value.has(toolUseId);
  const { verb, subject } = sentenceOf(tool);
  const saysFailed = tool.tests?.endsWith('failed') === true;
  return (
    <div class="tool" data-testid="tool-row" data-tool-use-id={toolUseId} data-state={state}>
      <button
        type="button"
        class="tool-line plain"
        aria-expanded={isOpen}
        aria-controls={details}
        aria-describedby={why === undefined ? undefined : reason}
        onClick={() => store.toggleCall(toolUseId)}
      >
        <Icon name={callIcon(kind)} />
        <span class="tool-label mono" title={label}>
          {verb !== undefined && <span class="tool-verb">{verb} </span>}
          {verb === undefined &&
            (subject === '' ? label : <span class="tool-name quiet">{name} </span>)}
          {NAMES_FILE.has(kind) ? (
            <PathName path={subject || label} />
          ) : (
            <span class="ellipsis">{subject}</span>
          )}
          {tool.tests !== undefined && (
            <span class="tool-tests" data-testid="tool-tests">
              : {tool.tests}
            </span>
          )}
        </span>
        {state !== 'done' && !saysFailed && <span class="tool-state small">{state}</span>}
        <span class="tool-time small number quiet">
          {runningSince === undefined ? (
            elapsedMs !== undefined && formatElapsed(elapsedMs)
          ) : (
            <RunningTime since={runningSince} />
          )}
        </span>
        <Icon name="chevron" />
      </button>
      {why !== undefined && (
        <p id={reason} class="tool-why small" data-testid="tool-why">
          {why}
        </p>
      )}
      {allowedBy !== undefined && (
        <p class="tool-why small quiet" data-testid="tool-allowed">
          {WORDS.tool.allowedBy(allowedBy)}
        </p>
      )}
      {lasting !== undefined && (
        <p class="tool-why small" data-testid="tool-lasting">
          {lasting}
        </p>
      )}
      {tool.subAgent && (
        <RowLink
          testId="open-sub-agent"
          hint={WORDS.tool.windowHint}
          onClick={() => store.wish({ type: 'openSubAgent', toolUseId })}
        >
          {WORDS.tool.window(tool.subAgent)}
        </RowLink>
      )}
      {tool.isMovable === true && (
        <RowLink
          testId="move-to-background"
          hint={WORDS.tool.moveHint}
          onClick={() => store.wish({ type: 'moveToBackground', toolUseId })}
        >
          {WORDS.tool.move}
        </RowLink>
      )}
      {!isOpen && state === 'running' && <LiveOutput toolUseId={toolUseId} />}
      {!isOpen && tool.tail && <LastLines lines={tool.tail} testId="tool-tail" />}
      {!isOpen && state === 'done' && tool.diff && <FirstLines lines={tool.diff} />}
      <div id={details}>{isOpen && <ToolDetails tool={tool} />}</div>
    </div>
  );
}

interface RowLinkProps {
  readonly testId: string;
  readonly hint: string;
  readonly onClick: () => void;
  readonly children: string;
}

/** An action below the line of a call. */
function RowLink({ testId, hint, onClick, children }: RowLinkProps): VNode {
  return (
    <button
      type="button"
      class="plain link small row-link"
      data-testid={testId}
      title={hint}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Arguments and result of a tool call; the result is fetched on demand. */
function ToolDetails({ tool }: { readonly tool: ToolView }): VNode {
  const store = useAgentView();
  const { toolUseId, argumentsText, diff, resultChars } = tool;
  const hasResult = resultChars !== undefined;
  useEffect(() => {
    if (hasResult) store.fetchResult(toolUseId);
  }, [hasResult, toolUseId]);
  const output = store.outputs.value.get(toolUseId);
  return (
    <div class="details">
      {diff === undefined ? (
        <>
          <h2 class="small quiet">{WORDS.tool.arguments}</h2>
          <pre class="output mono" data-testid="tool-arguments" tabIndex={0}>
            <VisibleText text={argumentsText} />
          </pre>
        </>
      ) : (
        <>
          <h2 class="small quiet">{WORDS.tool.change}</h2>
          <DiffLines lines={diff} />
        </>
      )}
      {hasResult ? (
        <>
          <h2 class="small quiet">{WORDS.tool.result(resultChars)}</h2>
          <pre class="output mono" data-testid="tool-result" tabIndex={0}>
            {store.results.value.get(toolUseId) ?? WORDS.loading}
          </pre>
        </>
      ) : (
        output !== undefined && (
          <>
            <h2 class="small quiet">{WORDS.tool.output}</h2>
            <pre class="output mono" data-testid="tool-output" tabIndex={0}>
              {output}
            </pre>
          </>
        )
      )}
    </div>
  );
}

/** Most changed lines of a diff shown without opening it. */
const FIRST_LINES = 4;

/** The first changed lines of a diff. */
export function FirstLines({ lines }: { readonly lines: readonly string[] }): VNode | null {
  const changed = lines.filter((line) => line.startsWith('+') || line.startsWith('-'));
  if (changed.length === 0) return null;
  return (
    <div class="first-lines" data-testid="first-lines">
      <DiffLines lines={changed.slice(0, FIRST_LINES)} isShort />
    </div>
  );
}

/** Number of last lines shown under a running tool. */
const LIVE_LINES = 3;

interface LastLinesProps {
  readonly lines: readonly string[];
  readonly testId: string;
}

function LastLines({ lines, testId }: LastLinesProps): VNode {
  return (
    <pre class="output live mono" data-testid={testId}>
      {lines.map((line, index) => (
        <span key={index}>
          {line}
          {index < lines.length - 1 && '\n'}
        </span>
      ))}
    </pre>
  );
}

/** The end of a running tool's output. */
function LiveOutput({ toolUseId }: { readonly toolUseId: string }): VNode | null {
  const output = useAgentView().outputs.value.get(toolUseId) ?? '';
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return <LastLines lines={lines.slice(-LIVE_LINES)} testId="live-output" />;
}
