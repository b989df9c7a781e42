import * as z from 'zod/mini';
import { failed, succeeded, defineTool } from './defineTool';

const LONGEST_QUESTION = 2_000;
const LONGEST_CHOICE = 200;
const MOST_CHOICES = 8;

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
  }),
  async prepare({ question, choices = [] }) {
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
