import { promptParts } from '../../contextWindow/attached';
import type { PromptContent } from '../../contextWindow/event';
import { refused, type Refusal } from '../../contextWindow/result';
import type { AgentWishes } from '../conversation/wishes';
import type { Mention } from './state';
import type { SlashCommand } from './slashCommands';
import { answered, type WishHandlers } from '../wish';
import { mediaIn } from '../../tools/files/media';
import type { AttachedDesk } from './attachedDesk';
import type { Mentions } from './mentions';

/** The wishes that concern what stands beside a prompt. */
type MentionWishes =
  | 'findMentions'
  | 'attach'
  | 'attachText'
  | 'attachMedia'
  | 'attachDropped'
  | 'detach'
  | 'runCommand';

/** What these wishes do. */
export interface MentionWishEffects {
  readonly desk: AttachedDesk;
  readonly mentions: Mentions;
  /** Puts a file or folder beside the prompt that the user dropped, or says why not. */
  drop(uri: string): Promise<Refusal>;
  /** Runs a command of the palette. */
  runCommand(command: SlashCommand): void;
}

/** Fulfils the wishes that concern what stands beside a prompt, or says why not. */
export function mentionWishHandlers(
  effects: MentionWishEffects,
): Pick<WishHandlers<AgentWishes>, MentionWishes> {
  return {
    findMentions: async ({ query }) => answered(await effects.mentions.choices(query)),
    attach: ({ mention }) => attach(effects, mention),
    attachText: ({ name, text }) =>
      effects.desk.add({ kind: 'file', name }, async () => ({ ok: true, text })),
    attachMedia: ({ name, data }) =>
      effects.desk.add(
        { kind: 'file', name },
        async () =>
          mediaIn(Buffer.from(data, 'base64'), name) ??
          refused(`${name} is no image or PDF that the model takes: PNG, JPEG, GIF, WebP, PDF.`),
        true,
      ),
    attachDropped: async ({ uris }) => {
      const refusals: string[] = [];
      for (const uri of uris) {
        const refusal = await effects.drop(uri);
        if (refusal !== undefined) refusals.push(refusal);
      }
      return refusals.length === 0 ? undefined : refusals.join(' ');
    },
    detach: ({ id }) => effects.desk.remove(id),
    runCommand: ({ command }) => effects.runCommand(command),
  };
}

/** Puts what is mentioned beside the prompt, or says why not. */
export function attach(
  { desk, mentions }: Pick<MentionWishEffects, 'desk' | 'mentions'>,
  mention: Mention,
): Promise<Refusal> {
  return desk.add(mentions.head(mention), () => mentions.read(mention));
}

/** Sends a prompt with what the user saw beside it, which is beside it no more; or says why not. */
export function sendWithAttached(
  desk: AttachedDesk,
  typed: string,
  ids: readonly number[],
  send: (prompt: PromptContent) => Refusal,
): Refusal {
  const made = desk.promptWith(typed, ids);
  if (!made.ok) return made.message;
  const refusal = send(made.prompt);
  if (refusal === undefined) desk.sent(ids);
  return refusal;
}

/** Gives a prompt back: what was typed, and beside the next prompt what was beside it. */
export async function restorePrompt(desk: AttachedDesk, prompt: PromptContent): Promise<string> {
  await desk.putBack(prompt);
  return promptParts(prompt.text).typed;
}
