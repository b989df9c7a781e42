import { describe, expect, it } from 'vitest';
import type { Block, BlockId, StepBlock, ToolUseId } from '../../../src/contextWindow/block';
import { droppedBy } from '../../../src/contextWindow/summaryCheck/droppedBySummary';

const prompt = (turn: number, text: string): Block => ({
  kind: 'prompt',
  id: `prompt-${turn}` as BlockId,
  turn,
  text,
  admission: { form: 'whole' },
  pinned: false,
  state: 'whole',
});

const step = (number: number, text: string, pairs: StepBlock['pairs'] = []): Block => ({
  kind: 'step',
  id: `step-${number}` as BlockId,
  turn: 1,
  step: number,
  parts: [{ type: 'text', text }],
  pairs,
  thinkingDropped: false,
  replyTokens: 1,
  pinned: false,
  state: 'whole',
});

const asked = (answer: string): StepBlock['pairs'] => [
  {
    use: { id: 'q' as ToolUseId, name: 'ask_user', input: { question: 'Which?' } },
    result: {
      text: answer,
      isError: false,
      origin: 'ran',
      durationMs: 1,
      admission: { form: 'whole' },
    },
    cleared: false,
  },
];

const COVERED = [
  prompt(1, 'Make seasonLabel of src/tide.ts answer in winter, too.'),
  step(1, 'I will keep the old parser rather than writing a new lexer.'),
  step(2, 'Which?', asked('The user answers: keep the ports of Hamburg')),
  prompt(2, 'Yes, go on'),
  step(3, 'Done. Shall the gauge readings be stored as well?'),
];

const dropped = (summary: string, elsewhere: readonly string[] = []) =>
  droppedBy(summary, COVERED, elsewhere).dropped.map(({ kind, blockId }) => `${kind} ${blockId}`);

describe('what a summary dropped', () => {
  it('is every prompt, decision and open question that it does not repeat', () => {
    expect(dropped('Work was done.')).toEqual([
      'prompt prompt-1',
      'decision step-1',
      'decision step-2',
      'question step-3',
    ]);
  });

  it('is nothing that it says in other words, or that stays in the window elsewhere', () => {
    expect(
      dropped(
        'seasonLabel (src/tide.ts) has to answer in winter. The old parser stays, no new lexer is written.',
        ['Keep the ports of Hamburg. Open: shall gauge readings be stored as well?'],
      ),
    ).toEqual([]);
  });

  it('is no question that a later prompt of the same blocks answers', () => {
    const answered = droppedBy('', [...COVERED, prompt(3, 'Yes, store the gauge readings')]);
    expect(answered.dropped.some(({ kind }) => kind === 'question')).toBe(false);
  });

  describe.each([
    [
      'Cyrillic',
      'Никогда не изменяй публичный интерфейс парсера. Сообщения об ошибках оставь на русском.',
      'Пользователь запретил менять (изменение) публичного интерфейса парсера; сообщения об ошибке русские.',
      'Проверены таблицы приливов, добавлены модульные проверки.',
    ],
    [
      'Greek',
      'Μην αλλάξεις το δημόσιο πρόγραμμα του αναλυτή και κράτησε τα μηνύματα στα ελληνικά.',
      'Το δημοσιο προγραμμα του αναλυτη δεν αλλαζει, τα μηνυματα μενουν ελληνικα, κρατησε.',
      'Προστέθηκαν δοκιμές για τους πίνακες της παλίρροιας.',
    ],
    [
      'Japanese',
      '公開インターフェースは変更しないでください。エラーメッセージは日本語のまま残してください。',
      '公開インターフェースは変更禁止。エラーのメッセージは日本語で残す。',
      '潮汐表を調べて単体テストを追加した。結果は保存済み。',
    ],
    [
      'Chinese',
      '请不要修改公共接口，错误消息必须保持中文。',
      '不要修改公共接口；错误消息保持中文。',
      '检查了潮汐表格，并且增加了单元测试。',
    ],
    [
      'Korean',
      '공개 인터페이스는 변경하지 말고 오류 메시지는 한국어로 유지하세요.',
      '공개 인터페이스를 변경하지 않으며 오류 메시지를 한국어로 유지한다.',
      '조석 표를 확인하고 단위 테스트를 추가했다.',
    ],
  ])('in %s', (_, text, paraphrase, other) => {
    const lookedUp = (summary: string) => {
      const { dropped: found, inOtherLanguage } = droppedBy(summary, [prompt(1, text)]);
      return [found.length, inOtherLanguage.length];
    };

    it('is a prompt that it does not repeat in any words', () => {
      expect(lookedUp(other)).toEqual([1, 0]);
      expect(lookedUp(paraphrase)).toEqual([0, 0]);
    });

    it('is not known if the summary is in another language', () => {
      expect(lookedUp('The tide tables were checked and unit tests were added.')).toEqual([0, 1]);
    });
  });

  it('is a name or number that a summary in another language does not repeat', () => {
    const covered = [prompt(1, 'Исправь функцию seasonLabel в файле src/tide.ts, всегда зимой.')];
    const english = 'The tide tables were checked. ';
    expect(droppedBy(`${english} It is about src/harbour.ts.`, covered)).toMatchObject({
      dropped: [{ blockId: 'prompt-1' }],
      inOtherLanguage: [{ blockId: 'prompt-1' }],
    });
    expect(droppedBy(`${english} seasonLabel of src/tide.ts works.`, covered)).toMatchObject({
      dropped: [],
      inOtherLanguage: [{ blockId: 'prompt-1' }],
    });
  });

  it('is not known in another language of the same script', () => {
    const german =
      'Die Schnittstelle des Parsers darf sich nicht ändern, und alle Fehlermeldungen bleiben deutsch.';
    const english =
      'The tide tables were checked, and unit tests were added for each of the harbours.';
    const counts = (text: string, summary: string) => {
      const { dropped: found, inOtherLanguage } = droppedBy(summary, [prompt(1, text)]);
      return [found.length, inOtherLanguage.length];
    };
    expect(counts(german, english)).toEqual([0, 1]);
    // A list of names looks like another language, and repeats nothing.
    expect(
      counts(english, 'parser.ts tide.ts gauge.ts harbour.ts zones.ts deck.ts load.ts line.ts'),
    ).toEqual([1, 0]);
    // So does a terse prompt: nothing says that it is in another one.
    expect(
      counts('ok write markdown, including code, tables, lists nested, etc. pp', english),
    ).toEqual([1, 0]);
    const other = 'Es wurden die Tabellen der Gezeiten geprüft und viele neue Tests geschrieben.';
    expect(counts(german, other)).toEqual([1, 0]);
  });

  it('is an open question in any script', () => {
    for (const text of [
      'Готово. Сохранить ли также показания датчиков?',
      '完了しました。潮汐の測定値もデータベースに保存しますか？',
      'تم. هل أحفظ قراءات المقياس أيضًا؟',
    ]) {
      const { dropped: found } = droppedBy('', [step(1, text)]);
      expect(
        found.map(({ kind }) => kind),
        text,
      ).toEqual(['question']);
    }
  });

  it('has no decisions of replies in an unknown language', () => {
    const of = (text: string) => droppedBy('', [step(1, text)]).hasUnknownDecisions;
    expect(of('Я решил оставить старый парсер и не писать новый лексический анализатор.')).toBe(
      true,
    );
    expect(
      of('Ich habe entschieden, den alten Parser zu behalten und keinen neuen zu schreiben.'),
    ).toBe(true);
    expect(of('I decided to keep the old parser and not to write a new one.')).toBe(false);
    expect(of('Parser green. Tables, lists, nested lists done. Docs next, then release.')).toBe(
      false,
    );
    expect(of('')).toBe(false);
  });
});
