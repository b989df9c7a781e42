import { describe, expect, it } from 'vitest';
import { sampleContext, sampleRecording, SAMPLE_SCRATCHPAD } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { isDisabled, past } from './pastStep';

// @vitest-environment happy-dom

describe('travelling', () => {
  it('goes back from now, and nowhere forward', () => {
    const { one, click, wishes } = drawPanel(sampleContext());
    expect(isDisabled(one('step-forward'))).toBe(true);
    click(one('step-back'));
    expect(wishes).toEqual([{ type: 'travelTo', at: 17 }]);
  });

  it('goes both ways from a step, and directly back to now', () => {
    const { one, click, wishes } = drawPanel(past(12));
    expect(one('step').textContent).toBe('step 12 of 58');
    click(one('step-back'));
    click(one('step-forward'));
    click(one('back-to-now'));
    expect(wishes).toEqual([
      { type: 'travelTo', at: 11 },
      { type: 'travelTo', at: 13 },
      { type: 'travelTo', at: 'now' },
    ]);
  });

  it('keeps Alt with the arrow keys from VS Code while a dialog is open', () => {
    const { one, click, answer, wishes, press, openPart } = drawPanel(sampleContext());
    openPart('kept');
    click(one('notes-edit'));
    answer({ type: 'answered', data: SAMPLE_SCRATCHPAD });
    const reached: string[] = [];
    const listen = ({ key }: KeyboardEvent): void => void reached.push(key);
    window.addEventListener('keydown', listen);
    press('ArrowLeft', one('scratchpad-objective'), { altKey: true });
    press('ArrowRight', one('scratchpad-cancel'), { altKey: true });
    press('ArrowLeft', one('scratchpad-objective'));
    window.removeEventListener('keydown', listen);
    expect(reached).toEqual(['ArrowLeft']);
    expect(wishes).toEqual([{ type: 'fetchScratchpad' }]);
  });

  it('handles Alt with the arrow keys, wherever the focus is', () => {
    const { press, wishes } = drawPanel(past(12));
    press('ArrowLeft', document.body, { altKey: true });
    press('ArrowRight', document.body, { altKey: true });
    press('ArrowLeft', document.body);
    expect(wishes).toEqual([
      { type: 'travelTo', at: 11 },
      { type: 'travelTo', at: 13 },
    ]);
  });

  it('leaves the keys to VS Code if there is nowhere to go, and to a focused text field', () => {
    const { press, wishes, root } = drawPanel(sampleContext());
    const field = document.createElement('input');
    root.append(field);
    press('ArrowLeft', field, { altKey: true });
    let reached = 0;
    const onKey = () => (reached += 1);
    window.addEventListener('keydown', onKey);
    press('ArrowRight', document.body, { altKey: true });
    expect(reached).toBe(1);
    press('ArrowLeft', document.body, { altKey: true });
    expect(reached).toBe(1);
    window.removeEventListener('keydown', onKey);
    expect(wishes).toEqual([{ type: 'travelTo', at: 17 }]);
  });

  it('says at a past step that nothing can be changed, and leads back', () => {
    const { one, click, wishes, store } = drawPanel(past(12));
    expect(one('answer').textContent).toMatch(
      /^At step 12: 64\u00a0% full .* What the model saw then, with the cost so far; nothing can be changed here\./,
    );
    click(one('request-then'));
    expect(store.look.value.tab).toBe('request');
    click(one('back-to-now'));
    expect(wishes.at(-1)).toEqual({ type: 'travelTo', at: 'now' });
    expect(drawPanel(sampleContext()).all('past-notice')).toEqual([]);
  });

  it('says that the request of a recording was never sent', () => {
    const { one } = drawPanel({ ...past(12), source: sampleRecording() });
    expect(one('past-notice').textContent).toContain(
      'What Plimsoll would have sent then, with the cost so far.',
    );
  });

  it("also gives the size of the recording's own request", () => {
    const noticeOf = (recordedTokens: number) => {
      const travel = { ...past(12).travel, recordedTokens };
      const { one, openPart } = drawPanel({ ...past(12), source: sampleRecording(), travel });
      openPart('sum');
      return one('recorded-size').textContent;
    };
    const { tokens } = sampleContext().balance.used;
    const own = "The recorded agent's own request held";
    expect(noticeOf(tokens)).toContain(
      `${own} ${tokens.toLocaleString('en-US')} tokens by its server's count, the same as this one.`,
    );
    expect(noticeOf(tokens + 1_200)).toContain(
      "by its server's count, 1,200 more. The difference comes from passes",
    );
    expect(noticeOf(tokens - 30)).toContain(
      "by its server's count, 30 fewer. The difference comes from passes",
    );
  });

  it('says so if the log does not hold the budget of that step', () => {
    const { travel } = past(12);
    const { one } = drawPanel({ ...past(12), travel: { ...travel, budgetOfToday: true } });
    expect(one('past-notice').textContent).toContain('The log lacks its budget: today’s is used.');
  });
});
