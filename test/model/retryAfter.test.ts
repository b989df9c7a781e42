import { expect, it } from 'vitest';
import { retryAfterMs } from '../../src/model/failure';

const NOW = Date.parse('2026-11-21T12:00:00Z');

it.each([
  [{}, undefined],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after': '9' }, 9_000],
  [{ 'retry-after': '1.5' }, 1_500],
  [{ 'retry-after': '0' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, undefined],
  [{ 'retry-after': 'later' }, undefined],
  [{ 'retry-after': 'Infinity' }, undefined],
  [{ 'retry-after-ms': '1e999', 'retry-after': '2' }, 2_000],
])('reads %j', (headers, ms) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(ms);
});
