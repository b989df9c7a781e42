import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StandingRuleView } from '../../../src/editor/contextPanel/rules/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { Button } from '../../kit/toolkit';
import { RefusedNote, useAnswer } from '../dialogs/modal';
import { LinkButton } from '../parts/linkButton';
import type { PanelStore } from '../store/panelStore';
import { languageWords, placeWords, RULES_WORDS } from './words';

interface RulesDetailsProps {
  readonly store: PanelStore;
  readonly context: Pick<ContextView, 'rules' | 'whyReadOnly'>;
}

/** Lists the standing rules and where each is; the user strikes one, adds one, or turns all off. */
export function RulesDetails({ store, context }: RulesDetailsProps): VNode | null {
  const { rules, whyReadOnly } = context;
  if (rules === undefined) return null;
  const { on, list, most } = rules;
  const languages = languageWords(rules);
  return (
    <div class="standing-rules" data-testid="rules">
      <p class="quiet small">{on ? RULES_WORDS.about : RULES_WORDS.off}</p>
      {on && list.length === 0 && <p data-testid="no-rules">{RULES_WORDS.none}</p>}
      <ul>
        {list.map((rule) => (
          <Rule key={rule.text} rule={rule} most={most} store={store} why={whyReadOnly} />
        ))}
      </ul>
      {languages !== '' && (
        <p class="quiet small" data-testid="rules-languages">
          {languages}
        </p>
      )}
      {on && whyReadOnly === undefined && <AddRule store={store} />}
      <p>
        <LinkButton
          why={whyReadOnly}
          hint={on ? 'For this session; the setting turns them off for all' : undefined}
          onClick={() => void store.wish({ type: 'switchRules', on: !on })}
          data-testid="switch-rules"
        >
          {on ? 'Turn rules off' : 'Turn rules on'}
        </LinkButton>
      </p>
    </div>
  );
}

interface RuleProps {
  readonly rule: StandingRuleView;
  readonly most: number;
  readonly store: PanelStore;
  readonly why: string | undefined;
}

function Rule({ rule, most, store, why }: RuleProps): VNode {
  const { text, place } = rule;
  const isStruck = place === 'struck';
  return (
    <li
      class={isStruck ? 'struck' : place === 'omitted' ? 'omitted' : undefined}
      data-testid="rule"
      data-place={place}
    >
      <span class="text">{text}</span> <span class="quiet small">{placeWords(rule, most)}</span>{' '}
      {place !== 'off' && (
        <LinkButton
          why={why}
          label={`${isStruck ? 'Restore' : 'Strike'} the rule: ${text}`}
          onClick={() => void store.wish({ type: isStruck ? 'addRule' : 'strikeRule', text })}
          data-testid={isStruck ? 'restore-rule' : 'strike-rule'}
        >
          {isStruck ? 'Restore' : 'Strike'}
        </LinkButton>
      )}
    </li>
  );
}

function AddRule({ store }: Pick<RuleProps, 'store'>): VNode {
  const [typed, type] = useState('');
  const answer = useAnswer(store, () => type(''));
  return (
    <form
      class="add-rule"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') answer.send({ type: 'addRule', text: typed });
      }}
    >
      <input
        type="text"
        aria-label={RULES_WORDS.add}
        placeholder={RULES_WORDS.add}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        data-testid="new-rule"
      />
      <Button
        disabled={typed.trim() === '' || answer.isWaiting}
        onClick={() => answer.send({ type: 'addRule', text: typed })}
        data-testid="add-rule"
      >
        Add
      </Button>
      <RefusedNote message={answer.refusal} data-testid="rule-refusal" />
    </form>
  );
}
