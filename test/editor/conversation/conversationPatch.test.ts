import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation, TurnItem, TurnView } from '../../../src/editor/conversation/state';
import {
  conversationPatch,
  patchConversation,
} from '../../../src/editor/conversation/conversationPatch';
import { conversation, step, turn } from '../../webview/conversation/conversations';

const items: fc.Arbitrary<readonly TurnItem[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 5 })
  .chain((steps) =>
    fc.tuple(...steps.map((number) => fc.constantFrom('', 'a').map((text) => step(number, text)))),
  );

const turns: fc.Arbitrary<readonly TurnView[]> = fc
  .array(fc.record({ items, prompt: fc.constantFrom('a', 'b') }), { maxLength: 4 })
  .map((parts) => parts.map((part, index) => turn({ ...part, turn: index + 1 })));

const conversations: fc.Arbitrary<Conversation> = fc
  .record({
    turns,
    title: fc.constantFrom('a', 'b'),
    queued: fc.array(fc.record({ id: fc.nat(), text: fc.string() })),
  })
  .map((parts) => conversation(parts));

describe('the patch of a conversation', () => {
  it('leads from any conversation to any other, also as JSON', () => {
    fc.assert(
      fc.property(conversations, conversations, (before, after) => {
        const patch = conversationPatch(before, after);
        const posted = JSON.parse(JSON.stringify(patch)) as typeof patch;
        expect(patchConversation(before, posted)).toEqual(after);
      }),
    );
  });

  it('keeps unchanged turns and steps the same objects', () => {
    const before = conversation({
      turns: [turn({ items: [step(1, 'a')] }), turn({ turn: 2, items: [step(2, 'b')] })],
    });
    const [first, second] = before.turns;
    const items = [...second!.items, step(3, 'c')];
    const after = { ...before, turns: [first!, { ...second!, items }] };
    const patch = conversationPatch(before, after);
    expect(patch.turns.map(({ at }) => at)).toEqual([1]);
    const patched = patchConversation(before, patch);
    expect(patched.turns[0]).toBe(first);
    expect(patched.turns[1]?.items[0]).toBe(second!.items[0]);
  });
});
