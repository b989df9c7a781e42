import type { Estimator } from '../../agent/model';
import { redacted } from '../../agent/secrets';
import {
  attachedName,
  promptParts,
  promptWithAttached,
  type AttachedText,
} from '../../contextWindow/attached';
import type { Attachment } from '../../contextWindow/block';
import type { PromptContent } from '../../contextWindow/event';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { AttachedContent, AttachedHead, Mentions } from './mentions';
import type { AttachedItem, Mention } from './state';

/** Most things beside one prompt. */
const MOST_ITEMS = 20;

/** Longest text beside a prompt, characters; the prompt as a whole is cut at its admission, too. */
export const LONGEST_ATTACHED = 200_000;

/** Most of images and PDFs beside one prompt, characters of base64: a request may have 32 MB, with all of the window. */
const MOST_MEDIA = 20_000_000;

interface Item extends AttachedHead {
  readonly id: number;
  /** Absent while it is being read. */
  readonly read?: { readonly text: string; readonly tokens: number } | Attachment;
}

/**
 * What lies beside the prompt that is being typed. Each text is read once, when it is put there: what was
 * counted and shown is what is sent.
 */
export class PromptAttachments {
  #items: readonly Item[] = [];
  #nextId = 1;

  /** `mentions` reads what the user mentions; `changed` is called when there is something new to show. */
  constructor(
    readonly mentions: Mentions,
    private readonly access: { readonly estimator: Pick<Estimator, 'warm' | 'estimate' | 'media'> },
    private readonly changed: () => void,
  ) {}

  /** What is shown of it. */
  get items(): readonly AttachedItem[] {
    return this.#items.map(({ id, kind, name, read }) => ({
      id,
      kind: read !== undefined && 'data' in read ? read.type : kind,
      name,
      ...(read === undefined ? {} : { tokens: read.tokens }),
    }));
  }

  /**
   * Puts something beside the prompt, in the place of the one with the same name, or says why not.
   * `isNew`: its name says little, as that of each image from the clipboard, so it takes no other's place.
   */
  async add(
    { kind, name: given }: AttachedHead,
    read: () => Promise<Result<AttachedContent>>,
    isNew = false,
  ): Promise<Refusal> {
    const wanted = attachedName(redacted(given));
    const name = isNew ? this.#freeName(wanted) : wanted;
    const others = this.#items.filter((one) => one.kind !== kind || one.name !== name);
    if (others.length >= MOST_ITEMS) {
      return `At most ${MOST_ITEMS} things stand beside one prompt. Remove one first.`;
    }
    const item: Item = { id: this.#nextId++, kind, name };
    this.#become([...others, item]);
    try {
      const result = await read();
      if (!result.ok) return result.message;
      const { estimator } = this.access;
      if ('media' in result) {
        const { media } = result;
        this.#replace(item.id, { ...item, read: { ...media, tokens: estimator.media(media) } });
        return undefined;
      }
      const text = shortened(redacted(result.text).toWellFormed());
      const block = promptWithAttached({ typed: '', attached: [{ kind, name, text }] });
      await estimator.warm([block]);
      this.#replace(item.id, { ...item, read: { text, tokens: estimator.estimate(block) } });
      return undefined;
    } finally {
      // Nothing stays of what could not be read.
      this.#become(this.#items.filter((one) => one.id !== item.id || one.read !== undefined));
    }
  }

  /** Attaches what the user mentions, or says why not. */
  attach(mention: Mention): Promise<Refusal> {
    return this.add(this.mentions.head(mention), () => this.mentions.read(mention));
  }

  /** Takes something away from the prompt. */
  remove(id: number): Refusal {
    if (!this.#items.some((one) => one.id === id)) return 'This is no longer beside the prompt.';
    this.#become(this.#items.filter((one) => one.id !== id));
    return undefined;
  }

  /** The prompt with what the user saw beside it as they sent it, or why it is not sent. */
  promptWith(typed: string, ids: readonly number[]): Result<{ readonly prompt: PromptContent }> {
    const attached: AttachedText[] = [];
    const attachments: Attachment[] = [];
    for (const id of ids) {
      const item = this.#items.find((one) => one.id === id);
      if (item === undefined) {
        return refused('Something beside the prompt is gone. Look at it, and send it again.');
      }
      const { kind, name, read } = item;
      if (read === undefined)
        return refused(`${name} is still being read. Send again in a moment.`);
      if ('data' in read) attachments.push(read);
      else attached.push({ kind, name, text: read.text });
    }
    const size = attachments.reduce((sum, { data }) => sum + data.length, 0);
    if (size > MOST_MEDIA) {
      const [has, most] = [size, MOST_MEDIA].map((each) => ((each * 3) / 4_000_000).toFixed(1));
      return refused(
        `The images and PDFs beside this prompt have ${has} MB together, and one prompt may have ${most} MB. Remove one.`,
      );
    }
    const text = promptWithAttached({ typed, attached });
    return {
      ok: true,
      prompt: { text, ...(attachments.length === 0 ? {} : { attachments }) },
    };
  }

  /** Sends a prompt with the attachments the user saw next to it, which are then removed; or says why not. */
  send(typed: string, ids: readonly number[], submit: (prompt: PromptContent) => Refusal): Refusal {
    const made = this.promptWith(typed, ids);
    if (!made.ok) return made.message;
    const refusal = submit(made.prompt);
    if (refusal === undefined && ids.length > 0) {
      this.#become(this.#items.filter(({ id }) => !ids.includes(id)));
    }
    return refusal;
  }

  /** Attaches again what a prompt was sent with, and gives the text the user typed. */
  async restore({ text: prompt, attachments = [] }: PromptContent): Promise<string> {
    const { typed, attached } = promptParts(prompt);
    // An attachment over the limit is left out; the log has its prompt.
    for (const { text, ...head } of attached) {
      await this.add(head, async () => ({ ok: true, text }));
    }
    for (const [index, { tokens: _tokens, ...media }] of attachments.entries()) {
      const name = `${media.type} ${index + 1} of that prompt`;
      await this.add({ kind: 'file', name }, async () => ({ ok: true, media }), true);
    }
    return typed;
  }

  /** The name itself, or with the first number behind it that nothing has: `image.png (2)`. */
  #freeName(name: string): string {
    const taken = new Set(this.#items.map((one) => one.name));
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
    return free;
  }

  #replace(id: number, item: Item): void {
    this.#become(this.#items.map((one) => (one.id === id ? item : one)));
  }

  #become(items: readonly Item[]): void {
    this.#items = items;
    this.changed();
  }
}

function shortened(text: string): string {
  if (text.length <= LONGEST_ATTACHED) return text;
  const left = text.length - LONGEST_ATTACHED;
  const kept = text.slice(0, LONGEST_ATTACHED).toWellFormed();
  return `${kept}\n[Plimsoll left out the last ${left} of ${text.length} characters.]`;
}
