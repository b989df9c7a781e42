import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import {
  attributesOf,
  hasFocus,
  isInSight,
  isInView,
  meets,
  textsOf,
  told,
  valuesOf,
  type Words,
} from './looks';
import { PATIENCE, stays, until } from './until';

/**
 * What a test expects of a part of a page.
 *
 * A page is drawn a moment after the change, so a test never reads it immediately: it names the
 * text or number it expects and gets it once it appears.
 */
export class Shown {
  /** `locate` is called for each question: the page may have got a new frame. */
  constructor(private readonly locate: () => Locator) {}

  protected get locator(): Locator {
    return this.locate();
  }

  /** Does something with it, and again if VS Code replaced the frame of its page meanwhile. */
  protected async use<T>(act: (locator: Locator) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act(this.locator);
      } catch (error) {
        if (!/frame (was|got) detached/i.test(String(error))) throw error;
        await sleep(40);
      }
    }
  }

  /** Waits until it is visible. */
  appears(patience = PATIENCE): Promise<void> {
    return this.use((locator) => locator.waitFor({ timeout: patience }));
  }

  /** Waits until it exists, visible or not. */
  isThere(patience = PATIENCE): Promise<void> {
    return this.use((locator) => locator.waitFor({ state: 'attached', timeout: patience }));
  }

  /** Waits until it no longer exists. */
  async isGone(patience = PATIENCE): Promise<void> {
    await this.counts(0, patience);
  }

  /** Waits until none is visible. */
  isHidden(patience = PATIENCE): Promise<void> {
    return this.use((locator) => locator.waitFor({ state: 'hidden', timeout: patience }));
  }

  /** Checks for a while that none exists. */
  staysGone(): Promise<void> {
    return stays(
      `there is no ${this.name}`,
      async () => (await this.use((locator) => locator.count())) === 0,
    );
  }

  /** Waits until it contains the text; returns its whole text. */
  shows(words: Words, patience = PATIENCE): Promise<string> {
    return this.#one(`shows ${told(words)}`, () => textsOf(this.locator), meets(words), patience);
  }

  /** Waits until an attribute contains the text; returns its value. */
  has(attribute: string, words: Words, patience = PATIENCE): Promise<string> {
    const what = `has ${told(words)} in ${attribute}`;
    return this.#one(what, () => attributesOf(this.locator, attribute), meets(words), patience);
  }

  /** Waits until an attribute has exactly this value; null means the attribute is absent. */
  async is(attribute: string, value: string | null, patience = PATIENCE): Promise<void> {
    const isIt = (found: string | null): boolean => found === value;
    const what = `has ${JSON.stringify(value)} as ${attribute}`;
    await this.#one(what, () => attributesOf(this.locator, attribute), isIt, patience);
  }

  /** Waits until a field of a form contains the text; returns its whole value. */
  holds(words: Words): Promise<string> {
    return this.#one(`holds ${told(words)}`, () => valuesOf(this.locator), meets(words));
  }

  /** Waits until a number in an attribute satisfies the predicate; returns it. */
  async number(
    attribute: string,
    isIt: (number: number) => boolean,
    patience = PATIENCE,
  ): Promise<number> {
    const holds = (value: string): boolean => value !== '' && isIt(Number(value));
    return Number(await this.has(attribute, holds, patience));
  }

  /** Waits until the tokens it shows satisfy the predicate; returns them. */
  tokens(isIt: (tokens: number) => boolean = () => true): Promise<number> {
    return this.number('data-tokens', isIt);
  }

  /** Waits until this many exist, or a number that satisfies the predicate; returns it. */
  async counts(
    wanted: number | ((count: number) => boolean),
    patience = PATIENCE,
  ): Promise<number> {
    const isIt = typeof wanted === 'number' ? (count: number) => count === wanted : wanted;
    let count = 0;
    await until(
      () =>
        `there are ${typeof wanted === 'number' ? wanted : 'enough'} of ${this.name}, not ${count}`,
      async () => isIt((count = await this.use((locator) => locator.count()))),
      patience,
    );
    return count;
  }

  /**
   * Waits until an attribute of all of them, in order, satisfies the predicate; returns the values.
   */
  async all(
    attribute: string,
    isIt: (values: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    let values: readonly string[] = [];
    await until(
      () => `all ${attribute} of ${this.name} are as they should be, not ${JSON.stringify(values)}`,
      async () =>
        isIt((values = (await attributesOf(this.locator, attribute)).map((value) => value ?? ''))),
    );
    return values;
  }

  /** Waits until at least one exists and each contains the text. */
  async allShow(words: Words): Promise<void> {
    let texts: readonly string[] = [];
    await until(
      () => `every ${this.name} shows ${told(words)}, not ${JSON.stringify(texts)}`,
      async () => (texts = await textsOf(this.locator)).length > 0 && texts.every(meets(words)),
    );
  }

  /** Waits until it has the focus. */
  async isFocused(patience = PATIENCE): Promise<void> {
    await until(`${this.name} has the focus`, () => hasFocus(this.locator), patience);
  }

  /** Checks for a while that it keeps the focus. */
  staysFocused(): Promise<void> {
    return stays(`${this.name} keeps the focus`, () => hasFocus(this.locator));
  }

  /** Waits until it no longer has the focus. */
  async isLeft(): Promise<void> {
    await until(`${this.name} lost the focus`, async () => !(await hasFocus(this.locator)));
  }

  /** Waits until all of it is in the visible part of the page, without scrolling. */
  async isInView(): Promise<void> {
    await until(`${this.name} is in view`, () => isInView(this.locator));
  }

  /** Waits until it lies within the visible part of its list. */
  async isInSight(): Promise<void> {
    await until(`${this.name} is in sight`, () => isInSight(this.locator));
  }

  /** Performs an action and waits until exactly this part is no longer on the page. */
  async isMadeAnew(act: () => Promise<void>): Promise<void> {
    const before = await this.use((locator) => locator.elementHandle());
    await act();
    await until(
      `${this.name} was rebuilt`,
      async () => !(await before!.evaluate((element) => element.isConnected).catch(() => false)),
    );
  }

  /** Whether it is on the page now: for short-lived elements, never for an assertion. */
  isSeen(): Promise<boolean> {
    return this.use((locator) => locator.isVisible());
  }

  /** Its name in the message of a failure. */
  protected get name(): string {
    return String(this.locator);
  }

  /** Waits until exactly one exists and the value read from it satisfies the predicate. */
  async #one<T>(
    what: string,
    read: () => Promise<readonly T[]>,
    isIt: (value: NonNullable<T>) => boolean,
    patience = PATIENCE,
  ): Promise<NonNullable<T>> {
    let found: readonly T[] = [];
    const met = await until(
      () => `${this.name} ${what}, not ${JSON.stringify(found)}`,
      async () => {
        found = await read();
        const [value] = found;
        return found.length === 1 && isIt(value!) ? { value: value! } : undefined;
      },
      patience,
    );
    return met.value;
  }
}
