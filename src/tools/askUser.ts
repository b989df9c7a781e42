import * as z from 'zod/mini';
import { refused } from '../contextWindow/result';
import { activeRules } from '../contextWindow/standingRules/standingRules';
import type { ContextWindow } from '../contextWindow/window';
import { failed, succeeded, defineTool } from './defineTool';

const LONGEST_QUESTION = 2_000;
const LONGEST_CHOICE = 200;
const MOST_CHOICES = 8;

/** The answers to a proposal to strike a rule. */
const STRIKE = 'Strike the rule';
const KEEP = 'Keep the rule';

const filled = z.refine<string>((text) => text.trim() !== '', 'must not be empty');

export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Asks the user one question and waits. choices are shown as buttons; the user may also type ' +
    'an answer. Only for what you cannot find out yourself and need to know to go on.',
  input: z.strictObject({
    question: z.string().check(filled, z.maxLength(LONGEST_QUESTION)),
    choices: z
      .optional(
        z
          .array(z.string().check(filled, z.maxLength(LONGEST_CHOICE)))
          .check(z.maxLength(MOST_CHOICES)),
      )
      .check(z.describe(`At most ${MOST_CHOICES} short answers.`)),
    strike_rule: z
      .optional(z.string())
      .check(
        z.describe('A standing rule, verbatim, that a later prompt contradicts: shall it end?'),
      ),
  }),
  async prepare({ question, choices = [], strike_rule: rule }, { window }) {
    if (rule !== undefined) return proposal(question, rule.trim(), window);
    return {
      ok: true,
      call: {
        approval: { kind: 'question', question, choices: [...new Set(choices)] },
        action: 'The question',
        async run(_signal, _onOutput, words = '') {
          if (words === '') return failed('The user gave no answer. Go on as you think best.');
          return succeeded(`The user answers: ${words}`);
        },
      },
    };
  },
});

/** Asks whether to strike a standing rule; only the user decides. */
function proposal(question: string, rule: string, window: ContextWindow) {
  const rules = activeRules(window).map(({ text }) => text);
  if (!rules.includes(rule)) {
    const list = rules.map((text) => `\n- ${text}`).join('');
    return refused(
      `Nothing was asked: strike_rule must be a standing rule, verbatim. ${list === '' ? 'There are none.' : `They are:${list}`}`,
    );
  }
  return {
    ok: true as const,
    call: {
      approval: {
        kind: 'question' as const,
        question: `${question}\n\nThe agent proposes to strike this standing rule:\n${rule}`,
        choices: [STRIKE, KEEP],
      },
      action: 'The question',
      async run(_signal: AbortSignal, _onOutput: unknown, words = '') {
        if (words === STRIKE) {
          return { ...succeeded('The user struck the rule.'), struckRule: rule };
        }
        const said = words === '' || words === KEEP ? '' : ` and says: ${words}`;
        return succeeded(`The user keeps the rule${said}.`);
      },
    },
  };
}
