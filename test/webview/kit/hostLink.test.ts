// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../webview/kit/hostLink';
import { connectHost, keptState, stamped } from '../../../webview/kit/hostLink';

type Fact = { readonly type: 'grew'; readonly by: number } | { readonly type: 'ended' };

function connected() {
  const heard: unknown[] = [];
  const handlers: Handlers<Fact> = {
    grew: ({ by }) => heard.push(by),
    ended: () => heard.push('ended'),
  };
  const messages = new EventTarget();
  const close = connectHost<Fact>(handlers, messages);
  const say = (data: unknown): boolean =>
    messages.dispatchEvent(new MessageEvent('message', { data }));
  return { close, heard, say };
}

describe('the link to the host', () => {
  it('passes each fact to its handler', () => {
    const { say, heard } = connected();
    say({ type: 'grew', by: 2 });
    say({ type: 'ended' });
    expect(heard).toEqual([2, 'ended']);
  });

  it.each([undefined, null, 'grew', 7, {}, { type: 7 }, { type: 'other' }, { type: 'toString' }])(
    'ignores %o',
    (data) => {
      const { say, heard } = connected();
      say(data);
      expect(heard).toEqual([]);
    },
  );

  it('ignores messages once closed', () => {
    const { close, say, heard } = connected();
    close();
    say({ type: 'ended' });
    expect(heard).toEqual([]);
  });
});

it('keeps state with its version, and drops state of another version or form', () => {
  const kept = stamped(2, { unsentPrompt: 'half' });
  expect(keptState(2, kept)).toMatchObject({ unsentPrompt: 'half' });
  for (const other of [undefined, null, 'x', {}, stamped(1, { unsentPrompt: 'half' })]) {
    expect(keptState(2, other)).toBeUndefined();
  }
});
