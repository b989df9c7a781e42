import { describe, expect, it } from 'vitest';
import {
  notReopened,
  OpenRecording,
  type KeptRecording,
} from '../../../src/editor/recordings/keptRecording';

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

describe('the stored state of an open recording', () => {
  it('is read as it was written, and is written only if it changed', async () => {
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

  it('survives the start of a window that shows its session first', async () => {
    const open = new OpenRecording(store(KEPT));
    await open.keep(undefined);
    expect(open.read()).toEqual(KEPT);
    await open.forget();
    expect(open.read()).toBeUndefined();
  });

  it('is ignored if it has an unknown form', () => {
    expect(new OpenRecording(store({ ...KEPT, at: 'never' })).read()).toBeUndefined();
    expect(new OpenRecording(store('gone')).read()).toBeUndefined();
  });

  it('is offered again if opening was stopped or failed for now', () => {
    const said = (cause: 'stopped' | 'lost' | 'other') =>
      notReopened('/a/b.jsonl', { ok: false, message: 'It cannot be read.', cause });
    const later =
      'Plimsoll tries again when the window is reloaded, unless you open another recording first.';
    expect(said('stopped')).toBe(
      `the replay of /a/b.jsonl was stopped, and the current session is shown. ${later}`,
    );
    expect(said('other')).toBe(
      `the recording that was open is not shown. It cannot be read. ${later}`,
    );
    expect(said('lost')).toBe('the recording that was open is no longer shown. It cannot be read.');
  });
});
