import type { Estimator } from '../../agent/model';
import { maskedText } from '../../agent/secrets/secrets';
import {
  attachedName,
  promptParts,
  promptWithAttached,
  withoutRepeats,
  type AttachedText,
} from '../../contextWindow/attached';
import type { Attachment } from '../../contextWindow/block';
import type { PromptContent } from '../../contextWindow/event';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { KeptAttachments } from './keptDraft';
import type { AttachedContent, AttachedHead, LineProblems, Mentions } from './mentions';
import { LONGEST_PROMPT } from './pastedText';
import type { AttachedItem, Mention } from './state';

/** Most attachments of one prompt. */
const MOST_ITEMS = 20;

/**
 * Longest text attached, characters; the prompt as a whole is truncated when it is admitted, too.
 */
export const LONGEST_ATTACHED = LONGEST_PROMPT;

/**
 * Most base64 characters of images and PDFs in one prompt: a request may have 32 MB, with the whole
 * window.
 */
const MOST_MEDIA = 20_000_000;

interface Item extends AttachedHead {
  readonly id: number;
  /** Absent while it is being read. */
  readonly read?: { readonly text: string; readonly tokens: number } | Attachment;
}

/**
 * The attachments of the prompt being typed. Each is read once, when it is added: what was counted
 * and shown is what is sent.
 */
export class PromptAttachments {
  #items: readonly Item[] = [];
  #nextId = 1;

  /** `mentions` reads what the user mentions; `changed` is called when the attachments change. */
  constructor(
    readonly mentions: Mentions,
    private readonly access: { readonly estimator: Pick<Estimator, 'warm' | 'estimate' | 'media'> },
    private readonly changed: () => void,
  ) {}

  /** The attachments as the page shows them. */
  get items(): readonly AttachedItem[] {
    return this.#items.map(({ id, kind, name, read }) => ({
      id,
      kind: read !== undefined && 'data' in read ? read.type : kind,
      name,
      ...(read === undefined ? {} : { tokens: read.tokens }),
    }));
  }

  /** The attachments that have been read, for the next window. */
  get kept(): KeptAttachments {
    return this.#items.flatMap(({ kind, name, read }) =>
      read === undefined ? [] : [{ kind, name, read }],
    );
  }

  /** Takes the attachments of a prompt that was not sent before the window reloaded. */
  takeBack(kept: KeptAttachments): void {
    if (kept.length === 0) return;
    this.#become([...this.#items, ...kept.map((item) => ({ ...item, id: this.#nextId++ }))]);
  }

  /**
   * Adds an attachment and replaces the one with the same name, or says why not. `isNew`: the name
   * is generic, such as that of each image from the clipboard, so it replaces no other.
   */
  async add(
    { kind, name: given }: AttachedHead,
    read: () => Promise<Result<AttachedContent>>,
    isNew = false,
  ): Promise<Refusal> {
    const wanted = attachedName(maskedText(given));
    const name = isNew ? this.#freeName(wanted) : wanted;
    const others = this.#items.filter((one) => one.kind !== kind || one.name !== name);
    if (others.length >= MOST_ITEMS) {
      return `A prompt can have at most ${MOST_ITEMS} attachments. Remove one first.`;
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
      const text = sendable(result.text);
      const block = promptWithAttached({ typed: '', attached: [{ kind, name, text }] });
      await estimator.warm([block]);
      this.#replace(item.id, { ...item, read: { text, tokens: estimator.estimate(block) } });
      return undefined;
    } finally {
      // Drops the attachment if it could not be read.
      this.#become(this.#items.filter((one) => one.id !== item.id || one.read !== undefined));
    }
  }

  attach(mention: Mention | LineProblems): Promise<Refusal> {
    return this.add(this.mentions.head(mention), () => this.mentions.read(mention));
  }

  /** A prompt about one thing, without the attachments of the prompt being typed. */
  async promptAbout(
    typed: string,
    mention: Mention | LineProblems,
  ): Promise<Result<{ readonly prompt: PromptContent }>> {
    const { kind, name } = this.mentions.head(mention);
    const read = await this.mentions.read(mention);
    if (!read.ok) return read;
    if ('media' in read) return refused(`${name} is not text. Attach it to a prompt instead.`);
    const about = { kind, name: attachedName(maskedText(name)), text: sendable(read.text) };
    return { ok: true, prompt: { text: promptWithAttached({ typed, attached: [about] }) } };
  }

  remove(id: number): Refusal {
    if (!this.#items.some((one) => one.id === id))
      return 'This attachment has already been removed.';
    this.#become(this.#items.filter((one) => one.id !== id));
    return undefined;
  }

  /** The prompt with the attachments the user saw, or why it is not sent. */
  promptWith(
    typed: string,
    ids: readonly number[],
    command: readonly AttachedText[] = [],
  ): Result<{ readonly prompt: PromptContent }> {
    const attached: AttachedText[] = [];
    const attachments: Attachment[] = [];
    for (const id of ids) {
      const item = this.#items.find((one) => one.id === id);
      if (item === undefined) {
        return refused('An attachment is missing. Check the attachments and send again.');
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
        `The images and PDFs of this prompt have ${has} MB; the limit is ${most} MB. Remove one.`,
      );
    }
    const all = withoutRepeats([...attached, ...command]);
    const text = promptWithAttached({ typed, attached: all });
    return {
      ok: true,
      prompt: { text, ...(attachments.length === 0 ? {} : { attachments }) },
    };
  }

  /** Sends a prompt with the attachments the user saw, and then removes them; or says why not. */
  send(
    typed: string,
    ids: readonly number[],
    submit: (prompt: PromptContent) => Refusal,
    /** The custom command that the prompt calls, with the files it names. */
    command: readonly AttachedText[] = [],
  ): Refusal {
    const made = this.promptWith(typed, ids, command);
    if (!made.ok) return made.message;
    const refusal = submit(made.prompt);
    if (refusal === undefined && ids.length > 0) {
      this.#become(this.#items.filter(({ id }) => !ids.includes(id)));
    }
    return refusal;
  }

  /** Restores the attachments of a prompt, and returns the text the user typed. */
  async restore({ text: prompt, attachments = [] }: PromptContent): Promise<string> {
    const { typed, attached } = promptParts(prompt);
    // An attachment over the limit is left out; the log has its prompt.
    for (const { text, ...head } of attached) {
      // Its call is in the typed text, and is read again when it is sent.
      if (head.kind === 'command') continue;
      await this.add(head, async () => ({ ok: true, text }));
    }
    for (const [index, { tokens: _tokens, ...media }] of attachments.entries()) {
      const name = `${media.type} ${index + 1} of that prompt`;
      await this.add({ kind: 'file', name }, async () => ({ ok: true, media }), true);
    }
    return typed;
  }

  /** The name, with the first free number if it is taken: `image.png (2)`. */
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

/** A text as it may be sent: without secrets, and not longer than allowed. */
function sendable(text: string): string {
  return shortened(maskedText(text).toWellFormed());
}

function shortened(text: string): string {
  if (text.length <= LONGEST_ATTACHED) return text;
  const left = text.length - LONGEST_ATTACHED;
  const kept = text.slice(0, LONGEST_ATTACHED).toWellFormed();
  return `${kept}\n[Plimsoll left out the last ${left} of ${text.length} characters.]`;
}
