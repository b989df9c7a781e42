import type { Part } from './part';

/** VS Code's quick input: lists to choose from and questions to answer. */
export class QuickInput {
  constructor(private readonly widget: Part) {}

  /** The title of the open list or question. */
  get title(): Part {
    return this.widget.at('.quick-input-title');
  }

  /** The field of a question or the filter of a list. */
  get field(): Part {
    return this.widget.at('input[type="text"]');
  }

  /** The field of a question for a secret. */
  get secret(): Part {
    return this.widget.at('input[type="password"]');
  }

  /** The first row of a list that contains a text. */
  row(text: string): Part {
    return this.rows.withText(text).first;
  }

  /** Every row of a list. */
  get rows(): Part {
    return this.widget.at('.monaco-list-row');
  }

  /**
   * Chooses a row. VS Code draws only the visible rows of a long list, so this types the row's text
   * first.
   */
  async choose(text: string): Promise<void> {
    await this.field.fill(text);
    await this.row(text).click();
  }

  /** Answers the question with that title; an earlier one may still be closing. */
  async answer(title: string, text: string): Promise<void> {
    await this.title.shows(title);
    await this.#answer(text);
  }

  /** Answers a question for a file once VS Code proposes one. */
  async answerFile(file: string, proposed: RegExp): Promise<void> {
    await this.field.holds(proposed);
    await this.#answer(file);
  }

  /** Closes it without an answer. */
  async leave(): Promise<void> {
    await this.field.press('Escape');
    await this.widget.isHidden();
  }

  async #answer(text: string): Promise<void> {
    await this.field.fill(text);
    await this.field.press('Enter');
  }
}
