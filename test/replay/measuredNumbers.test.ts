import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { medianOf, pausesTableOf, peersTableOf, tablesOf } from '../harness/measure/tables.mjs';

interface Row {
  readonly policy: string;
  readonly files: number;
  readonly edits: { readonly visible: number; readonly total: number };
  readonly cost: number;
}

interface Column {
  readonly kind: string;
  readonly set: string;
  readonly window: number;
  readonly rows: readonly Row[];
  readonly own?: readonly Row[];
}

interface Peers {
  readonly budget: number;
  readonly rows: readonly {
    readonly library: string;
    readonly tokens: number;
    readonly isTaskKept: boolean;
    readonly refusal?: string;
  }[];
}

interface Pauses {
  readonly window: number;
  readonly ignored: Pick<Row, 'edits' | 'cost'>;
  readonly followed: Pick<Row, 'edits' | 'cost'>;
  /** The largest change of a session's cost. */
  readonly dearest: number;
}

const MEASURED = JSON.parse(readFileSync('src/replay/measured.json', 'utf8')) as {
  readonly columns: readonly Column[];
  readonly peers: Peers;
  readonly pauses: readonly Pauses[];
};
const { columns: COLUMNS, peers: PEERS, pauses: PAUSES } = MEASURED;

const columnOf = (kind: string, set: string, window: number) =>
  COLUMNS.find((one) => one.kind === kind && one.set === set && one.window === window)!;

const rowOf = (rows: readonly Row[], policy: string) => rows.find((row) => row.policy === policy)!;

const percent = ({ edits }: Row) => `${((100 * edits.visible) / edits.total).toFixed(1)} %`;

it('the front page has the numbers of the last measurement', () => {
  const page = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');
  const { rows } = columnOf('file', '2', 64);
  const [ladder, newest] = [rowOf(rows, 'ladder'), rowOf(rows, 'tokenBudget')];
  expect(page).toContain(
    `On ${ladder.files} recorded sessions at 64k, \`ladder\` showed ${percent(ladder)} of the texts that ` +
      `edits replaced; keeping the newest showed ${percent(newest)}.`,
  );
  const own = columnOf('counted', '2', 200).own!;
  const [mine, recorded] = [rowOf(own, 'ladder'), rowOf(own, 'recorded')];
  expect(page).toContain(
    `In the ${mine.files} of them that their own agent compacted, the same 200k window would cost ` +
      `$${mine.cost.toFixed(2)} instead of $${recorded.cost.toFixed(2)}, with ${percent(mine)} of the ` +
      `edits instead of ${percent(recorded)}`,
  );
});

it('npm run bench -- --json gives the same numbers to programs, and names a part that it does not have', () => {
  const bench = (...parts: readonly string[]) =>
    execFileSync(process.execPath, ['test/bench/bench.mjs', '--json', ...parts], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(JSON.parse(bench('quality'))).toEqual({ quality: MEASURED });
  expect(() => bench('colour')).toThrow(/There is no part colour: speed, growth, startup, quality/);
});

it('the page about replays has the tables of the last measurement', () => {
  const page = readFileSync('src/replay/README.md', 'utf8');
  expect(page).toContain(tablesOf(COLUMNS));
  expect(page).toContain(peersTableOf(PEERS));
  expect(page).toContain(pausesTableOf(PAUSES));
});

it('a median of an even number lies between the two in the middle', () => {
  expect([[1, 2, 4], [1, 2, 4, 9], [7]].map(medianOf)).toEqual([2, 3, 7]);
});

it('following the pauses saves 6 % at 128k and 9 % at 200k within half a point of the edits, and no session costs 2 % more', () => {
  const share = ({ edits }: Pick<Row, 'edits'>) => edits.visible / edits.total;
  const goals = new Map([
    [128, 0.06],
    [200, 0.09],
  ]);
  const large = PAUSES.filter(({ window }) => goals.has(window));
  expect(large).toHaveLength(4);
  for (const { window, ignored, followed, dearest } of large) {
    expect(1 - followed.cost / ignored.cost).toBeGreaterThan(goals.get(window)!);
    expect(Math.abs(share(followed) - share(ignored))).toBeLessThanOrEqual(0.005);
    expect(dearest).toBeLessThanOrEqual(0.02);
  }
});

it.each([
  ['1', 32, 0.79],
  ['1', 64, 0.928],
  ['2', 32, 0.84],
  ['2', 64, 0.91],
])('set %s at %ik shows at least %d of the edits, at the lowest cost', (set, window, goal) => {
  const { rows } = columnOf('file', set, window);
  const { edits, cost } = rowOf(rows, 'ladder');
  expect(edits.visible / edits.total).toBeGreaterThanOrEqual(goal);
  expect(cost).toBe(Math.min(...rows.map((row) => row.cost)));
});

it('on the recording of the libraries the ladder keeps the budget and the task, and is accepted', () => {
  const ladder = PEERS.rows.find(({ library }) => library === 'Plimsoll')!;
  expect(ladder.tokens).toBeLessThanOrEqual(PEERS.budget);
  expect(ladder.isTaskKept).toBe(true);
  expect(ladder.refusal).toBeUndefined();
});
