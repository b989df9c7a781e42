// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { isNearEnd } from '../../../webview/conversation/conversationList';

describe('the newest line', () => {
  it.each([
    ['at the very end', 700, true],
    ['32 px above it', 668, true],
    ['33 px above it', 667, false],
    ['at the top', 0, false],
    ['beyond the end, as elastic scrolling does', 720, true],
  ])('%s (scrollTop %s): visible %s', (_, scrollTop, inSight) => {
    expect(isNearEnd({ scrollTop, clientHeight: 300, scrollHeight: 1000 })).toBe(inSight);
  });

  it('is visible while everything fits', () => {
    expect(isNearEnd({ scrollTop: 0, clientHeight: 300, scrollHeight: 300 })).toBe(true);
  });
});
