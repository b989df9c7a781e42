import type { VNode } from 'preact';
import type { RuleChoiceView } from '../../src/editor/session/state';
import { Icon } from '../kit/icon';
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

type AllowForProps = Omit<ApprovalScopeProps, 'choices'>;

/** The second half of the Allow button: a menu of how long Allow applies. */
export function AllowFor({ chosen, disabled, onChoose }: AllowForProps): VNode {
  return (
    <span class="allow-for" title={WORDS.approval.allowFor}>
      <select
        aria-label={WORDS.approval.allowFor}
        data-testid="approval-scope"
        value={chosen.scope}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          const scope = ALL.find((each) => each === currentTarget.value);
          if (scope !== undefined) onChoose({ ...chosen, scope });
        }}
      >
        {ALL.map((each) => (
          <option key={each} value={each}>
            {WORDS.scopes[each].menu}
          </option>
        ))}
      </select>
      <Icon name="open" />
    </span>
  );
}

/** Shows the rule that Allow creates, and lets the user choose another one; nothing for Allow once. */
export function RuleOfAllow(props: ApprovalScopeProps): VNode | null {
  const { choices, chosen, disabled, onChoose } = props;
  const { scope, choice } = chosen;
  const picked = choices[choice];
  if (scope === 'once') return null;
  return (
    <>
      {choices.length > 1 && (
        <select
          class="rule-choice small"
          aria-label={WORDS.approval.ruleChoice}
          data-testid="approval-choice"
          value={String(choice)}
          disabled={disabled}
          onChange={({ currentTarget }) => onChoose({ scope, choice: Number(currentTarget.value) })}
        >
          {choices.map(({ text }, index) => (
            <option key={text} value={String(index)}>
              {text}
            </option>
          ))}
        </select>
      )}
      <p class="small quiet" data-testid="approval-rule">
        {WORDS.notAskedAgain[scope]}: <span class="mono">{picked?.text}</span>
        {picked?.means !== undefined && `: ${picked.means}`}
      </p>
    </>
  );
}
