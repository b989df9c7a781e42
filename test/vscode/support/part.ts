import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { Shown } from './shown';
import { PATIENCE, until } from './until';

/** Time without a change after which an element is at rest, in ms. */
const REST = 400;

/** A part of a page: how it is found, what a user does to it, and what a test waits for. */
export class Part extends Shown {
  /** Its parts with this test id. */
  find(testId: string): Part {
    return new Part(() => this.locator.getByTestId(testId));
  }

  /** Its parts that match a CSS selector. */
  at(selector: string): Part {
    return new Part(() => this.locator.locator(selector));
  }

  /** Its button with this name. */
  button(name: string): Part {
    return new Part(() => this.locator.getByRole('button', { name }));
  }

  /** The part of it whose own text is, or contains, this text. */
  text(text: string): Part {
    return new Part(() => this.locator.getByText(text));
  }

  /** Those that contain a text. */
  withText(text: string): Part {
    return new Part(() => this.locator.filter({ hasText: text }));
  }

  nth(index: number): Part {
    return new Part(() => this.locator.nth(index));
  }

  get first(): Part {
    return this.nth(0);
  }

  get last(): Part {
    return this.nth(-1);
  }

  click(): Promise<void> {
    return this.use((locator) => locator.click());
  }

  /** Clicks in one step: an element that is redrawn between press and release loses the click. */
  async clickInOneGo(): Promise<void> {
    await until(`${this.name} was clicked`, async () => {
      await this.locator.waitFor({ timeout: PATIENCE });
      return this.locator
        .evaluateAll(([element]) => {
          if (!(element instanceof HTMLElement) || !element.isConnected) return false;
          element.click();
          return true;
        })
        .catch(() => false);
    });
  }

  doubleClick(): Promise<void> {
    return this.use((locator) => locator.dblclick());
  }

  hover(): Promise<void> {
    return this.use((locator) => locator.hover());
  }

  focus(): Promise<void> {
    return this.use((locator) => locator.focus());
  }

  fill(text: string): Promise<void> {
    return this.use((locator) => locator.fill(text));
  }

  /** Pastes a file; `data` is base64. */
  pasteFile(name: string, type: string, data: string): Promise<void> {
    return this.locator.evaluate(
      (element, file) => {
        const bytes = Uint8Array.from(atob(file.data), (byte) => byte.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], file.name, { type: file.type }));
        const options = { clipboardData, bubbles: true, cancelable: true };
        element.dispatchEvent(new ClipboardEvent('paste', options));
      },
      { name, type, data },
    );
  }

  /** Pastes a text, repeated; whether the field takes it is up to the page. */
  pasteText(text: string, times: number): Promise<void> {
    return this.locator.evaluate(
      (element, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted.text.repeat(pasted.times));
        const options = { clipboardData, bubbles: true, cancelable: true };
        element.dispatchEvent(new ClipboardEvent('paste', options));
      },
      { text, times },
    );
  }

  /** Focuses it and presses a key. */
  press(key: string): Promise<void> {
    return this.use((locator) => locator.press(key));
  }

  /** Checks or unchecks a box, which may show it only once the host has answered. */
  async tick(isOn: boolean): Promise<void> {
    const isTicked = () => this.use((locator) => locator.isChecked());
    if ((await isTicked()) === isOn) return;
    await this.click();
    await until(
      `${this.name} is ${isOn ? '' : 'not '}ticked`,
      async () => (await isTicked()) === isOn,
    );
  }

  async choose(option: string): Promise<void> {
    await this.use((locator) => locator.selectOption(option));
  }

  /** Points at it, at a share of its width. */
  async hoverAlong(share: number): Promise<void> {
    await this.locator.hover({ position: await this.#along(share) });
  }

  /** Clicks it at a share of its width. */
  async clickAlong(share: number): Promise<void> {
    await this.locator.click({ position: await this.#along(share) });
  }

  /** Drags from one share of its width to another, with the mouse. */
  async dragAlong(from: number, to: number): Promise<void> {
    await this.locator.hover({ position: await this.#along(from) });
    const { mouse } = this.locator.page();
    await mouse.down();
    const { x, y, width, height } = (await this.locator.boundingBox())!;
    await mouse.move(x + width * to, y + height / 2, { steps: 5 });
    await mouse.up();
  }

  /** Scrolls what it contains. */
  async scrollTo(end: 'top' | 'bottom'): Promise<void> {
    await this.locator.evaluate(
      (element, isTop) => element.scrollTo(0, isTop ? 0 : element.scrollHeight),
      end === 'top',
    );
  }

  /**
   * Waits until its elements and their text stay the same for a while, so that no later redraw
   * follows.
   */
  async comeToRest(): Promise<void> {
    const marked = (mark: number) =>
      this.locator.evaluateAll(
        (elements, now) =>
          elements.map((element) => {
            const known = element as Element & { seenAt?: number };
            known.seenAt ??= now;
            return `${known.seenAt} ${element.textContent}`;
          }),
        mark,
      );
    for (let mark = 1; ; mark += 1) {
      const before = await marked(mark);
      await sleep(REST);
      if (String(before) === String(await marked(mark + 0.5))) return;
    }
  }

  /** Measures it as it is drawn now. */
  measured<T>(by: (locator: Locator) => Promise<T>): Promise<T> {
    return by(this.locator);
  }

  /** Returns its HTML, to check for text that must never be in it. */
  html(): Promise<string> {
    return this.use((locator) => locator.evaluate((element) => element.outerHTML));
  }

  async #along(share: number): Promise<{ readonly x: number; readonly y: number }> {
    await this.locator.waitFor();
    const box = await this.locator.boundingBox();
    assert.ok(box, `${this.name} can be seen`);
    // The last pixel on either side is outside it.
    const x = Math.min(Math.max(box.width * share, 2), box.width - 2);
    return { x, y: box.height / 2 };
  }
}
