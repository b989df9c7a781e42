import * as z from 'zod/mini';
import { refused } from '../../contextWindow/result';
import { mediaIn } from '../../tools/files/media';
import { answered, id, number, text, wishesOf } from '../wish';
import type { AddToPrompt } from './addToPrompt';
import type { CustomCommands } from './customCommands';
import type { KeptDraft } from './keptDraft';
import { LONGEST_PASTED, PASTED } from './pastedText';
import type { PromptAttachments } from './promptAttachments';
import { SLASH_COMMANDS, type SlashCommand } from './slashCommands';
import type { Mention } from './state';

/** Longest image or PDF in base64, characters: the API takes 5 MiB. */
const LONGEST_MEDIA = 5_242_880;

const mention = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['file', 'folder']), path: id }),
  z.strictObject({ type: z.literal('symbol'), name: id, path: id, line: number }),
  z.strictObject({ type: z.literal('page'), url: text }),
  z.strictObject({ type: z.enum(['selection', 'problems', 'changes', 'terminal']) }),
]) satisfies z.ZodMiniType<Mention>;

const slashCommand = z.enum(Object.keys(SLASH_COMMANDS) as [SlashCommand]);

/** The objects whose methods the wishes of the composer call. */
export interface ComposerHost {
  readonly attachments: PromptAttachments;
  readonly customCommands: Pick<CustomCommands, 'choices' | 'mayCall' | 'called'>;
  /** The text being typed. */
  readonly drafts: Pick<KeptDraft, 'keep'>;
  readonly adding: Pick<AddToPrompt, 'addDropped'>;
  /** Runs a command of VS Code; a failure is reported. */
  readonly editor: { run(command: string, ...given: readonly unknown[]): void };
}

const { leaves } = wishesOf<ComposerHost>();

/** What the composer may ask for, apart from sending its prompt. */
export const COMPOSER_WISHES = {
  /** Gives what can be mentioned and matches the words after an @. */
  findMentions: leaves({ query: text }, async ({ query }, { attachments }) =>
    answered(await attachments.mentions.choices(query)),
  ),
  /** Gives the workspace's custom commands. */
  findCommands: leaves({}, async (_wish, { customCommands }) =>
    answered(await customCommands.choices()),
  ),
  attach: leaves({ mention }, (wish, { attachments }) => attachments.attach(wish.mention)),
  /** Attaches the text of a file that was pasted or dropped. */
  attachText: leaves(
    { name: id, text: z.string().check(z.maxLength(LONGEST_PASTED)) },
    (wish, { attachments }) =>
      attachments.add(
        { kind: 'file', name: wish.name },
        async () => ({ ok: true, text: wish.text }),
        wish.name === PASTED,
      ),
  ),
  /** Keeps the text being typed, so that it survives a reload of the window. */
  keepDraft: leaves({ text }, (wish, { drafts }) => drafts.keep(wish.text)),
  /** Attaches an image or PDF that was pasted or dropped; `data` is base64. */
  attachMedia: leaves(
    { name: id, data: z.string().check(z.maxLength(LONGEST_MEDIA)) },
    ({ name, data }, { attachments }) =>
      attachments.add(
        { kind: 'file', name },
        async () =>
          mediaIn(Buffer.from(data, 'base64'), name) ??
          refused(
            `${name} is not an image or PDF that the model accepts: PNG, JPEG, GIF, WebP, PDF.`,
          ),
        true,
      ),
  ),
  /** Attaches files and folders that were dropped, by their URIs. */
  attachDropped: leaves(
    { uris: z.array(text).check(z.maxLength(100)) },
    async ({ uris }, { adding }) => {
      const refusals: string[] = [];
      for (const uri of uris) {
        const refusal = await adding.addDropped(uri);
        if (refusal !== undefined) refusals.push(refusal);
      }
      return refusals.length === 0 ? undefined : refusals.join(' ');
    },
  ),
  detach: leaves({ id: z.int().check(z.minimum(0)) }, (wish, { attachments }) =>
    attachments.remove(wish.id),
  ),
  /** Runs a command of the palette. */
  runCommand: leaves({ command: slashCommand }, ({ command }, { editor }) =>
    editor.run(`plimsoll.${command}`),
  ),
};
