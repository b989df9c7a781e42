import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Recordings } from '../../../src/editor/recordings/recordings';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { inspecting, SMALL, validWith } from '../../editor/contextPanel/support/inspecting';
import { RECORDINGS } from '../../recordings/support/smallRecordings';
import { asLog } from '../../sessions/support/sampleEvents';
import { recordingHere } from '../../support/recordingHere';
import { hasReal, REAL_RECORDINGS, realRecording } from '../../support/realRecordings';
import { scriptedAgent, steps } from '../../support/scriptedAgent';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
import { tempFolder } from '../../tools/support/tempFolder';
import { browserOfTests } from './support/browser';
import { firstScreenOf, MOST } from './support/firstScreen';
import { openPanel, type PanelPage } from './support/panelPage';
import { seriousIn } from './support/seriousIn';

const context = browserOfTests();

/** A recording as the panel shows it, replayed, with the next pass planned. */
async function shownIn(file: string, settings: ValidSettings = validWith()) {
  const recordings = new Recordings(
    {
      access: { settings: { valid: settings }, estimator: STAND_IN_ESTIMATOR },
      report: {
        log: (error) => {
          throw error;
        },
      },
    },
    () => undefined,
    recordingHere(STAND_IN_ESTIMATOR),
  );
  onTestFinished(() => recordings.dispose());
  expect(await recordings.open(file, new AbortController().signal)).toBeUndefined();
  const { inspection } = inspecting(() => recordings.inspected!);
  await expect.poll(() => inspection.view().next.type).not.toBe('workingOut');
  return { context: inspection.view(), timeline: inspection.timeline() };
}

/** Checks the first screen and its details, which stay open in the page that it returns. */
async function expectFewWords(
  { context: view, timeline }: Awaited<ReturnType<typeof shownIn>>,
  answers: readonly string[] = [],
): Promise<PanelPage> {
  const panel = await openPanel(context(), 'dark', { width: 1_280, height: 720 });
  await panel.tell(
    { type: 'timelineChanged', timeline: timeline! },
    { type: 'contextChanged', context: view },
  );
  const { words, numbers, text } = await firstScreenOf(panel.page.locator('main'));
  expect(words, text).toBeLessThanOrEqual(MOST.words);
  expect(numbers, text).toBeLessThanOrEqual(MOST.numbers);
  const said = text.replaceAll('\u00a0', ' ');
  for (const answer of [' % full', 'Removed next', 'Removed last', 'What it cost', ...answers]) {
    expect(said).toContain(answer);
  }
  await panel.page.getByTestId('recording-details').click();
  const facts = await panel.page.getByTestId('recording-facts').innerText();
  const { source, losses } = view;
  if (source.type !== 'recording') throw new Error('No recording is shown.');
  const { file, origin, lacks, setAside, notes } = source;
  for (const fact of [file, origin, lacks, setAside, losses?.text, ...notes]) {
    if (fact !== undefined)
      expect(facts.replaceAll('\u00a0', ' ')).toContain(fact.replaceAll('\u00a0', ' '));
  }
  return panel;
}

/** Opens what a recording has folded, and checks the whole. */
async function expectAccessible({ page }: PanelPage): Promise<void> {
  await page.getByTestId('open-sum').click();
  await page.getByTestId('fold-timeline').click();
  expect(await seriousIn(page)).toEqual([]);
}

const call = (id: string, path: string) => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input: { file_path: path },
});

/** Messages of an agent that reads files of 6,000 characters: more than one window. */
const READS = [
  { role: 'user', content: 'Mend the parser.' },
  ...Array.from({ length: 240 }, (_, at) => [
    { role: 'assistant', content: [call(`t${at}`, `src/area${at % 7}/file${at % 90}.ts`)] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: 'ten lines\n'.repeat(600) }],
    },
  ]).flat(),
  { role: 'assistant', content: 'Done.' },
];

const usage = (at: number) => ({
  input_tokens: 10,
  cache_read_input_tokens: 20_000 + at * 600,
  cache_creation_input_tokens: 3_000,
  output_tokens: 60,
});

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The same session in several formats, long enough for passes. */
const LONG: Readonly<Record<string, string>> = {
  'session.jsonl of Claude Code, which compacted': lines([
    ...READS.map((message, at) => ({
      type: message.role,
      message: {
        ...message,
        ...(message.role === 'assistant' && {
          id: `m${at}`,
          model: 'claude-sonnet-4-5',
          usage: usage(at % 300),
        }),
      },
    })).flatMap((record, at) =>
      at === 300
        ? [
            { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
            {
              type: 'user',
              isCompactSummary: true,
              message: { role: 'user', content: 'This session is being continued: src/a.ts.' },
            },
            record,
          ]
        : [record],
    ),
    { type: 'broken' },
  ]),
  'request.json of the Messages API': JSON.stringify({
    model: 'claude-sonnet-4-5',
    system: 'You read files. '.repeat(200),
    tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }],
    messages: READS,
  }),
  'api_conversation_history.json of Roo': JSON.stringify(
    READS.map((message) => ({ ...message, ts: 1 })),
  ),
  'session.jsonl of pi': lines([
    { type: 'session' },
    ...READS.map((message) => ({ type: 'message', message })),
  ]),
};

describe('the panel of a recording', () => {
  it.each(Object.entries(LONG))(
    'answers above the list in as few words and numbers as that of a session: %s',
    async (title, text) => {
      const [name = ''] = title.split(' ');
      const file = join(tempFolder({ [name]: text }), name);
      const shown = await shownIn(file);
      expect(shown.context.passes.length).toBeGreaterThan(0);
      const answers = ['recording,', 'read only', 'as if run with ladder'];
      const panel = await expectFewWords(shown, answers);
      await expectAccessible(panel);
      await panel.close();
    },
  );

  it('answers in as few for a log of Plimsoll, as it was', async () => {
    const agent = scriptedAgent({ script: steps(40, 1_400) });
    await agent.run('Look at every file.');
    const file = join(tempFolder({ 'own.jsonl': asLog(agent.session.events) }), 'own.jsonl');
    const shown = await shownIn(file, validWith(SMALL));
    expect(shown.context.passes.length).toBeGreaterThan(0);
    const panel = await expectFewWords(shown, ['as it was, read only', 'policy ladder']);
    await expectAccessible(panel);
    await panel.close();
  });

  it.each(Object.entries(RECORDINGS))(
    'answers in as few for a short one: %s',
    async (name, text) => {
      const shown = await shownIn(join(tempFolder({ 'a.json': text }), 'a.json'));
      const answer = name === 'plimsoll' ? 'as it was' : 'recording';
      await (await expectFewWords(shown, [answer])).close();
    },
  );

  it.skipIf(!hasReal).each(REAL_RECORDINGS)(
    'answers in as few for a real one: %s',
    async (file) => {
      await (await expectFewWords(await shownIn(realRecording(file)))).close();
    },
  );
});
