import type { BlockView } from '../../../src/editor/contextPanel/state';

type Salience = NonNullable<BlockView['salience']>;
type FactorName = Exclude<keyof Salience, 'salience' | 'pinned'>;

/** One factor of a block's salience. */
export interface Factor {
  readonly name: FactorName;
  readonly label: string;
  /** What a high number means. */
  readonly says: string;
  /** 0..1. */
  readonly value: number;
}

const WORDS: Readonly<Record<FactorName, Omit<Factor, 'name' | 'value'>>> = {
  rated: { label: 'Rated by the model', says: 'The model says it still matters.' },
  recency: { label: 'How new', says: 'It is new.' },
  reuse: { label: 'Named again', says: 'Its files and names came up again, and late.' },
  kind: { label: 'Kind of work', says: 'It holds an edit; listings are worth least.' },
  size: { label: 'Smallness', says: 'It is small: large blocks must earn their place.' },
  errors: { label: 'Failures', says: 'A call in it failed.' },
  decisions: { label: 'Own words', says: 'The model said much in words of its own.' },
};

const ORDER: readonly FactorName[] = [
  'rated',
  'recency',
  'reuse',
  'kind',
  'size',
  'errors',
  'decisions',
];

/** Lists the factors of a salience; those it does not have are left out. */
export function factorsOf(salience: Salience): readonly Factor[] {
  return ORDER.flatMap((name) => {
    const value = salience[name];
    return value === undefined ? [] : [{ name, value, ...WORDS[name] }];
  });
}

/** Says what replaces the sum of the factors, if something does. */
export function overruledWords({ pinned, rated }: Salience): string | undefined {
  if (pinned === true) return 'Pinned: it counts as 1, whatever the rest says.';
  return rated === undefined ? undefined : "The model's rating stands for the rest.";
}
