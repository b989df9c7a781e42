import type { VNode } from 'preact';
import type { RuleView } from '../../src/editor/approvals/state';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';

/** Lists what answers for the user: each rule with who made it and when, and a button that takes it back. */
export function RuleList({ rules }: { readonly rules: readonly RuleView[] }): VNode {
  const store = useAgentView();
  const count = rules.length === 1 ? '1 rule answers' : `${rules.length} rules answer`;
  return (
    <details class="rules" data-testid="rules">
      <summary class="small">{count} for you</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule.name} data-testid="rule" data-decision={rule.decision}>
            <span class="rule-text">
              {rule.decision === 'allow' ? 'Allowed' : 'Denied'} {rule.where}:{' '}
              <span class="mono">{rule.subject}</span>
              <span class="small quiet"> {madeText(rule)}</span>
            </span>
            <Button
              data-testid="revoke-rule"
              label={`Revoke: ${rule.subject}`}
              onClick={() => store.wish({ type: 'revokeRule', name: rule.name })}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** "by ada, 23 Nov, 07:15"; as much as is known. */
function madeText({ by = '', at }: RuleView): string {
  const who = by === '' ? [] : [`by ${by}`];
  const when = at === undefined ? [] : [WHEN.format(at)];
  return [...who, ...when].join(', ');
}

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
