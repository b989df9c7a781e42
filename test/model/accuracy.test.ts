import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LocalEstimator } from '../support/localEstimator';

/**
 * Recorded requests with the API's own token counts; outside the repository (its README names the
 * source).
 */
const TRANSCRIPTS = resolve(__dirname, '../../../shared/transcripts');
const PAIRS = join(TRANSCRIPTS, 'anthropic-pairs/pairs.jsonl');

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly data?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string | readonly Part[];
}

interface Pair {
  readonly source: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly request: {
    readonly model: string;
    readonly tools?: readonly object[];
    readonly system?: string | readonly Part[];
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | readonly Part[];
    }[];
  };
  readonly response: {
    readonly usage?: Readonly<Record<string, number | null>>;
    readonly input_tokens?: number;
  };
}

/** The text that the model reads of a part, as `measure` weighs it. */
function textOf(part: Part): string {
  if (part.type === 'tool_use') return `${part.name}${JSON.stringify(part.input)}`;
  if (part.type === 'tool_result') return textsIn(part.content ?? '').join('');
  return part.text ?? part.thinking ?? part.data ?? '';
}

function textsIn(content: string | readonly Part[]): readonly string[] {
  return typeof content === 'string' ? [content] : content.map(textOf);
}

/** The texts of a request in the order in which they are sent. */
function textsOf({ request }: Pair): readonly string[] {
  return [
    (request.tools ?? []).map((tool) => JSON.stringify(tool)).join(''),
    textsIn(request.system ?? []).join(''),
    ...request.messages.flatMap(({ content }) => textsIn(content)),
  ].filter((text) => text !== '');
}

function actualTokens({ response: { usage, input_tokens } }: Pick<Pair, 'response'>): number {
  const count = (name: string) => usage?.[name] ?? 0;
  return (
    input_tokens ??
    count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens')
  );
}

/**
 * Requests of text and tools only: images, server tools and schemas cost tokens that are not text.
 */
function plainPairs(): readonly Pair[] {
  const unlike = ['image', 'server_tool_defs', 'output_schema'];
  return readFileSync(PAIRS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair)
    .filter((pair) => actualTokens(pair) > 0 && !pair.tags.some((tag) => unlike.includes(tag)));
}

async function estimateAll(model: string, texts: readonly string[]): Promise<number> {
  const estimator = new LocalEstimator(model);
  await estimator.warm(texts);
  return texts.reduce((total, text) => total + estimator.estimate(text), 0);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Prints the measured ratios. */
function report(what: string, ratios: readonly number[]): void {
  const at = (q: number) => quantile(ratios, q).toFixed(3);
  console.log(`${what}: n ${ratios.length}, p5 ${at(0.05)}, p50 ${at(0.5)}, p95 ${at(0.95)}`);
}

describe.skipIf(!existsSync(PAIRS))(
  `accuracy on recorded requests${existsSync(PAIRS) ? '' : ` (skipped: no ${PAIRS})`}`,
  () => {
    it('estimates at least 95 in 100 of the tokens of a text-only request of 1,000 tokens or more', async () => {
      const ratios: number[] = [];
      for (const pair of plainPairs()) {
        const actual = actualTokens(pair);
        if (actual < 1_000 || pair.request.tools !== undefined) continue;
        ratios.push((await estimateAll(pair.request.model, textsOf(pair))) / actual);
      }
      report('text alone, estimate / actual', ratios);
      expect(ratios.length).toBeGreaterThanOrEqual(5);
      expect(Math.min(...ratios)).toBeGreaterThan(0.95);
      expect(Math.max(...ratios)).toBeLessThan(1.25);
    });

    it('estimates well what follows a counted request, even if the request is small', async () => {
      const ratios: number[] = [];
      const last = new Map<string, Pair>();
      for (const pair of plainPairs()) {
        const key = `${pair.source} ${pair.path} ${pair.request.model}`;
        const before = last.get(key);
        last.set(key, pair);
        if (before === undefined) continue;
        const [old, now] = [textsOf(before), textsOf(pair)];
        if (now.length <= old.length || old.some((text, index) => text !== now[index])) continue;
        const added = await estimateAll(pair.request.model, now.slice(old.length));
        ratios.push((actualTokens(before) + added) / actualTokens(pair));
      }
      report('pairs: baseline and estimate of the rest, estimate / actual', ratios);
      expect(ratios.length).toBeGreaterThanOrEqual(10);
      expect(quantile(ratios, 0.5)).toBeGreaterThan(0.93);
      expect(Math.min(...ratios)).toBeGreaterThan(0.7);
      expect(Math.max(...ratios)).toBeLessThan(1.35);
    });
  },
);

/**
 * Sessions recorded by another agent, one content block a line; the blocks of a response share a
 * message id.
 */
const SESSIONS = [
  'claude-code/cipher-box/opus46-376msg.jsonl',
  'claude-code/entireio-skills/opus47-217msg.jsonl',
  'claude-code/oh-my-posh/fable5-335msg.jsonl',
  'claude-code/oh-my-posh/sonnet5-727msg-par11.jsonl',
].map((path) => join(TRANSCRIPTS, path));

interface Response {
  readonly model: string;
  /** Tokens of the prompt it answers. */
  readonly prompt: number;
  /** The reply and the tool results, which are new in the next prompt. */
  readonly texts: string[];
  hasThinking: boolean;
}

interface Line {
  readonly type: string;
  readonly isSidechain?: boolean;
  readonly message: {
    readonly id: string;
    readonly model: string;
    readonly usage: Readonly<Record<string, number>>;
    readonly content: string | readonly Part[];
  };
}

function responsesOf(path: string): readonly Response[] {
  const responses = new Map<string, Response>();
  let last: Response | undefined;
  for (const text of readFileSync(path, 'utf8').trim().split('\n')) {
    const line = JSON.parse(text) as Line;
    const { type, isSidechain, message } = line;
    if (isSidechain === true || (type !== 'user' && type !== 'assistant')) continue;
    if (type === 'assistant') {
      const { id, model, usage } = message;
      const prompt = actualTokens({ response: { usage } });
      last = responses.get(id) ?? { model, prompt, texts: [], hasThinking: false };
      responses.set(id, last);
    }
    const parts = typeof message.content === 'string' ? [] : message.content;
    if (last !== undefined && parts.some((part) => part.type === 'thinking')) {
      last.hasThinking = true;
    }
    last?.texts.push(...textsIn(message.content).filter((part) => part !== ''));
  }
  return [...responses.values()];
}

describe.skipIf(!SESSIONS.every(existsSync))(
  `accuracy on recorded sessions${SESSIONS.every(existsSync) ? '' : ' (skipped: they are missing)'}`,
  () => {
    it.each(SESSIONS)(
      'estimates the next prompt within 3 in 100: %s',
      async (path) => {
        const responses = responsesOf(path);
        const whole: number[] = [];
        const step: number[] = [];
        for (const [index, { model, prompt, texts, hasThinking }] of responses.entries()) {
          const next = responses[index + 1];
          // Thinking is removed from later prompts, and a smaller prompt follows a compaction.
          // Neither says anything about the estimate.
          if (hasThinking || next?.model !== model || next.prompt <= prompt) continue;
          const estimated = await estimateAll(model, texts);
          whole.push((prompt + estimated) / next.prompt);
          step.push(estimated / (next.prompt - prompt));
        }
        const name = path.split('/').at(-1);
        report(`${name}: whole prompt, estimate / actual`, whole);
        report(`${name}: one step alone, estimate / actual`, step);
        expect(whole.length).toBeGreaterThan(20);
        expect(quantile(whole, 0.5)).toBeGreaterThan(0.99);
        expect(quantile(whole, 0.5)).toBeLessThan(1.01);
        expect(quantile(whole, 0.1)).toBeGreaterThan(0.97);
        expect(quantile(whole, 0.9)).toBeLessThan(1.03);
        expect(quantile(step, 0.5)).toBeGreaterThan(0.6);
        expect(quantile(step, 0.5)).toBeLessThan(1.3);
      },
      120_000,
    );
  },
);
