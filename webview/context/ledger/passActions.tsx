import type { VNode } from 'preact';
import type { ContextView, PassView } from '../../../src/protocol/contextPanel';
import { LinkButton } from '../parts/linkButton';
import type { PanelStore } from '../panelStore';
import { waysFrom } from '../frame/travel';
import { UndoButton } from './undoButton';
import { stepsOf } from '../frame/useTravelKeys';

export interface PassActionsProps {
  readonly store: PanelStore;
  readonly context: ContextView;
  readonly pass: PassView;
}

/** Offers what can be done with a pass: take it back, see what it changed, tell others of it. */
export function PassActions({ store, context, pass }: PassActionsProps): VNode {
  const { wish } = store;
  const { number, beforeStep, undone } = pass;
  const { first, last } = context.travel;
  const { back } = waysFrom({ at: beforeStep, first, last }, stepsOf(store));
  const to = beforeStep > last ? 'next' : beforeStep;
  return (
    <span class="acts">
      {undone ? (
        <span class="pill p-undone">undone</span>
      ) : (
        <UndoButton pass={pass} busy={context.busy} whyReadOnly={context.whyReadOnly} wish={wish} />
      )}
      <LinkButton
        label={`Diff of the requests around pass ${number}`}
        hint={`Opens the requests of steps ${back} and ${to} side by side`}
        why={back === undefined ? 'There is no request before this pass' : undefined}
        onClick={() => {
          if (back !== undefined) wish({ type: 'diffRequests', from: back, to, form: 'readable' });
        }}
        data-testid="diff-pass"
      >
        Diff
      </LinkButton>
      <LinkButton
        label={`Report of pass ${number}`}
        hint="Opens a report of this pass, ready to be sent as an issue; it holds no text of blocks"
        onClick={() => wish({ type: 'exportPass', number })}
        data-testid="export-pass"
      >
        Report
      </LinkButton>
    </span>
  );
}
