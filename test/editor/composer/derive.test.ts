import { describe, expect, it } from 'vitest';
import { attachedView } from '../../../src/editor/composer/derive';

describe('the warning about attachments', () => {
  it('appears if the window with them is above the watermark', () => {
    const items = [
      { id: 1, kind: 'file', name: 'a', tokens: 60 },
      { id: 2, kind: 'file', name: 'b', tokens: 40 },
      { id: 3, kind: 'page', name: 'c' },
    ] as const;
    expect(attachedView([], 500, 100)).toBeUndefined();
    expect(attachedView(items, 700, 800)).toEqual({ items });
    expect(attachedView(items, 701, 800)).toEqual({ items, crosses: true });
  });
});
