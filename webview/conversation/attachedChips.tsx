import type { VNode } from 'preact';
import { LONGEST_PASTED, LONGEST_PROMPT } from '../../src/editor/composer/pastedText';
import type { AttachedItem, AttachedView, OfferedView } from '../../src/editor/composer/state';
import { Icon, type IconName } from '../kit/icon';
import { formatTokens } from '../kit/tokens';
import { Button } from '../kit/toolkit';
import { VisibleText } from '../kit/untrustedText';
import { type AgentViewStore, useAgentView } from './agentViewStore';
import { composerElement } from './focus';
import { WORDS } from './words';

const ICONS: Readonly<Record<AttachedItem['kind'], IconName>> = {
  file: 'file',
  folder: 'list',
  selection: 'edit',
  symbol: 'tool',
  problems: 'warning',
  changes: 'recall',
  terminal: 'terminal',
  page: 'fetch',
  command: 'file',
  image: 'file',
  document: 'file',
};

/**
 * Shows the attachments of the prompt being typed, each with its tokens and a Remove button, and
 * offers what is open in the editor.
 */
export function AttachedChips({ attached, offered }: AttachedChipsProps): VNode | null {
  if (attached === undefined && offered === undefined) return null;
  return (
    <section class="attached" aria-label={WORDS.attached.title}>
      <ul data-testid="attached">
        {attached?.items.map((item) => (
          <Chip key={item.id} item={item} />
        ))}
        {offered && <Offered offered={offered} />}
      </ul>
      {attached?.crosses === true && (
        <p class="small attached-warning" role="status" data-testid="attached-warning">
          <Icon name="warning" /> {WORDS.attached.crosses}
        </p>
      )}
    </section>
  );
}

interface AttachedChipsProps {
  readonly attached: AttachedView | undefined;
  readonly offered: OfferedView | undefined;
}

/** The file or selection in the editor, which a click attaches. */
function Offered({ offered: { mention, name } }: { readonly offered: OfferedView }): VNode {
  const store = useAgentView();
  return (
    <li class="attached-offer small">
      <button
        type="button"
        class="plain"
        data-testid="attached-offer"
        title={WORDS.attached.offer(name)}
        aria-label={WORDS.attached.offer(name)}
        onClick={() => {
          store.wish({ type: 'attach', mention });
          composerElement()?.focus();
        }}
      >
        <Icon name="create" />
        <span class="ellipsis">
          <VisibleText text={name} />
        </span>
      </button>
    </li>
  );
}

function Chip({ item: { id, kind, name, tokens } }: { readonly item: AttachedItem }): VNode {
  const store = useAgentView();
  const size =
    tokens === undefined
      ? WORDS.attached.loading
      : `${formatTokens({ tokens, exact: false })} token${tokens === 1 ? '' : 's'}`;
  return (
    <li
      class="attached-chip small"
      data-testid="attached-item"
      data-kind={kind}
      data-tokens={tokens}
      title={WORDS.attached.item(kind, name, size)}
    >
      <Icon name={ICONS[kind]} />
      <span class="ellipsis">
        <VisibleText text={name} />
      </span>
      <span class="number quiet">{tokens === undefined ? '…' : size}</span>
      <button
        type="button"
        class="plain"
        data-testid="attached-remove"
        aria-label={WORDS.attached.removeItem(name)}
        title={WORDS.attached.remove}
        onClick={() => {
          store.wish({ type: 'detach', id });
          composerElement()?.focus();
        }}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

/** Says how long a text is that does not go into a prompt, and offers to attach it. */
export function TooLong(): VNode | null {
  const store = useAgentView();
  const text = store.tooLong.value;
  if (text === undefined) return null;
  return (
    <div class="banner" role="alert" data-testid="too-long">
      <Icon name="warning" />
      <p>{WORDS.attached.tooLong(text.length)}</p>
      <Button
        appearance="primary"
        data-testid="too-long-attach"
        onClick={() => {
          store.attachTooLong();
          composerElement()?.focus();
        }}
      >
        {WORDS.attached.attachIt}
      </Button>
      <Button data-testid="too-long-drop" onClick={() => (store.tooLong.value = undefined)}>
        {WORDS.attached.discard}
      </Button>
    </div>
  );
}

/** The names of the attachments that were sent with a prompt. */
export function AttachedNames({ names }: { readonly names: readonly string[] | undefined }) {
  if (names === undefined) return null;
  return (
    <p class="small quiet attached-names" data-testid="attached-names">
      {WORDS.attached.sentWith} <VisibleText text={names.join(', ')} />
    </p>
  );
}

/** Largest text that can be pasted or dropped, bytes. */
const LARGEST = 4_000_000;
/** The API takes 5 MiB an image, measured in base64; bytes. */
const LARGEST_MEDIA = 3_932_160;

/** The types under which VS Code and file managers list dragged URIs. */
const ADDRESS_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Attaches pasted and dropped files; the text field handles plain text. */
export function dropHandlers(store: AgentViewStore) {
  const take = (event: Event, data: DataTransfer | null): void => {
    const files = [...(data?.files ?? [])];
    const uris = files.length > 0 ? [] : addressesIn(data);
    if (files.length === 0 && uris.length === 0) return;
    event.preventDefault();
    if (uris.length > 0) store.wish({ type: 'attachDropped', uris });
    else void addFiles(store, files);
  };
  return {
    onPaste: (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      if (pasted.length <= LONGEST_PROMPT) return take(event, event.clipboardData);
      event.preventDefault();
      if (pasted.length <= LONGEST_PASTED) store.offerToAttach(pasted);
      else store.refusal.value = WORDS.attached.tooLarge('The pasted text', '20 MB');
    },
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    onDragOver: (event: DragEvent) => {
      const types = event.dataTransfer?.types ?? [];
      if (['Files', ...ADDRESS_LISTS].some((type) => types.includes(type))) event.preventDefault();
    },
  };
}

type WhyNot = string | undefined;

/** Attaches files, and reports those that could not be attached. */
async function addFiles(store: AgentViewStore, files: readonly File[]): Promise<void> {
  const refusals: string[] = [];
  for (const file of files) {
    const why = /^image\/|\/pdf$/.test(file.type)
      ? await addMedia(store, file)
      : await addText(store, file);
    if (why !== undefined) refusals.push(why);
  }
  if (refusals.length > 0) store.refusal.value = refusals.join(' ');
}

async function addMedia(store: AgentViewStore, file: File): Promise<WhyNot> {
  const { name, size } = file;
  if (size > LARGEST_MEDIA) return WORDS.attached.tooLarge(name, '3.9 MB');
  try {
    const data = base64(new Uint8Array(await file.arrayBuffer()));
    store.wish({ type: 'attachMedia', name, data });
    return undefined;
  } catch {
    return WORDS.attached.unreadable(name);
  }
}

/** In pieces, since a call takes a limited number of arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

async function addText(store: AgentViewStore, file: File): Promise<WhyNot> {
  const { name, size } = file;
  if (size > LARGEST) return WORDS.attached.tooLarge(name, '4 MB');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return WORDS.attached.notText(name);
    store.wish({ type: 'attachText', name, text });
    return undefined;
  } catch {
    return WORDS.attached.notReadableText(name);
  }
}

function addressesIn(data: DataTransfer | null): readonly string[] {
  const [list = ''] = ADDRESS_LISTS.map((type) => data?.getData(type) ?? '').filter(
    (text) => text !== '',
  );
  const lines = list.split(/\r?\n/).filter((line) => line.startsWith('file:'));
  return lines.slice(0, 100);
}
