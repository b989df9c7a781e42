import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../support/runs';
import { hasReal, REAL_RECORDINGS, realRecording } from '../../support/realRecordings';
import { recordingHere } from '../../support/recordingHere';
import { Recordings } from '../../../src/editor/recordings/recordings';
import { inspecting, validWith } from '../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';

const CODEX = realRecording('codex/session-bridge/gpt54-294lines.jsonl');

/** The soak takes all. */
const some = REAL_RECORDINGS.filter((_file, at) => at % runs(3, 1) === 0);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

async function opened(file: string) {
  const recordings: Recordings = new Recordings(
    {
      access: {
        settings: { valid: validWith({ pinTaskAnchor: false }) },
        estimator: STAND_IN_ESTIMATOR,
      },
      report: { log: () => undefined },
    },
    () => undefined,
    recordingHere(STAND_IN_ESTIMATOR),
  );
  onTestFinished(() => recordings.dispose());
  expect(await recordings.open(file, new AbortController().signal)).toBeUndefined();
  return inspecting(() => recordings.inspected!).inspection;
}

describe.skipIf(!hasReal)('a recording of a real session', () => {
  it("has its own window, and its first request has the API's count", async () => {
    const inspection = await opened(CODEX);
    await inspection.travelTo(1);
    const { balance, travel, windowSource } = inspection.view();
    expect([balance.contextWindowTokens, windowSource]).toEqual([258_400, 'from the recording']);
    expect(balance.categories.unrecorded).toBeGreaterThan(0);
    expect(balance.used.tokens).toBe(travel.recordedTokens);
  });

  it.each(some)('has one size on every surface, at steps of every kind: %s', async (file) => {
    const inspection = await opened(realRecording(file));
    const { points, totals } = inspection.timeline()!;
    const last = points.at(-1)!.step;
    const { passes } = inspection.view();
    const around = passes.flatMap(({ beforeStep }) => [beforeStep - 1, beforeStep]);
    /** Tokens of each request that the file lacks and that belong to no block, by model. */
    const outside = new Map<string, number>();
    for (const at of [1, 2, Math.ceil(last / 2), ...around, last].filter((step) => step > 0)) {
      await inspection.travelTo(at);
      const { balance, tiers, blocks, billThen } = inspection.view();
      const { used, headroom, reserved, categories, contextWindowTokens } = balance;
      expect(sumOf(Object.values(categories))).toBe(used.tokens);
      expect(used.tokens + headroom + sumOf(Object.values(reserved))).toBe(contextWindowTokens);
      expect(tiers.system + tiers.working + tiers.archive).toBe(used.tokens);
      const point = points.find(({ step }) => step === at)!;
      expect(point.system + point.working + point.archive).toBe(used.tokens);
      expect(point.budget.inputBudget).toBe(balance.inputBudget);
      if (at === last) expect(billThen?.cost).toBe(totals.cost);
      const inWindow = blocks.filter(({ category }) => category !== undefined);
      const rows = sumOf(inWindow.map(({ tokens }) => tokens.tokens));
      const { tools, system, gapLines, rules } = categories;
      const rest = used.tokens - rows - tools - system - gapLines - rules;
      const { model } = point;
      expect([at, rest]).toEqual([at, outside.get(model) ?? rest]);
      outside.set(model, rest);
    }
  });

  it.each(some)('marks in the list the blocks that the card counts: %s', async (file) => {
    const inspection = await opened(realRecording(file));
    await expect.poll(() => inspection.view().next.type).not.toBe('workingOut');
    const { next, blocks, balance, passes, findings } = inspection.view();
    if (next.type !== 'planned') throw new Error('No pass is planned.');
    const marked = blocks.filter(({ leavesNext }) => leavesNext !== undefined);
    expect(marked).toHaveLength(next.blocks);
    expect(next.afterTokens).toBeLessThan(balance.used.tokens);
    for (const { blockId, tokens } of next.largest) {
      const block = marked.find(({ id }) => id === blockId)!;
      expect(tokens.tokens).toBeLessThanOrEqual(block.tokens.tokens);
    }
    for (const { changed, rungs, before, after } of passes) {
      expect(sumOf(rungs.map((rung) => rung.blocks))).toBe(changed);
      expect(after.tokens).toBeLessThan(before.tokens);
    }
    // Nothing can be done about a recording.
    expect(findings).toEqual([]);
    const long = blocks.filter(({ why }) => why === '' || why.split(/\s+/).length > 6);
    expect(long.map(({ why }) => why)).toEqual([]);
  });
});
