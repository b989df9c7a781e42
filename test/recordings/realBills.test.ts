import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costOfCharge } from '../../src/model/pricing';
import { importTranscript } from '../../src/recordings/importTranscript';
import { recordedChargesOf } from '../../src/sessions/transcript';
import { tokensByLength } from './support/drawnTranscript';

const FOLDER = resolve(__dirname, '../../../shared/transcripts');
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.startsWith('claude-code') && file.endsWith('.jsonl'))
      .toSorted()
  : [];
if (FILES.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

/** List prices in US dollars per million tokens: input, output, cache read. */
const PRICES: Readonly<Record<string, readonly [number, number, number]>> = {
  'claude-opus-4-5-20251101': [5, 25, 0.5],
  'claude-opus-4-6': [5, 25, 0.5],
  'claude-opus-4-7': [5, 25, 0.5],
  'claude-sonnet-4-5-20250929': [3, 15, 0.3],
  'claude-sonnet-5': [2, 10, 0.2],
  'claude-fable-5': [10, 50, 1],
  'claude-haiku-4-5-20251001': [1, 5, 0.1],
};

interface Line {
  readonly type?: string;
  readonly isSidechain?: boolean;
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly usage?: Readonly<Record<string, number>> & {
      readonly cache_creation?: Readonly<Record<string, number>>;
    };
  };
}

/** Adds up the usage of each response in a file once, without the importer. */
function addedUp(text: string): { readonly usd: number | undefined; readonly tokens: number } {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  const said = lines.filter(({ type }) => type === 'assistant');
  const isSubagent = said.every(({ isSidechain }) => isSidechain === true);
  const own = said.filter(({ isSidechain }) => isSubagent || isSidechain !== true);
  const byId = new Map(own.map(({ message }) => [message!.id, message!]));
  let [usd, tokens]: [number | undefined, number] = [0, 0];
  for (const { model = '', usage } of byId.values()) {
    if (usage === undefined || model === '<synthetic>') continue;
    const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
    const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = usage;
    const hour = usage.cache_creation?.['ephemeral_1h_input_tokens'] ?? 0;
    tokens += input + written + read;
    const price = PRICES[model];
    if (price === undefined || usd === undefined) usd = undefined;
    else {
      const inputs = input + (written - hour) * 1.25 + hour * 2;
      usd += (inputs * price[0] + output * price[1] + read * price[2]) / 1_000_000;
    }
  }
  return { usd, tokens };
}

describe.skipIf(FILES.length === 0)('the bill of a recorded agent', () => {
  it.each(FILES)('is the sum of every response in %s', (file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const result = importTranscript(text, 'auto', file, tokensByLength);
    if (!result.ok) throw new Error(result.message);
    const charges = result.transcript.entries.flatMap((entry) =>
      entry.type === 'reply' ? recordedChargesOf(entry) : [],
    );
    const tokens = charges.reduce(
      (sum, { usage }) =>
        sum + usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens,
      0,
    );
    const costs = charges.map(costOfCharge);
    const expected = addedUp(text);
    expect(tokens).toBe(expected.tokens);
    if (expected.usd === undefined) expect(costs).toContain(undefined);
    else expect(costs.reduce<number>((sum, cost) => sum + cost!, 0)).toBeCloseTo(expected.usd, 6);
  });
});
