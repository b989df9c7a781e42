import type { AgentViewStore } from './agentViewStore';

/** Largest file that is pasted or dropped, bytes. */
const LARGEST = 4_000_000;

/** The types under which VS Code and file managers name what is dragged. */
const ADDRESS_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

/** What puts pasted and dropped files beside the prompt; plain text is left to the field. */
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
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    onDragOver: (event: DragEvent) => {
      const types = event.dataTransfer?.types ?? [];
      if (['Files', ...ADDRESS_LISTS].some((type) => types.includes(type))) event.preventDefault();
    },
  };
}

/** Adds files, and says of those that cannot be added why not. */
async function addFiles(store: AgentViewStore, files: readonly File[]): Promise<void> {
  const read = await Promise.all(files.map(async (file) => ({ file, text: await textOf(file) })));
  const refusals: string[] = [];
  for (const { file, text } of read) {
    if (typeof text === 'string') store.wish({ type: 'attachText', name: file.name, text });
    else refusals.push(text.why);
  }
  if (refusals.length > 0) store.refusal.value = refusals.join(' ');
}

async function textOf(file: File): Promise<string | { readonly why: string }> {
  const { name, type, size } = file;
  if (/^image\/|\/pdf$/.test(type)) {
    return {
      why: `${name} is no text. Put it into the workspace: the agent can look at it there.`,
    };
  }
  if (size > LARGEST) return { why: `${name} is larger than 4 MB.` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? { why: `${name} is no text.` } : text;
  } catch {
    return { why: `${name} is no text, or cannot be read.` };
  }
}

function addressesIn(data: DataTransfer | null): readonly string[] {
  const [list = ''] = ADDRESS_LISTS.map((type) => data?.getData(type) ?? '').filter(
    (text) => text !== '',
  );
  const lines = list.split(/\r?\n/).filter((line) => line.startsWith('file:'));
  return lines.slice(0, 100);
}
