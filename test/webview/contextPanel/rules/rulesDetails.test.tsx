import { describe, expect, it } from 'vitest';
import type { RulesView, StandingRuleView } from '../../../../src/editor/contextPanel/rules/state';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { chipWords, languageWords, placeWords } from '../../../../webview/contextPanel/rules/words';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const rule = (
  text: string,
  place: StandingRuleView['place'],
  more: Partial<StandingRuleView> = {},
): StandingRuleView => ({
  text,
  place,
  turn: 2,
  isAdded: false,
  ...more,
});

const rulesOf = (list: readonly StandingRuleView[], more: Partial<RulesView> = {}): RulesView => ({
  on: true,
  list,
  otherLanguages: [],
  languages: ['English'],
  most: 3_713,
  ...more,
});

const LIST = [
  rule('Never change the API.', 'block'),
  rule('Only use pnpm.', 'prompt', { turn: 3 }),
  rule('Do not push.', 'struck'),
];

function drawn(rules: RulesView | undefined, changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext({ rules, ...changes }));
  return { ...panel, chips: () => panel.all('rules-chip').map(({ textContent }) => textContent) };
}

describe('the standing rules in the panel', () => {
  it('are one chip, only when there are rules', () => {
    expect(drawn(undefined).chips()).toEqual([]);
    expect(drawn(rulesOf([])).chips()).toEqual([]);
    expect(drawn(rulesOf(LIST)).chips()).toEqual(['2 standing rules']);
    expect(chipWords(rulesOf(LIST.slice(0, 1)))).toBe('1 standing rule');
    expect(chipWords(rulesOf([...LIST, rule('x y z', 'omitted')]))).toBe(
      '3 standing rules, 1 does not fit',
    );
    expect(chipWords(rulesOf(LIST, { on: false }))).toBe('standing rules: off');
  });

  it('are listed below the bar on a click, each with its place', () => {
    const { one, all, click } = drawn(rulesOf(LIST));
    click(one('rules-chip'));
    expect(one('part-details').getAttribute('aria-label')).toBe('Standing rules');
    expect(all('rule').map(({ dataset }) => dataset['place'])).toEqual([
      'block',
      'prompt',
      'struck',
    ]);
    expect(all('rule').map(({ textContent }) => textContent)).toEqual([
      'Never change the API. in the rules block; your prompt of turn 2 was removed or shortened Strike',
      'Only use pnpm. in your prompt of turn 3 Strike',
      'Do not push. struck; a note tells the agent that it no longer applies Restore',
    ]);
    click(one('rules-chip'));
    expect(all('part-details')).toEqual([]);
  });

  it('say of every place where the rule is', () => {
    const said = (place: StandingRuleView['place'], more: Partial<StandingRuleView> = {}) =>
      placeWords(rule('x', place, more), 3_713);
    expect(said('note')).toBe('added by you in turn 2');
    expect(said('memory')).toBe('in project memory');
    expect(said('block', { isAdded: true })).toBe('in the rules block');
    expect(said('omitted')).toBe(
      'not in the request: rules take at most 3,713 tokens. Strike others to make room for it at the next pass.',
    );
    expect(said('off')).toBe('not kept');
  });

  it('are struck, restored, added and turned off by a click', () => {
    const { one, all, click, type, answer, refuse, wishes } = drawn(rulesOf(LIST));
    click(one('rules-chip'));
    click(all('strike-rule')[1]!);
    click(one('restore-rule'));
    click(one('switch-rules'));
    expect(wishes).toEqual([
      { type: 'strikeRule', text: 'Only use pnpm.' },
      { type: 'addRule', text: 'Do not push.' },
      { type: 'switchRules', on: false },
    ]);
    const field = one('new-rule') as HTMLInputElement;
    type('Always sign commits.', field);
    click(one('add-rule'));
    expect(wishes.at(-1)).toEqual({ type: 'addRule', text: 'Always sign commits.' });
    refuse('This rule is in the list already. Nothing was added.');
    expect(one('rule-refusal').textContent).toBe(
      'This rule is in the list already. Nothing was added.',
    );
    expect(field.value).toBe('Always sign commits.');
    click(one('add-rule'));
    answer({ type: 'done' });
    expect(field.value).toBe('');
  });

  it('are only looked at in a past step or a recording', () => {
    const { one, all, click, wishes } = drawn(rulesOf(LIST), { whyReadOnly: 'Step 3 is past' });
    click(one('rules-chip'));
    expect(all('new-rule')).toEqual([]);
    click(all('strike-rule')[0]!);
    click(one('switch-rules'));
    expect(all('strike-rule')[0]!.title).toBe('Step 3 is past');
    expect(wishes).toEqual([]);
  });

  it('begin in the details of what is kept while there are none, and say what a rule is', () => {
    const { one, openPart, click } = drawn(rulesOf([]));
    openPart('kept');
    click(one('show-rules'));
    expect(one('no-rules').textContent).toBe(
      'None of your prompts has a rule so far. A rule is a sentence such as “Never change the public API.”',
    );
  });

  it('name the prompts in which none were looked for', () => {
    expect(languageWords(rulesOf([]))).toBe('');
    expect(languageWords(rulesOf([], { otherLanguages: [4] }))).toBe(
      'No rules were looked for in the prompt of turn 4: not in English.',
    );
    expect(languageWords(rulesOf([], { otherLanguages: [4, 6] }))).toBe(
      'No rules were looked for in the prompts of turns 4, 6: not in English.',
    );
  });

  it('say that they are off, and how to turn them on', () => {
    const off = LIST.map((one) => ({ ...one, place: 'off' as const }));
    const { one, all, click, wishes, openPart } = drawn(rulesOf(off, { on: false }));
    openPart('rules');
    expect(one('rules').textContent).toContain('This session keeps no rules.');
    expect(all('strike-rule')).toEqual([]);
    click(one('switch-rules'));
    expect(wishes).toEqual([{ type: 'switchRules', on: true }]);
  });
});
