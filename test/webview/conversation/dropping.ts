import { act } from 'preact/test-utils';
import type { DrawnAgent } from './drawAgent';

/** The dragged data: files, or lists by their types. */
export interface Dragged {
  readonly files?: readonly File[];
  readonly lists?: Readonly<Record<string, string>>;
}

/**
 * Drops or pastes into the composer, and waits until the data was read; returns whether it was
 * used.
 */
export async function dropped(
  agent: DrawnAgent,
  { files = [], lists = {} }: Dragged,
  type: 'drop' | 'paste' | 'dragover' = 'drop',
): Promise<boolean> {
  const event = new Event(type, { bubbles: true, cancelable: true });
  const types = [...(files.length > 0 ? ['Files'] : []), ...Object.keys(lists)];
  const data = { files, types, getData: (name: string) => lists[name] ?? '' };
  Object.assign(event, { [type === 'paste' ? 'clipboardData' : 'dataTransfer']: data });
  await act(async () => {
    agent.get('composer').dispatchEvent(event);
    await new Promise((read) => setTimeout(read));
  });
  return event.defaultPrevented;
}
