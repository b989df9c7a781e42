import { promptParts, promptWithAttached } from '../contextWindow/attached';
import type { Refusal } from '../contextWindow/result';
import type { AgentWishes } from '../protocol/agentWishes';
import type { Mention } from '../protocol/mentions';
import type { SlashCommand } from '../protocol/slashCommands';
import { answered, type WishHandlers } from '../protocol/wish';
import type { AttachedDesk } from './attachedDesk';
import type { Mentions } from './mentions';

/** The wishes that concern what stands beside a prompt. */
type MentionWishes =
  'findMentions' | 'attach' | 'attachText' | 'attachDropped' | 'detach' | 'runCommand';

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
  send: (prompt: string) => Refusal,
): Refusal {
  const texts = desk.texts(ids);
  if (!texts.ok) return texts.message;
  const refusal = send(promptWithAttached({ typed, attached: texts.attached }));
  if (refusal === undefined) desk.sent(ids);
  return refusal;
}

/** Gives a prompt back: what was typed, and beside the next prompt what was beside it. */
export async function giveBack(desk: AttachedDesk, prompt: string): Promise<string> {
  const { typed, attached } = promptParts(prompt);
  await desk.putBack(attached);
  return typed;
}
