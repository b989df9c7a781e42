import type { AttachedKind } from '../../contextWindow/attached';

/** What the user may mention; paths are relative to the workspace, lines count from 1. */
export type Mention =
  | { readonly type: 'file' | 'folder'; readonly path: string }
  | { readonly type: 'symbol'; readonly name: string; readonly path: string; readonly line: number }
  | { readonly type: 'page'; readonly url: string }
  /** The selection in the active editor. */
  | { readonly type: 'selection' }
  /** The errors and warnings of language servers. */
  | { readonly type: 'problems' }
  /** The uncommitted changes, by git. */
  | { readonly type: 'changes' }
  /** The output of the active terminal. */
  | { readonly type: 'terminal' };

/** A line of the list that @ opens. */
export interface MentionChoice {
  readonly mention: Mention;
  readonly label: string;
  /** Where it is, or what it is; '' for nothing. */
  readonly detail: string;
}

/** What the user has in the editor, which one click or key attaches. */
export interface OfferedView {
  readonly mention: Extract<Mention, { readonly type: 'file' | 'folder' | 'selection' }>;
  /** The file, or the selected lines: "src/a.ts:3-9"; untrusted. */
  readonly name: string;
}

/** A custom command in the list that / opens. */
export interface CommandChoice {
  /** Without the slash. */
  readonly name: string;
  /** The arguments it takes; '' for none. */
  readonly hint: string;
  /** What it does, or else its file. */
  readonly detail: string;
}

/** The attachments of the prompt being typed. */
export interface AttachedView {
  readonly items: readonly AttachedItem[];
  /** With them the window would cross the high watermark. */
  readonly crosses?: true;
}

export interface AttachedItem {
  readonly id: number;
  readonly kind: AttachedKind | 'image' | 'document';
  readonly name: string;
  /** An estimate; absent while it is being read. */
  readonly tokens?: number;
}
