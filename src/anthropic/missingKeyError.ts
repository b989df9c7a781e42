/** Thrown in place of a request to Anthropic that has no API key. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';

  constructor() {
    super('There is no API key.');
  }
}
