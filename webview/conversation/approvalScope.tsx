import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { RuleChoiceView } from '../../src/editor/session/state';
import { WORDS } from './words';

/** How long Allow applies: to this question, or as a rule. */
type AllowedFor = 'once' | 'session' | 'workspace' | 'always';

const ALL = Object.keys(WORDS.scopes) as readonly AllowedFor[];

interface ScopeChoice {
  readonly scope: AllowedFor;
  /** Index among the choices. */
  readonly choice: number;
}

export interface ApprovalGiven {
  readonly approved: boolean;
  /** Sent to the agent with either answer. */
  readonly words?: string;
  /** Applies to the further edits of the card, too. */
  readonly together?: boolean;
  /** With Allow: the rule to create. */
  readonly chosen?: ScopeChoice;
}

export const ONCE: ScopeChoice = { scope: 'once', choice: 0 };

interface ApprovalScopeProps {
  /** The rules on offer, the narrowest first. */
  readonly choices: readonly RuleChoiceView[];
  readonly chosen: ScopeChoice;
  readonly disabled: boolean;
  readonly onChoose: (chosen: ScopeChoice) => void;
}

/** Lets the user choose how long Allow applies, and to what; shows the rule that it creates. */
export function ApprovalScope(props: ApprovalScopeProps): VNode {
  const { choices, chosen, disabled, onChoose } = props;
  const label = useId();
  const { scope, choice } = chosen;
  const isRule = scope !== 'once';
  const picked = choices[choice];
  return (
    <>
      <div class="approval-line approval-scope small">
        <label for={label}>{WORDS.approval.allow}</label>
        <select
          id={label}
          data-testid="approval-scope"
          value={scope}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const next = ALL.find((each) => each === currentTarget.value);
            if (next !== undefined) onChoose({ scope: next, choice });
          }}
        >
          {ALL.map((each) => (
            <option key={each} value={each}>
              {WORDS.scopes[each]}
            </option>
          ))}
        </select>
        {isRule && choices.length > 1 && (
          <select
            aria-label={WORDS.approval.ruleChoice}
            data-testid="approval-choice"
            value={String(choice)}
            disabled={disabled}
            onChange={({ currentTarget }) =>
              onChoose({ scope, choice: Number(currentTarget.value) })
            }
          >
            {choices.map(({ text }, index) => (
              <option key={text} value={String(index)}>
                {text}
              </option>
            ))}
          </select>
        )}
      </div>
      {isRule && (
        <p class="small quiet" data-testid="approval-rule">
          {WORDS.notAskedAgain[scope]}: <span class="mono">{picked?.text}</span>
          {picked?.means !== undefined && `: ${picked.means}`}
        </p>
      )}
    </>
  );
}
