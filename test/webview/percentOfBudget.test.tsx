import { expect, it } from 'vitest';
import { fillWords } from '../../src/editor/contextPanel/exports/viewRows';
import { fullnessText } from '../../src/editor/session/derive';
import { balanceOf, sampleContext } from './contextPanel/contextViews';
import { drawPanel } from './contextPanel/drawnPanel';
import { conversation } from './conversation/conversations';
import { drawAgent, plain } from './conversation/drawAgent';

// @vitest-environment happy-dom

it.each([
  [32_768, 26_880, 12_480, '46 %'],
  [200_000, 177_712, 177_100, '99.6 %'],
  [1_000_000, 977_712, 25_000, '3 %'],
  [1_000_000, 977_712, 200_000, '20 %'],
])(
  'Percent means the input budget everywhere: window %i, budget %i, used %i',
  (contextWindowTokens, inputBudget, usedTokens, percent) => {
    const balance = balanceOf([], {
      contextWindowTokens,
      inputBudget,
      used: { tokens: usedTokens, exact: true },
      headroom: inputBudget - usedTokens,
    });
    const view = sampleContext({ balance, passAbove: 200_000 });
    const { root } = drawPanel(view);
    expect(plain(root.querySelector('.answer .full')!.textContent!)).toBe(`${percent} full`);
    const gauge = { usedTokens, exact: true, inputBudget };
    expect(plain(drawAgent(conversation({ gauge })).get('gauge').title)).toContain(
      `window ${percent} full`,
    );
    expect(fullnessText(balance)).toBe(percent);
    expect(fillWords(view)).toContain(`(${percent}, `);
  },
);
