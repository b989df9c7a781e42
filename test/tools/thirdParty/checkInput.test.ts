import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ToolContext } from '../../../src/agent/tool';
import { checkInputIn } from '../../../src/tools/thirdParty/checkInput';
import { problemOf } from '../../../src/tools/thirdParty/inputProblem';
import { thirdPartyTools } from '../../../src/tools/thirdParty/thirdPartyTools';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../../support/ticking';

let folder: string;
let worker: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-schema-'));
  worker = join(folder, 'schemaWorker.js');
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    entryPoints: [resolve(__dirname, '../../../src/tools/thirdParty/schemaWorker.ts')],
    outfile: worker,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** References that double at each of 40 levels. */
const DOUBLING = {
  properties: { a: { $ref: '#/$defs/l0' } },
  not: { $ref: '#/$defs/l0' },
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/l${level + 1}` };
      return [`l${level}`, { allOf: [next, next] }];
    }).concat([['l40', {} as never]]),
  ),
};

function preparing(inputSchema: unknown, input: Readonly<Record<string, unknown>>) {
  const invoke = vi.fn(async () => []);
  const offered = { name: 'evil', provider: 'Server', description: '', inputSchema, invoke };
  const [one] = thirdPartyTools([offered], new Set(), checkInputIn(worker, 300));
  if (one === undefined || !('tool' in one)) throw new Error(`No tool: ${JSON.stringify(one)}`);
  return one.tool.prepare(input, {} as ToolContext);
}

describe('the input of a third-party tool, checked in a thread of its own', () => {
  it.each([
    [{ type: 'object', required: ['a'] }, {}],
    [{ type: 'object', properties: { a: { pattern: '^x+$' } } }, { a: 'xxx' }],
    [{ type: 'object', properties: { a: { pattern: '^x+$' } } }, { a: 'y' }],
    [{ type: 'object', properties: { a: { pattern: '(' } } }, { a: 'y' }],
    [{ type: 'object', properties: { a: { $ref: '#' } } }, { a: { a: {} } }],
  ])('has the same problems as in this thread: %#', async (schema, input) => {
    expect(await checkInputIn(worker)({ schema, input })).toBe(problemOf({ schema, input }));
  });

  it.each([
    [
      'pattern',
      { properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(40)}!` },
    ],
    ['patternProperties', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(40)}!`]: 1 }],
    ['references', DOUBLING, { a: 1 }],
  ])(
    'is refused when its time is up, and this thread works on meanwhile: %s',
    async (_, schema, input) => {
      const { value, tickedMs } = await ticking(() =>
        preparing({ type: 'object', ...schema }, input),
      );
      expect(value).toEqual({
        ok: false,
        message: 'evil was not called: its input schema took over 0.3 s to check this input.',
      });
      expect(tickedMs).toBeGreaterThan(50);
    },
    20_000,
  );

  it('costs nothing while the tools are listed', async () => {
    const { cpuMs } = await ticking(() => {
      const invoke = async () => [];
      const offered = {
        name: 'evil',
        provider: 'S',
        description: '',
        inputSchema: DOUBLING,
        invoke,
      };
      return thirdPartyTools([offered], new Set(), checkInputIn(worker));
    });
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });

  it('is refused if the thread fails', async () => {
    const broken = join(folder, 'broken.js');
    writeFileSync(broken, 'throw new Error("no memory")');
    const check = checkInputIn(broken);
    expect(await check({ schema: {}, input: {} })).toMatch(
      /^its input could not be checked .*no memory/,
    );
    writeFileSync(broken, '');
    expect(await check({ schema: {}, input: {} })).toBe('its input could not be checked');
  });
});
