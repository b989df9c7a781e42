import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/contextWindow/block';
import { applyEvent, fold } from '../../../src/contextWindow/fold';
import type { Summary } from '../../../src/contextWindow/plan';
import type { ContextPanel } from '../../../src/editor/contextPanel/panel';
import { CONTEXT_WISHES, type ContextWish } from '../../../src/editor/contextPanel/wishes';
import { handlersOf } from '../../../src/editor/wish';
import { budgetOf, countDots, dated, drawnEvents, evicting } from '../../support/drawing';
import { FileSession } from '../../support/fileSession';
import { estimate } from '../../support/player';
import { fakePanel, only, type PanelMembers } from './support/fakePanel';
import { inspecting, lookedAt } from './support/inspecting';

const EVENTS = dated([
  ...drawnEvents('1 anchor task 30\n1 step a.ts 40\n1 step b.ts 30'),
  evicting('step-1'),
]);

const NO_STEP = 'There is no such step in this session.';

const complete = (summary: Pick<Summary, 'text' | 'writtenBy'> & { id: string }): Summary => ({
  ...summary,
  id: summary.id as BlockId,
  covers: [],
});

/** A panel on a session of two steps, and everything its wishes cause. */
function panel(
  refusal?: string,
  summaries: readonly (Pick<Summary, 'text' | 'writtenBy' | 'exchange'> & { id: string })[] = [],
) {
  const events = EVENTS.map((event) =>
    event.type === 'passApplied'
      ? { ...event, pass: { ...event.pass, summaries: summaries.map(complete) } }
      : event,
  );
  const done: unknown[] = [];
  const answers: unknown[] = [];
  const { inspection } = inspecting(() => lookedAt({ events, window: fold(events) }), countDots);
  const later =
    (name: string) =>
    async (...what: readonly unknown[]) => {
      done.push([name, ...what]);
      return refusal;
    };
  const members: PanelMembers = {
    inspection,
    redraw: () => void done.push(['changed', inspection.view().travel.at]),
    requests: only<ContextPanel['requests']>({
      open: async (...what) => void done.push(['opened', ...what]),
      diff: async (...what) => void done.push(['compared', ...what]),
      copy: async (step) => void done.push(['copied', step]),
    }),
    exportView: later('exported'),
    reports: only<ContextPanel['reports']>({ save: later('report saved') }),
    openPassReport: later('reported'),
    forkAt: later('forked'),
    handOver: later('handed over'),
    closeSession: later('closed'),
    applySettings: later('applied'),
    openProfile: later('profile opened'),
    openRecording: async () => void done.push(['recording opened']),
    showCurrent: () => void done.push(['recording closed']),
    showWindow: (toolUseId) => void done.push(['window', toolUseId]),
    recordings: only<ContextPanel['recordings']>({
      follow: (following) => {
        done.push(['followed', following]);
        return refusal;
      },
    }),
    setSeen: (key) => void done.push(['seen', key]),
  };
  const handlers = handlersOf(CONTEXT_WISHES, fakePanel(members));
  const wish = async (...wishes: readonly ContextWish[]) => {
    for (const one of wishes) {
      const said = await (handlers[one.type] as (wish: ContextWish) => unknown)(one);
      if (typeof said === 'string') done.push(['refused', said]);
      else if (said !== undefined) answers.push(said);
    }
    return done.splice(0);
  };
  return { inspection, wish, answers };
}

describe('a wish to look at something', () => {
  it('travels, redraws the panel, and explains a refusal', async () => {
    const { wish } = panel();
    expect(await wish({ type: 'travelTo', at: 2 })).toEqual([['changed', 2]]);
    expect(await wish({ type: 'travelTo', at: 7 })).toEqual([
      ['changed', 2],
      ['refused', 'There is no step 7 in this session.'],
    ]);
    expect(await wish({ type: 'travelTo', at: 'now' })).toEqual([['changed', 'now']]);
  });

  it('returns decisions, a preview, a request, or scratch settings', async () => {
    const { inspection, wish, answers } = panel();
    const { settings } = inspection.view();
    const refused = await wish(
      { type: 'fetchDecisions', number: 1 },
      { type: 'previewPass' },
      { type: 'fetchRequest', step: 2 },
      { type: 'fetchRequest', step: 'next' },
      { type: 'whatIf', settings },
    );
    expect(refused).toEqual([['changed', 'now']]);
    expect(answers).toMatchObject([
      { type: 'answered', data: [{ blockId: 'step-1' }] },
      { type: 'answered', data: { trigger: 'manual' } },
      { type: 'answered', data: { step: 2 } },
      { type: 'answered', data: { step: 'next' } },
      { type: 'answered', data: { ok: true, settings } },
    ]);
  });

  it('copies the request of a step', async () => {
    const { wish, answers } = panel();
    expect(await wish({ type: 'copyRequest', step: 2 })).toEqual([['copied', 2]]);
    expect(answers).toEqual([]);
  });

  it('is refused for an unknown step or pass', async () => {
    const { wish, answers } = panel();
    const form = 'raw';
    expect(
      await wish(
        { type: 'fetchRequest', step: 9 },
        { type: 'openRequest', step: 9, form },
        { type: 'copyRequest', step: 9 },
        { type: 'diffRequests', from: 9, to: 'next', form },
        { type: 'diffRequests', from: 1, to: 9, form },
        { type: 'fetchDecisions', number: 9 },
        { type: 'fetchExcerpts', blockId: 'files-9' },
      ),
    ).toEqual([
      ...Array.from({ length: 5 }, () => ['refused', NO_STEP]),
      ['refused', 'There is no pass 9.'],
      ['refused', 'The log does not say what this block shows of files, and why.'],
    ]);
    expect(answers).toEqual([]);
  });

  it('opens the request for a summary and its answer, if the log has them', async () => {
    const exchange = { model: 'm', maxTokens: 9, system: 'Sum up.', content: [] };
    const { wish } = panel(undefined, [
      { id: 'summary-1', text: 'Done.', writtenBy: { by: 'model', model: 'm' }, exchange },
      { id: 'summary-2', text: 'Note.', writtenBy: { by: 'workNote', because: 'x' }, exchange },
      { id: 'summary-3', text: 'Old.', writtenBy: { by: 'model', model: 'm' } },
    ]);
    const open = (summaryId: string, side: 'asked' | 'answered') =>
      wish({ type: 'openExchange', summaryId, side, form: 'raw' });
    const opened = (summaryId: string, side: string, form: string) => [
      ['opened', { summaryId, side }, form],
    ];
    expect(await open('summary-1', 'asked')).toEqual(opened('summary-1', 'asked', 'raw'));
    expect(await open('summary-1', 'answered')).toEqual(
      opened('summary-1', 'answered', 'readable'),
    );
    expect(await open('summary-2', 'asked')).toEqual(opened('summary-2', 'asked', 'raw'));
    expect(await open('summary-2', 'answered')).toEqual([
      ['refused', 'No answer came: the ledger says why.'],
    ]);
    expect(await open('summary-3', 'asked')).toEqual([
      ['refused', 'The log does not hold the request for this summary.'],
    ]);
  });

  it('says which regions the excerpts show, now and after they were removed', async () => {
    const session = new FileSession(budgetOf(4_000));
    for (const file of [0, 1, 2, 3, 4]) session.act({ type: 'read', file, from: 1, count: 60 });
    session.act({ type: 'pass' });
    const { events, window } = session.player;
    const { excerpts: view } = window.ledger.at(-1)!.pass;
    const { inspection } = inspecting(() => lookedAt({ events, window }), estimate);
    const drawn = inspection.shownExcerpts(view!.id);
    expect(drawn?.regions.map(({ path }) => path)).toEqual(view!.shown.map(({ path }) => path));
    const undone = applyEvent(window, { at: 0, type: 'passUndone', number: 1 });
    const later = inspecting(() => lookedAt({ events, window: undone }), estimate).inspection;
    expect(later.shownExcerpts(view!.id)).toEqual(drawn);
  });

  it('opens the named target, and passes on a refusal', async () => {
    const { inspection, wish } = panel('No.');
    const { settings } = inspection.view();
    const refused = ['refused', 'No.'];
    const led = await wish(
      { type: 'openRequest', step: 1, form: 'readable' },
      { type: 'diffRequests', from: 1, to: 'next', form: 'raw' },
      { type: 'openRecording' },
      { type: 'closeRecording' },
      { type: 'showWindow', toolUseId: 't1' },
      { type: 'dismissIntro' },
      { type: 'dismissCapNotice' },
    );
    expect(led).toEqual([
      ['opened', 1, 'readable'],
      ['compared', 1, 'next', 'raw'],
      ['recording opened'],
      ['recording closed'],
      ['window', 't1'],
      ['seen', 'plimsoll.introSeen'],
      ['seen', 'plimsoll.capNoticeSeen'],
    ]);
    const shown = { ids: ['step-1'], words: 'pinned' };
    expect(await wish({ type: 'exportView', form: 'html', shown })).toEqual([
      ['exported', 'html', shown],
      refused,
    ]);
    expect(await wish({ type: 'saveReport' })).toEqual([['report saved'], refused]);
    expect(await wish({ type: 'exportPass', number: 1 })).toEqual([['reported', 1], refused]);
    expect(await wish({ type: 'forkAt', step: 1 })).toEqual([['forked', 1], refused]);
    expect(await wish({ type: 'applyWhatIf', settings })).toEqual([['applied', settings], refused]);
    expect(await wish({ type: 'openProfile' })).toEqual([['profile opened'], refused]);
    expect(await wish({ type: 'followRecording', following: true })).toEqual([
      ['followed', true],
      refused,
    ]);
  });

  it('to apply the scratch settings succeeds without a message', async () => {
    const { inspection, wish, answers } = panel();
    const { settings } = inspection.view();
    expect(await wish({ type: 'applyWhatIf', settings })).toEqual([['applied', settings]]);
    expect(answers).toEqual([]);
  });
});
