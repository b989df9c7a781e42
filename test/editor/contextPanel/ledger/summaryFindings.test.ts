import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { NewEvent } from '../../../../src/contextWindow/event';
import type { Summary, SummaryCheck } from '../../../../src/contextWindow/plan';
import {
  checkedText,
  summaryFindingsView,
} from '../../../../src/editor/contextPanel/ledger/summaryFindings';
import { drawnEvents, foldNew, passThat, reply, usage } from '../../../support/drawing';

const SUMMARY: Summary = {
  id: 'summary-1' as BlockId,
  covers: ['step-1', 'prompt-2'] as BlockId[],
  text: 'Read the table.',
  writtenBy: { by: 'model', model: 'm' },
};

const ONE = { text: 'It is in lost.ts.', unfounded: ['lost.ts'] };

const checked = (check?: SummaryCheck, changes: Partial<Summary> = {}) =>
  checkedText({ ...SUMMARY, ...changes, ...(check === undefined ? {} : { check }) });

describe('the sentence about the check of a summary', () => {
  const what = 'names, paths, numbers and quoted errors of the summary';
  const sources = 'what it replaced or in the request for it';
  const found = `Checked: 1 of 9 ${what} did not occur in ${sources}: lost.ts.`;
  const unfounded = ['lost.ts'];

  it.each<readonly [string, SummaryCheck | undefined, Partial<Summary>, readonly string[]]>([
    [
      'all occur',
      { claims: 9, unfounded: [] },
      {},
      [`Checked: all 9 ${what} occur in ${sources}.`],
    ],
    [
      'the only one occurs',
      { claims: 1, unfounded: [] },
      {},
      [`Checked: the one name or number in the summary occurs in ${sources}.`],
    ],
    [
      'there are none',
      { claims: 0, unfounded: [] },
      {},
      [`Checked: the summary has no ${what.slice(0, -15)}.`],
    ],
    [
      'the model corrected it',
      { claims: 9, unfounded },
      {},
      [`${found} The model was asked once, and corrected or left out all of it.`],
    ],
    [
      'the model corrected a part of it',
      { claims: 9, unfounded, removed: [ONE] },
      {},
      [`${found} The model was asked once, and corrected or left out some of it. 1 text removed.`],
    ],
    [
      'it was not corrected',
      { claims: 9, unfounded, removed: [ONE], notCorrected: 'the turn was stopped' },
      {},
      [`${found} Not corrected: the turn was stopped. 1 text removed.`],
    ],
    ['no model wrote it', undefined, { writtenBy: { by: 'workNote', because: 'x' } }, []],
    ['it was made before there was a check', undefined, {}, []],
    [
      'the user edited it',
      undefined,
      { editedByUser: true },
      ['You edited the summary, so it was not checked.'],
    ],
    [
      'the request had an image',
      undefined,
      {
        exchange: {
          model: 'm',
          maxTokens: 9,
          system: '',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } },
          ],
        },
      },
      ['Not checked: the summariser also got an image or a document.'],
    ],
  ])('says that %s', (_, check, changes, sentences) => {
    expect(checked(check, changes)).toEqual(sentences);
  });
});

describe('the findings about the summaries of a pass', () => {
  const events: readonly NewEvent[] = [
    ...drawnEvents(`
      1 anchor task 10
      1 read   src/tideTable.ts:1-50 400
    `),
    {
      type: 'promptSubmitted',
      text: 'Store the gauge readings of Hamburg in winter',
      admission: { form: 'whole' },
    },
  ];
  const applied = passThat('evict', ['step-1', 'prompt-2']) as Extract<
    NewEvent,
    { type: 'passApplied' }
  >;
  const check: SummaryCheck = { claims: 9, unfounded: ['lost.ts'], removed: [ONE] };
  const pass = {
    ...applied.pass,
    decisions: applied.pass.decisions.map((one) => ({ ...one, action: 'summarise' as const })),
    summaries: [{ ...SUMMARY, check }],
  };
  const window = foldNew([
    ...events,
    { type: 'passApplied', pass },
    reply('I change src/tideTable.ts.', usage(9)),
  ]);

  it('name the limits of the search if the summary is in another language', () => {
    const russian: readonly NewEvent[] = [
      ...drawnEvents('1 anchor task 10'),
      reply('Я решил оставить старый парсер и не писать новый, это проще всего.', usage(9)),
      {
        type: 'promptSubmitted',
        text: 'Сохраняй показания датчиков только зимой',
        admission: { form: 'whole' },
      },
    ];
    const text = 'The tide tables were checked and unit tests were added.';
    const summaries = [{ ...SUMMARY, covers: ['step-1', 'prompt-2'] as BlockId[], text }];
    const of = foldNew([...russian, { type: 'passApplied', pass: { ...pass, summaries } }]);
    expect(summaryFindingsView(of, 1)).toMatchObject({
      dropped: [],
      droppedText:
        'In another language than the summary: 1 prompt. Plimsoll compared only names and numbers ' +
        "there. Plimsoll finds the agent's decisions only in English, and its replies are in another language.",
    });
  });

  it('list removed and dropped texts, and what later work needed', () => {
    expect(summaryFindingsView(window, 1)).toMatchObject({
      removed: [{ text: 'It is in lost.ts.', why: 'Not found: lost.ts' }],
      droppedText: 'Not in the summary: 1 prompt.',
      dropped: [
        {
          kind: 'Prompt',
          blockId: 'prompt-2',
          text: 'Store the gauge readings of Hamburg in winter',
        },
      ],
      usedText: 'Needed later: 0 names that the summary kept, and 1 that it had dropped.',
      needed: [{ step: 2, text: 'Used at step 2: src/tideTable.ts' }],
    });
    expect(summaryFindingsView(window, 9)).toBeUndefined();
  });
});
