import { describe, expect, it } from 'vitest';
import { contextHtml } from '../../../../src/editor/contextPanel/exports/contextHtml';
import { passReport } from '../../../../src/editor/contextPanel/exports/passReport';
import { exported, RECORDING, TIMELINE, VIEW, PASS, DECISIONS } from '../support/exportedSession';
import { textIn, readIn, markdown } from '../support/pageText';

describe('the export of a recording', () => {
  const of = exported({ source: RECORDING });
  const text = textIn(contextHtml(of));

  it('says that it is a recording, names file and format, and says that nothing was sent', () => {
    expect(text).toContain('A recording of another agent: run 7.jsonl, format claude-code.');
    expect(text).toContain('Plimsoll sent nothing. Shown as if run with ladder.');
    expect(text).toContain('2 lines of another conversation were left out.');
    expect(text).toContain('Set aside here: the window that the file names.');
    expect(text).toContain('after step 25, the last one');
    expect(text).not.toContain('now, after');
  });

  it('does not say that the request of a past step was sent', () => {
    const past = exported({ source: RECORDING, travel: { at: 9, first: 1, last: 25 } });
    const page = contextHtml(past);
    expect(page).toContain('step 9 of 25, as Plimsoll would have sent its request');
    expect(page).not.toContain('request was sent');
  });

  it('says where the other agent compacted', () => {
    const words = 'The recorded agent compacted its conversation';
    const points = TIMELINE.points.map((point) =>
      point.step === 7 ? { ...point, marks: [{ kind: 'compacted' as const, words }] } : point,
    );
    const compacted = { ...of, timeline: { ...TIMELINE, points } };
    expect(contextHtml(compacted)).toMatch(new RegExp(`<td class="n">7</td>.*<td>${words}</td>`));
  });

  it('says in the report of a pass that it is a recording', () => {
    const report = passReport({ ...VIEW, source: RECORDING }, PASS, DECISIONS);
    expect(readIn(markdown.render(report))).toContain('A recording of another agent: run 7.jsonl');
    expect(passReport(VIEW, PASS, DECISIONS)).not.toContain('recording');
  });
});
