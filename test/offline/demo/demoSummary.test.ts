import { describe, expect, it } from 'vitest';
import { demoModel, DEMO_TURNS } from '../../../src/offline/demo/demoModel';
import { wordsIn } from '../../../src/offline/demo/demoSummary';
import { DEMO_TASK } from '../../../src/offline/demo/demoPrompts';
import { asScripted, drive, requestOf, textOf, user } from './demoWorkspace';

const task = drive(demoModel(), [], DEMO_TASK, asScripted);

describe('the summariser', () => {
  const SYSTEM = 'Plimsoll summariser. Sum up the transcript.';
  const summaryOf = (transcript: string) => textOf([user(transcript)], SYSTEM);
  const transcriptOf = (from: number, to: number) =>
    task.steps
      .slice(from, to)
      .flatMap((step) =>
        step.uses.map((use, i) => `${use.id} ${use.name}\n${step.results[i]!.text.slice(0, 300)}`),
      )
      .join('\n');

  it('writes 150 to 450 words for any input', () => {
    for (const text of [
      'nothing known',
      transcriptOf(0, 3),
      transcriptOf(0, 20),
      transcriptOf(0, 99),
    ]) {
      expect(wordsIn(summaryOf(text))).toBeGreaterThanOrEqual(150);
      expect(wordsIn(summaryOf(text))).toBeLessThanOrEqual(450);
    }
  });

  it('reports the steps in its input and no others', () => {
    const summary = summaryOf(transcriptOf(0, 4));
    expect(summary).toContain('36 passed, 24 failed');
    expect(summary).not.toContain('Edited');
    expect(summary).not.toContain('51 passed');
  });

  it('finds steps by their text without ids, as in the shortened transcripts of the product', () => {
    const excerpt = (number: number) => {
      const { say, calls, expect: outcome } = DEMO_TURNS[0]!.steps[number - 1]!;
      return `--- step-${number}\n${say}\n\n▶ ${calls[0]!.name} ${JSON.stringify(calls[0]!.input)}\n${outcome ?? 'ok'}`;
    };
    const summary = summaryOf(`${excerpt(4)}\n${excerpt(17)}\n${excerpt(18)}`);
    expect(summary).toContain('36 passed, 24 failed');
    expect(summary).toContain('Edited src/loadLine.js');
    expect(summary).toContain('51 passed, 9 failed');
    expect(summary).not.toContain('Edited src/deckPlan.js');
    expect(summary).not.toContain('60 passed');
  });

  it('distinguishes all steps by their first words', () => {
    const openings = DEMO_TURNS.flatMap(({ steps }) => steps.map(({ say }) => say.slice(0, 50)));
    expect(new Set(openings).size).toBe(openings.length);
  });

  it('does not report a run without its outcome in the text', () => {
    expect(summaryOf('toolu_demo_1_04a_x run_command npm test')).not.toContain('36 passed');
  });

  it('does not report a denied edit as done', () => {
    const edit = task.steps.flatMap((step) => step.uses).find((use) => use.name === 'edit_file')!;
    const summary = summaryOf(
      `${edit.id} edit_file src/loadLine.js\nError: Denied by the user. Not done: the edit of src/loadLine.js.`,
    );
    expect(summary).toContain('Not done, denied or stopped: the edit of `src/loadLine.js`');
    expect(summary).not.toContain('Edited src/loadLine.js');
  });

  it('stays within its token limit', () => {
    const request = { ...requestOf([user(transcriptOf(0, 99))]), system: SYSTEM, max_tokens: 300 };
    const words = demoModel()(request).content.map((part) =>
      part.type === 'text' ? wordsIn(part.text) : 0,
    );
    expect(words[0]).toBeLessThanOrEqual(126);
  });

  it('keeps to the number in its instructions', () => {
    const request = {
      ...requestOf([user(transcriptOf(0, 99))]),
      system: `${SYSTEM} Write at most 300 tokens.`,
    };
    const words = demoModel()(request).content.map((part) =>
      part.type === 'text' ? wordsIn(part.text) : 0,
    );
    expect(words[0]).toBeLessThanOrEqual(126);
  });

  it('keeps the findings of an earlier summary', () => {
    const earlier = summaryOf(transcriptOf(0, 9));
    expect(summaryOf(`[Summary of 9 earlier blocks]\n${earlier}`)).toContain('isWithin requires');
  });
});
