import { describe, expect, it } from 'vitest';
import type { Block, SummaryBlock } from '../../../src/contextWindow/block';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { PersistentList } from '../../../src/contextWindow/persistentList';
import { statedIn, type IdentifierShares } from '../../../src/replay/measures/statedIdentifiers';
import { NeedsMet } from '../../../src/replay/measures/needsMet';
import { transcriptOf } from '../../recordings/support/drawnTranscript';
import { edit, prompt, read, recorded, run, said, type Move } from '../support/recording';
import { replayed, replayedTurns } from '../support/replayed';

describe('the facts of a prompt', () => {
  it('are its names, its numbers, error texts, and its constraints', () => {
    const text =
      'Mend src/limit.ts: TypeError: cannot read  "max" of undefined\n' +
      'Port 8080 must stay. Never touch parseConfig! Do not hurry. Say 42.';
    expect(statedIn(text)).toEqual({
      names: ['src/limit.ts', 'TypeError', 'parseConfig'],
      numbers: ['8080'],
      errorTexts: ['cannot read "max" of undefined'],
      constraints: [
        { text: 'Port 8080 must stay.', words: ['8080'] },
        { text: 'Never touch parseConfig!', words: ['parseConfig'] },
      ],
    });
  });
});

/** Under `lastTurns` with one turn the second prompt is evicted before the third is answered. */
const PORT: readonly Move[] = [
  prompt('Begin'),
  said('Begun.'),
  prompt('The server must use port 8080. See lib/port.ts'),
  said('Seen.'),
  prompt('Go on'),
  run('serve 8080 /home/lib/port.ts', 'served'),
  run('serve 8080 again', 'served'),
  said('Done.'),
];

const share = (visible: number, total: number) => ({ visible, total });

describe('identifiers', () => {
  it('are all visible at each later use if nothing is evicted', async () => {
    const { totals } = await replayed(PORT, 'none', 10_000);
    expect(totals.identifiers).toEqual({
      names: share(1, 1),
      numbers: share(2, 2),
      errorTexts: share(0, 0),
      constraints: share(2, 2),
    });
  });

  it('are not visible after their prompt was evicted, but for its standing rules', async () => {
    const { totals } = await replayedTurns(PORT, 1);
    expect(totals.identifiers).toEqual({
      names: share(0, 1),
      // The rules block has the constraint with its number.
      numbers: share(2, 2),
      errorTexts: share(0, 0),
      constraints: share(2, 2),
    });
  });

  it('do not count as used in their own turn or if the newest prompt has them', async () => {
    const moves = [
      prompt('Mend a/limit.ts'),
      edit('a/limit.ts', 'old', 'new'),
      said('Mended.'),
      prompt('Again in a/limit.ts'),
      edit('a/limit.ts', 'new', 'old'),
      said('Done.'),
    ];
    expect((await replayed(moves, 'none', 10_000)).totals.identifiers.names).toEqual(share(0, 0));
  });

  it('include error texts that the agent quotes', async () => {
    const moves = [
      prompt('I see Error: connection was refused'),
      said('Hm.'),
      prompt('Then look'),
      run('grep -r "connection was  refused"', 'none'),
      said('Nothing.'),
    ];
    const { totals } = await replayed(moves, 'none', 10_000);
    expect(totals.identifiers.errorTexts).toEqual(share(1, 1));
  });
});

describe('an identifier is visible in any form', () => {
  const REPLY = [
    prompt('Begin'),
    said('Begun.'),
    prompt('Go on'),
    run('serve 8080 x/port.ts', 'up'),
  ];

  /** The shares after one reply whose request uses a window without the prompts. */
  async function usedIn(change: (window: ContextWindow) => ContextWindow) {
    const told = 'The server x/port.ts must use 8080.';
    const transcript = transcriptOf(recorded(prompt(told), said('Yes.'), ...REPLY.slice(2)));
    const { window } = await replayed([prompt('x'), said('y')], 'none', 10_000);
    const needs = new NeedsMet(transcript);
    needs.prompted(told);
    needs.prompted('Go on');
    const reply = transcript.entries.findLast((entry) => entry.type === 'reply');
    if (reply === undefined) throw new Error('There is no reply.');
    needs.requested(change(window), reply);
    return needs.found.identifiers;
  }

  const seen = ({ names, numbers, constraints }: IdentifierShares) =>
    [names, numbers, constraints].map(({ visible }) => visible);

  const withSummary = (text: string) => (window: ContextWindow) => {
    const { id, turn } = window.blocks.at(0)!;
    const writtenBy = { by: 'model', model: 'm' } as const;
    const base = { id, turn, pinned: false, state: 'whole' } as const;
    const summary: SummaryBlock = { ...base, kind: 'summary', text, covers: [], writtenBy };
    return { ...window, blocks: PersistentList.of<Block>([summary]) };
  };

  it.each<[string, (window: ContextWindow) => ContextWindow, readonly number[]]>([
    ['nowhere', (window) => window, [0, 0, 0]],
    ['a summary in other words', withSummary('x/port.ts listens at 8080'), [1, 1, 1]],
    ['a part of it in a summary', withSummary('it listens at 8080'), [0, 1, 0]],
    ['the scratchpad', (window) => ({ ...window, shownScratchpad: '8080: x/port.ts' }), [1, 1, 1]],
  ])('%s', async (_, change, visible) => {
    expect(seen(await usedIn(change))).toEqual(visible);
  });

  it('in a result, but not as the number of a line', async () => {
    const shownBy = async (result: string) => {
      const { window } = await replayed(
        [prompt('x'), read('y', result), said('z')],
        'none',
        10_000,
      );
      return seen(await usedIn(() => window));
    };
    expect(await shownBy('listens at 8080')).toEqual([0, 1, 0]);
    expect(await shownBy('  8080→nothing')).toEqual([0, 0, 0]);
  });

  it('in the system prompt', async () => {
    const moves = [prompt('See x/port.ts'), said('Yes.'), prompt('Go'), run('x/port.ts', 'up')];
    const system = 'x/port.ts is the port.';
    const transcript = transcriptOf({ system, messages: recorded(...moves, said('Done.')) });
    const { totals } = await replayedTurns(transcript, 1, { pinTaskAnchor: false });
    expect(totals.identifiers.names).toEqual(share(1, 1));
  });
});
