import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { ToolView, TurnItem } from '../../src/editor/conversation/state';
import { callIcon, Icon } from '../kit/icon';
import { useAgentView } from './agentViewStore';
import { readsWords } from './words';

export type StepItem = Extract<TurnItem, { readonly type: 'step' }>;

/** Kinds of calls that only look at the workspace. */
const READS: ReadonlySet<ToolView['kind']> = new Set(['read', 'search', 'list']);

/** Whether a call has nothing to say but what it looked at. */
function isQuiet({ kind, state, why, lasting, allowedBy }: ToolView): boolean {
  const isPlain = why === undefined && lasting === undefined && allowedBy === undefined;
  return READS.has(kind) && state === 'done' && isPlain;
}

/** Whether a step only looks, and follows calls that only look: both are one row. */
export function foldsInto(before: StepItem, step: StepItem): boolean {
  const last = before.tools.at(-1);
  const isSilent = step.text.trim() === '' && step.tools.length > 0;
  return isSilent && last !== undefined && isQuiet(last) && step.tools.every(isQuiet);
}

/** A part of a step: some of its calls. */
interface StepPart {
  readonly step: StepItem;
  readonly tools: readonly ToolView[];
}

/** Successive calls of a row. Two or more that only look are folded. */
interface CallRun {
  readonly isFolded: boolean;
  readonly parts: readonly StepPart[];
}

/** The calls of the steps of a row, in order, in runs. */
export function callRuns(steps: readonly StepItem[]): readonly CallRun[] {
  const runs: { isQuiet: boolean; parts: { step: StepItem; tools: ToolView[] }[] }[] = [];
  for (const step of steps) {
    for (const tool of step.tools) {
      const run = runs.at(-1);
      const part = run?.parts.at(-1);
      if (run?.isQuiet !== true || !isQuiet(tool)) {
        runs.push({ isQuiet: isQuiet(tool), parts: [{ step, tools: [tool] }] });
      } else if (part?.step === step) part.tools.push(tool);
      else run.parts.push({ step, tools: [tool] });
    }
  }
  return runs.map(({ parts }) => ({ isFolded: toolsOf(parts).length > 1, parts }));
}

function toolsOf(parts: readonly StepPart[]): readonly ToolView[] {
  return parts.flatMap(({ tools }) => tools);
}

interface FoldedReadsProps {
  readonly run: CallRun;
  readonly children: (part: StepPart) => VNode;
}

/** Calls that only look, as one sentence that opens to them. */
export function FoldedReads({ run, children }: FoldedReadsProps): VNode {
  const store = useAgentView();
  const list = useId();
  const tools = toolsOf(run.parts);
  const key = `reads ${tools[0]?.toolUseId}`;
  const isOpen = store.openCalls.value.has(key);
  return (
    <div class="tool" data-testid="folded-reads" data-count={tools.length}>
      <button
        type="button"
        class="tool-line plain"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => store.toggleCall(key)}
      >
        <Icon name={callIcon(tools[0]?.kind ?? 'read')} />
        <span class="tool-label ellipsis">{readsWords(tools)}</span>
        <Icon name="chevron" />
      </button>
      <div id={list} class="folded" hidden={!isOpen}>
        {isOpen && run.parts.map(children)}
      </div>
    </div>
  );
}
