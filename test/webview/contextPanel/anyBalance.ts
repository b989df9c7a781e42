import fc from 'fast-check';
import { CATEGORIES, type Balance, type Category } from '../../../src/editor/contextPanel/state';

const tokens = (max: number) => fc.integer({ min: 0, max });

/** Any balance that adds up (I8): empty, half full, and filled beyond budget and window. */
export const anyBalance: fc.Arbitrary<Balance> = fc
  .record({
    budget: fc.integer({ min: 1_000, max: 400_000 }),
    reserved: fc.record({
      reply: fc.integer({ min: 1, max: 64_000 }),
      safety: tokens(8_192),
      toolResults: tokens(16_384),
      steppedDown: fc.oneof(fc.constant(0), tokens(40_000)),
    }),
    amounts: fc.tuple(...CATEGORIES.map(() => fc.oneof(fc.constant(0), tokens(120_000)))),
    marks: fc.tuple(
      fc.double({ min: 0.01, max: 0.98, noNaN: true }),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
    ),
    exact: fc.boolean(),
    source: fc.constantFrom('usage', 'countTokens', 'overflowError', 'estimate'),
  })
  .map(({ budget, reserved, amounts, marks: [low, step], exact, source }) => {
    const used = amounts.reduce((sum, amount) => sum + amount, 0);
    const reservedTokens = Object.values(reserved).reduce((sum, part) => sum + part, 0);
    return {
      contextWindowTokens: budget + reservedTokens,
      inputBudget: budget,
      highTokens: Math.floor(budget * (low + (0.999 - low) * step)),
      lowTokens: Math.floor(budget * low),
      used: { tokens: used, exact: exact && source !== 'estimate' },
      source,
      categories: Object.fromEntries(
        CATEGORIES.map((category, index) => [category, amounts[index]]),
      ) as Record<Category, number>,
      headroom: budget - used,
      reserved,
    };
  });
