import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callKindOf } from '../../src/contextWindow/callEffect';
import { labelOfCall } from '../../src/contextWindow/label';
import { costOfCharge } from '../../src/model/pricing';
import { recordedChargesOf, type Transcript } from '../../src/sessions/transcript';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { estimate } from '../support/player';
import { passesOf } from '../support/passWindows';
import { falseReasons } from '../support/reasonsHold';
import { replayedTranscript, settingsOf } from './support/replayed';

const FOLDER = resolve(__dirname, '../../../shared/transcripts');

/** A recording of each agent but Claude Code, which has tests of its own. */
const FILES = existsSync(FOLDER)
  ? ['cline', 'codex', 'copilot-cli', 'gemini-cli', 'mini-swe-agent', 'opencode', 'pi', 'roo']
      .flatMap((agent) =>
        readdirSync(join(FOLDER, agent), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.jsonl?$/.test(name) && !name.endsWith('ui_messages.json'))
          .map((name) => join(agent, name)),
      )
      .toSorted()
  : [];

if (FILES.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

const read = (file: string): Transcript => transcriptOf(readFileSync(join(FOLDER, file), 'utf8'));

const callsIn = ({ entries }: Transcript) =>
  entries.flatMap((entry) =>
    entry.type !== 'reply'
      ? []
      : entry.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : [])),
  );

describe.skipIf(FILES.length === 0)('a recording of any agent', () => {
  it.each(FILES)('has true reasons in every pass: %s', async (file) => {
    for (const policy of ['ladder', 'salience', 'tokenBudget'] as const) {
      const settings = settingsOf(policy, 10_000);
      const { events } = await replayedTranscript(read(file), settings, { estimate });
      const passes = passesOf(events);
      expect(passes.length).toBeGreaterThan(0);
      for (const { before, pass } of passes) {
        const told = falseReasons(before, pass, { ...settings.settings, policy });
        expect([file, policy, pass.number, told]).toEqual([file, policy, pass.number, []]);
      }
    }
  });

  it.each(FILES)('names the file or command of each call: %s', (file) => {
    const said = callsIn(read(file)).filter(({ name, input }) => {
      const kind = callKindOf({ name, input });
      return ['read', 'edit', 'write', 'command'].includes(kind);
    });
    const nameless = said.filter((use) => labelOfCall(use) === use.name);
    expect(nameless.map(({ name, input }) => [name, JSON.stringify(input).slice(0, 80)])).toEqual(
      [],
    );
  });

  it.each([
    ['pi/pi-mono/large-session.jsonl', 30.33],
    ['cline/session.messages.json', 2.04],
    ['mini-swe-agent/deepseek-chat-astropy-12907-130msg.traj.json', 0.04],
  ])('has the bill that its file names: %s', (file, usd) => {
    const charges = read(file).entries.flatMap((entry) =>
      entry.type === 'reply' ? recordedChargesOf(entry) : [],
    );
    const sum = charges.reduce((all, charge) => all + (costOfCharge(charge) ?? Number.NaN), 0);
    expect(sum).toBeCloseTo(usd, 2);
  });
});
