import type { VNode } from 'preact';
import type { ContextView, ScratchpadChangeView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import { undoHint } from '../ledger/words';
import { UndoLink } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';
import { fieldsOf } from '../store/scratchpadFields';

interface NotesDetailsProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Shows the scratchpad field by field, and lets the user change it. */
export function NotesDetails({ context, wish }: NotesDetailsProps): VNode {
  const { scratchpad, scratchpadChange, taskAsObjective, turn, whyReadOnly } = context;
  const why = whyReadOnly ?? (turn === 0 ? 'There is no session yet' : undefined);
  const fields = fieldsOf(scratchpad).filter(({ items }) => items.length > 0);
  return (
    <div class="notes">
      <h3 class="title">The agent’s notes</h3>
      <p class="quiet small">
        What the agent noted for itself. Every request contains it, whatever is removed.
      </p>
      <Age context={context} isEmpty={fields.length === 0} />
      {taskAsObjective !== undefined && (
        <dl class="facts">
          <div class="fact" data-testid="note-task">
            <dt>Objective</dt>
            <dd>
              {taskAsObjective}
              <p class="quiet small">The task, until an objective is written.</p>
            </dd>
          </div>
        </dl>
      )}
      {fields.length === 0 ? (
        <p class="empty quiet" data-testid="no-notes">
          {turn === 0
            ? 'No notes yet: ask the agent something, and it writes them as it works.'
            : 'No notes yet. The agent writes them as it works; Edit lets you write them.'}
        </p>
      ) : (
        <dl class="facts" data-testid="notes">
          {fields.map(({ name, label, isList, items }) => (
            <div key={name} class="fact" data-testid={`note-${name}`}>
              <dt>{label}</dt>
              <dd>
                {isList ? (
                  <ul>
                    {items.map((item) => (
                      <li key={item}>{item}</li>
                    ))}
                  </ul>
                ) : (
                  items.join('\n')
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="answers">
        <Button
          disabled={why !== undefined}
          hint={why ?? 'The agent is told what you change'}
          onClick={() => wish({ type: 'fetchScratchpad' })}
          data-testid="notes-edit"
        >
          Edit…
        </Button>
      </div>
      {scratchpadChange !== undefined && (
        <LastChange change={scratchpadChange} whyReadOnly={whyReadOnly} wish={wish} />
      )}
    </div>
  );
}

interface AgeProps {
  readonly context: ContextView;
  readonly isEmpty: boolean;
}

/** Says how many steps old the notes are. */
function Age({ context: { step, scratchpadSteps }, isEmpty }: AgeProps): VNode | null {
  if (scratchpadSteps === undefined || step === 0) return null;
  const steps = `${formatNumber(scratchpadSteps)} ${scratchpadSteps === 1 ? 'step' : 'steps'}`;
  const age = isEmpty ? `none in ${steps}` : `${steps} old`;
  return (
    <p class="small" data-testid="notes-age">
      {scratchpadSteps === 0 ? 'Notes: as of the newest step.' : `Notes: ${age}.`}
    </p>
  );
}

interface LastChangeProps extends Pick<NotesDetailsProps, 'wish'> {
  readonly change: ScratchpadChangeView;
  readonly whyReadOnly: string | undefined;
}

function LastChange({ change, whyReadOnly, wish }: LastChangeProps): VNode {
  const { by, step, undo } = change;
  const number = formatNumber(by === 'agent' ? step : step + 1);
  return (
    <p class="quiet small" data-testid="notes-changed">
      <span class="named" tabIndex={-1}>
        {by === 'agent'
          ? `Changed last by the agent, in step ${number}.`
          : `Changed last by you, before step ${number}.`}
      </span>{' '}
      {undo !== undefined && (
        <UndoLink
          label="Undo your change of the notes"
          hint={undoHint(undo)}
          why={whyReadOnly}
          testId="undo-notes"
          onClick={() => wish(undo)}
        />
      )}
    </p>
  );
}
