import * as z from 'zod/mini';
import type { AttachedKind } from '../../contextWindow/attached';
import { SLASH_COMMANDS, type SlashCommand } from './slashCommands';
import { id, number, text } from '../wish';

/** What the user may put beside a prompt; paths are relative to the workspace, lines count from 1. */
export const mention = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file'), path: id }),
  z.strictObject({ type: z.literal('folder'), path: id }),
  /** What is selected in the active editor. */
  z.strictObject({ type: z.literal('selection') }),
  z.strictObject({ type: z.literal('symbol'), name: id, path: id, line: number }),
  /** The errors and warnings of language servers. */
  z.strictObject({ type: z.literal('problems') }),
  /** What git says is not committed. */
  z.strictObject({ type: z.literal('changes') }),
  /** What the active terminal shows. */
  z.strictObject({ type: z.literal('terminal') }),
  z.strictObject({ type: z.literal('page'), url: text }),
]);

export type Mention = z.output<typeof mention>;

/** A line of the list that @ opens. */
export interface MentionChoice {
  readonly mention: Mention;
  readonly label: string;
  /** Where it is, or what it is; '' for nothing to say. */
  readonly detail: string;
}

/** What is beside the prompt that is being typed. */
export interface AttachedView {
  readonly items: readonly AttachedItem[];
  /** With all of it the window would cross the high watermark. */
  readonly crosses?: true;
}

export interface AttachedItem {
  readonly id: number;
  readonly kind: AttachedKind | 'image' | 'document';
  readonly name: string;
  /** An estimate; absent while it is being read. */
  readonly tokens?: number;
}

/** A command that / offers. */
export const slashCommand = z.enum(Object.keys(SLASH_COMMANDS) as [SlashCommand]);
