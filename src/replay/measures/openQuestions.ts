import { NONE_LOST, type Lost } from './grounding';
import { questionsIn } from '../../contextWindow/sentences';

/**
 * Counts the questions that were removed before they were answered.
 *
 * A question of the user is open from its prompt until the next reply without calls, which answers
 * it. A question of the agent in such a reply is open during the next turn, whose prompt is its
 * answer and makes no sense without it. A question is lost if one request sent while it is open
 * does not show it verbatim, apart from white space, in any form. Each counts once, and only if a
 * request was sent while it was open.
 */
export class OpenQuestions {
  readonly #open = new Map<string, { isAsked: boolean }>();
  #lost: Lost = NONE_LOST;

  get found(): Lost {
    return this.#lost;
  }

  prompted(text: string): void {
    this.#ask(text);
  }

  /** Records a request. */
  requested(isShown: (text: string) => boolean): void {
    for (const [question, state] of this.#open) {
      if (!state.isAsked) this.#lost = { ...this.#lost, total: this.#lost.total + 1 };
      state.isAsked = true;
      if (isShown(question)) continue;
      this.#lost = { ...this.#lost, lost: this.#lost.lost + 1 };
      this.#open.delete(question);
    }
  }

  /** Records a reply without calls: it answers the open questions, and may ask new ones. */
  answered(text: string): void {
    this.#open.clear();
    this.#ask(text);
  }

  #ask(text: string): void {
    for (const question of questionsIn(text)) {
      if (!this.#open.has(question)) this.#open.set(question, { isAsked: false });
    }
  }
}
