import { readFile } from 'node:fs/promises';
import type { MessagesRequest } from '../../../src/offline/messagesApi';

/** Every body sent to the model so far, in order. */
export async function requestsSent(): Promise<readonly MessagesRequest[]> {
  // The file exists as soon as the extension is active.
  const text = await readFile(process.env.PLIMSOLL_REQUESTS_FILE!, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as MessagesRequest);
}
