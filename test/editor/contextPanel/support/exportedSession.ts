import type { Exported } from '../../../../src/editor/contextPanel/exports/viewRows';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import type { SourceView } from '../../../../src/editor/session/state';
import type { DecisionView } from '../../../../src/editor/contextPanel/ledger/state';
import { fails, says, scriptedAgent, steps } from '../../../support/scriptedAgent';
import { inspecting, lookedAt } from './inspecting';

/** The panel of a session with passes, an overflow and evicted blocks. */
async function panel() {
  const agent = scriptedAgent({
    script: [
      ...steps(24, 1_400).slice(0, -1),
      fails({ type: 'overflow', message: 'prompt is too long' }),
      says('Done.'),
    ],
  });
  await agent.run('look');
  return inspecting(() => lookedAt(agent.session)).inspection;
}

/** The session itself, its current panel, and its timeline. */
export const { inspection, VIEW, TIMELINE } = await panel().then((one) => ({
  inspection: one,
  VIEW: one.view(),
  TIMELINE: one.timeline(),
}));

/** Its newest pass and the decisions of it. */
export const PASS = VIEW.passes[0]!;
export const DECISIONS = inspection.decisions(PASS.number)!;

/** The export of the session, with some changes to its view. */
export const exported = (changes: Partial<ContextView> = {}): Exported => ({
  view: { ...VIEW, ...changes },
  timeline: TIMELINE,
});

/** The source of a recording of another agent. */
export const RECORDING: Extract<SourceView, { readonly type: 'recording' }> = {
  type: 'recording',
  file: 'run 7.jsonl',
  format: 'claude-code',
  following: false,
  setAside: 'Set aside here: the window that the file names.',
  notes: ['2 lines of another conversation were left out.'],
};

/** The export with a session's text in every field that can hold one. */
export function saying(text: string): Exported {
  const view: ContextView = {
    ...VIEW,
    source: { ...RECORDING, file: text, format: text, notes: [text] },
    title: text,
    model: text,
    windowSource: text,
    blocks: VIEW.blocks.map((block) => ({ ...block, label: text, reason: text })),
    scratchpad: {
      objective: text,
      keyFacts: [text],
      decisions: [text],
      currentStep: text,
      blockers: [text],
    },
  };
  const points = TIMELINE.points.map((point) => ({
    ...point,
    marks: point.marks.map((mark) => ({ ...mark, words: text })),
  }));
  return {
    view,
    timeline: { points, totals: { ...TIMELINE.totals, cost: text }, pace: [] },
    shown: { ids: VIEW.blocks.map(({ id }) => id), words: text },
  };
}

/** The decisions of the pass with a text in every field that can hold one. */
export const decided = (text: string): readonly DecisionView[] =>
  DECISIONS.map((decision) => ({ ...decision, label: text, reason: text }));
