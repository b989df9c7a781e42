import { describe, expect, it } from 'vitest';
import { OpenRecording, type KeptRecording } from '../../../src/host/inspection/keptRecording';

const KEPT: KeptRecording = { file: '/a/b.jsonl', number: 2, following: true, at: 7 };

function store(begun?: unknown) {
  const written: unknown[] = [];
  let value = begun;
  return {
    written,
    get: () => value,
    update: async (_key: string, next: unknown) => {
      value = next;
      written.push(next);
    },
  };
}

describe('what is kept of an open recording', () => {
  it('comes back as it was written, and is written only where it is other', async () => {
    const memento = store();
    const open = new OpenRecording(memento);
    await open.keep(KEPT);
    await open.keep({ ...KEPT });
    await open.keep({ ...KEPT, at: 'now' });
    expect(memento.written).toEqual([KEPT, { ...KEPT, at: 'now' }]);
    expect(new OpenRecording(memento).read()).toEqual({ ...KEPT, at: 'now' });
    await open.keep(undefined);
    expect(open.read()).toBeUndefined();
  });

  it('outlives the start of a window that shows its session first', async () => {
    const open = new OpenRecording(store(KEPT));
    await open.keep(undefined);
    expect(open.read()).toEqual(KEPT);
    await open.forget();
    expect(open.read()).toBeUndefined();
  });

  it('is nothing where it has another form', () => {
    expect(new OpenRecording(store({ ...KEPT, at: 'never' })).read()).toBeUndefined();
    expect(new OpenRecording(store('gone')).read()).toBeUndefined();
  });
});
