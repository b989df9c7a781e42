/** First fix: a season whose start lies after its end runs over new year. */
export const LOAD_LINE_EDIT = {
  path: 'src/loadLine.js',
  old_text: '  return monthDay >= season.from && monthDay <= season.to;',
  new_text: `  if (season.from <= season.to) return monthDay >= season.from && monthDay <= season.to;
  // The season runs over new year.
  return monthDay >= season.from || monthDay <= season.to;`,
};

/** Second fix: the limit is compared with the item on board. */
export const DECK_PLAN_EDIT = {
  path: 'src/deckPlan.js',
  old_text: '  return metres <= deck.laneMetres && deck.usedTonnes <= deck.limitTonnes;',
  new_text: `  const tonnes = round3(deck.usedTonnes + item.tonnes);
  return metres <= deck.laneMetres && tonnes <= deck.limitTonnes;`,
};

/** The suite that keeps both fixes. */
export const REGRESSIONS = {
  path: 'test/regressions.js',
  content: `import { markFor, planDecks, vesselNamed } from '../src/index.js';
import { check, same, suite } from './harness.js';

suite('regressions', () => {
  check('winter holds on both sides of new year', () => {
    same(markFor('inner-sound', '2025-12-31', 84), 'W', 'New Year\\'s Eve');
    same(markFor('inner-sound', '2026-01-01', 84), 'W', 'New Year\\'s Day');
  });

  check('a winter over new year still ends in spring', () => {
    same(markFor('middle-sea', '2026-03-15', 84), 'W', 'last day of winter');
    same(markFor('middle-sea', '2026-03-16', 84), 'S', 'first day after it');
    same(markFor('middle-sea', '2026-12-15', 84), 'S', 'last day before the next');
  });

  check('one kilogram too much stays on the quay', () => {
    const teist = vesselNamed('Teist');
    const load = [
      { ref: 'TST-00001', kind: 'plant', tonnes: 40, lengthMetres: 10 },
      { ref: 'TST-00002', kind: 'plant', tonnes: 30.001, lengthMetres: 10 },
    ];
    const { decks, leftBehind } = planDecks(teist, load);
    same(decks[0].usedTonnes, 40, 'tonnes on deck');
    same(leftBehind.map((item) => item.ref), ['TST-00002'], 'left behind');
  });
});
`,
};

/** The changelog the task asks for. */
export const CHANGELOG = {
  path: 'CHANGELOG.md',
  content: `# Changelog

## 2.3.1

- Fixed: seasons that run over new year were never in force, so ships got the summer mark in winter
  (\`isWithin\` in \`src/loadLine.js\`).
- Fixed: a deck took one more item than its weight limit allows (\`hasRoom\` in \`src/deckPlan.js\`).
- Added: regression checks for both in \`test/regressions.js\`.
`,
};
