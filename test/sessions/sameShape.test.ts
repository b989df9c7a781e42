import { expect, it } from 'vitest';
import type { BlockId } from '../../src/contextWindow/block';
import { assertSameShape } from '../../src/sessions/sameShape';

interface Event {
  readonly id: BlockId;
  readonly kind: 'a' | 'b';
  readonly tags: readonly string[];
  readonly note?: string;
}

it('types that differ in a field do not compile', () => {
  assertSameShape<
    Event,
    { id: string; kind: 'a' | 'b'; tags: string[]; note?: string | undefined }
  >();
  // @ts-expect-error a kind is missing
  assertSameShape<Event, { id: string; kind: 'a'; tags: string[]; note?: string }>();
  // @ts-expect-error an optional field is missing
  assertSameShape<Event, { id: string; kind: 'a' | 'b'; tags: string[] }>();
  // @ts-expect-error an optional field is required
  assertSameShape<Event, { id: string; kind: 'a' | 'b'; tags: string[]; note: string }>();
  // @ts-expect-error a list holds something else
  assertSameShape<Event, { id: string; kind: 'a' | 'b'; tags: number[]; note?: string }>();
  // @ts-expect-error there is a field too many
  assertSameShape<Event, { id: string; kind: 'a' | 'b'; tags: []; note?: string; more: string }>();
  expect(assertSameShape).toBeTypeOf('function');
});
