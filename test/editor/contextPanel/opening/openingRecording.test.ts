import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContextFact } from '../../../../src/editor/contextPanel/state';
import type { Opening } from '../../../../src/editor/recordings/recordings';
import { importTranscript } from '../../../../src/recordings/importTranscript';
import { recorded } from '../../recordings/support/recordingScene';

vi.mock('../../../../src/editor/recordings/recordingDialogs', () => ({
  withProgress: async (title: string, work: () => Promise<unknown>, stop: AbortController) => {
    notification = { title, stop };
    await work();
    notification = undefined;
  },
}));

/** The one that is shown. */
let notification: { readonly title: string; readonly stop: AbortController } | undefined;

const { OpeningRecording } =
  await import('../../../../src/editor/contextPanel/opening/openingRecording');

const imported = importTranscript(recorded(3), 'auto', 'session.jsonl', () => 0);
if (!imported.ok) throw new Error(imported.message);
const { transcript } = imported;

const posts: (string | undefined)[] = [];
const page = {
  post: (fact: ContextFact) => {
    if (fact.type !== 'recordingOpening') return;
    const { opening } = fact;
    posts.push(opening && `${opening.file} ${opening.share}`);
  },
};

/** An opening that goes on when the test says so. */
function held(opening: InstanceType<typeof OpeningRecording>, file: string) {
  let end = (): void => undefined;
  let [signal, progressed, read]: Partial<Opening> = [];
  const done = opening.run(file, (...given) => {
    [signal, progressed, read] = given;
    return new Promise<void>((resolve) => (end = resolve));
  });
  return {
    read: () => read?.(transcript),
    progress: (share: number) => progressed?.(share),
    get isStopped() {
      return signal?.aborted;
    },
    end: async () => {
      end();
      await done;
    },
  };
}

beforeEach(() => {
  posts.length = 0;
});

describe('the page, while a recording is opened', () => {
  it('shows it from its reading to the end, with the progress, also if it is loaded again', async () => {
    const opening = new OpeningRecording(page, 'demo');
    const one = held(opening, '/home/me/a.jsonl');
    one.progress(0.1);
    opening.hydrate();
    expect(posts).toEqual([]);
    one.read();
    one.progress(0.5);
    opening.hydrate();
    expect(posts).toEqual(['a.jsonl 0', 'a.jsonl 0.5', 'a.jsonl 0.5']);
    await one.end();
    opening.hydrate();
    expect(posts.slice(3)).toEqual([undefined]);
  });

  it('shows the one begun last, and Cancel stops that', async () => {
    const opening = new OpeningRecording(page, 'demo');
    const [first, second] = [held(opening, 'a.jsonl'), held(opening, 'b.jsonl')];
    second.read();
    first.read();
    await first.end();
    expect(posts).toEqual(['b.jsonl 0']);
    opening.stop();
    expect([first.isStopped, second.isStopped]).toEqual([false, true]);
    await second.end();
    expect(posts).toEqual(['b.jsonl 0', undefined]);
  });

  it('takes over from the notification once the file is read', async () => {
    const opening = new OpeningRecording(page, 'demo');
    const one = held(opening, '/home/me/a.jsonl');
    expect(notification?.title).toBe('Plimsoll: reading /home/me/a.jsonl');
    one.read();
    await vi.waitFor(() => expect(notification).toBeUndefined());
    expect(posts).toEqual(['a.jsonl 0']);
    await one.end();
  });

  it('leaves Cancel and the end of a file that is not replayed to the notification', async () => {
    const opening = new OpeningRecording(page, 'demo');
    const one = held(opening, 'a.jsonl');
    notification!.stop.abort();
    expect(one.isStopped).toBe(true);
    await one.end();
    await vi.waitFor(() => expect(notification).toBeUndefined());
  });

  it('shows nothing of a file that is not replayed', async () => {
    const opening = new OpeningRecording(page, 'demo');
    await held(opening, 'a.jsonl').end();
    expect(posts).toEqual([]);
  });
});
