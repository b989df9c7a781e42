import { LocalEstimator } from '../../support/localEstimator';
import { expect, it } from 'vitest';
import { KNOWN_MODELS } from '../../../src/model/modelWindows';
import { LearnedAbilities } from '../../../src/model/serverAbilities';
import { ModelAccess } from '../../../src/editor/model/modelAccess';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings';

/** An estimator that estimates nothing, and records the model and server it should estimate for. */
const estimatorTold = (forModel: (model: string, server: string) => void = () => undefined) => ({
  warm: async () => undefined,
  estimate: () => 0,
  media: () => 0,
  learn: () => undefined,
  dispose: async () => undefined,
  counts: new Map(),
  takeCounts: () => undefined,
  learned: { model: '', server: '', factors: {} },
  startCounter: () => undefined,
  openCounter: () => undefined,
  fork: () => new LocalEstimator('none'),
  weighedFor: () => new LocalEstimator('none'),
  forModel,
});

it('tells the estimator the model and the server', async () => {
  const told: string[] = [];
  let settings: Settings = DEFAULT_SETTINGS;
  const estimator = estimatorTold(
    (model: string, server: string) => void told.push(`${model} at ${server}`),
  );
  const access = new ModelAccess({
    connect: () => {
      throw new Error('no network here');
    },
    learned: new LearnedAbilities(),
    startOfflineServer: () => Promise.reject(new Error('no server here')),
    makeEstimator: (model, server) => {
      estimator.forModel(model, server);
      return estimator;
    },
    root: undefined,
    configuration: { readSettings: () => ({ settings, problems: [] }) },
    apiKey: {
      readFor: async () => ({ apiKey: undefined, mayGo: true }),
      mayGoTo: async () => true,
    },
    notices: { warn: () => undefined },
    report: { log: () => undefined },
  });
  for (const change of [
    { provider: 'offline' },
    {
      provider: 'anthropic',
      baseUrl: 'https://user:secret@gate.example.com:8080/claude?key=secret',
    },
    { model: 'qwen3-coder' },
    { baseUrl: '' },
  ] satisfies readonly Partial<Settings>[]) {
    settings = { ...settings, ...change };
    await access.refresh();
  }
  expect(told).toEqual([
    'claude-sonnet-5-5 at anthropic',
    'claude-sonnet-5-5 at offline',
    'claude-sonnet-5-5 at gate.example.com:8080/claude',
    'qwen3-coder at gate.example.com:8080/claude',
    'qwen3-coder at anthropic',
  ]);
});

it('reports a problem of the model list once', async () => {
  const warned: string[] = [];
  const estimator = estimatorTold();
  const access = new ModelAccess({
    connect: async () =>
      ({ catalog: { limitsOf: async () => ({ problem: 'It points elsewhere.' }) } }) as never,
    learned: new LearnedAbilities(),
    startOfflineServer: () => Promise.reject(new Error('no server here')),
    makeEstimator: () => estimator,
    root: undefined,
    configuration: { readSettings: () => ({ settings: DEFAULT_SETTINGS, problems: [] }) },
    apiKey: { readFor: async () => ({ apiKey: 'a-key', mayGo: true }), mayGoTo: async () => true },
    notices: { warn: (message) => void warned.push(message) },
    report: { log: () => undefined },
  });
  await access.refresh();
  await access.refresh();
  expect(warned).toEqual(['It points elsewhere.']);
});

it('names the configured server before its model list arrives', async () => {
  let settings: Settings = DEFAULT_SETTINGS;
  let answer = (): void => undefined;
  const answered = new Promise<object>((resolve) => (answer = () => resolve({})));
  const estimator = estimatorTold();
  const access = new ModelAccess({
    connect: async () => ({ catalog: { limitsOf: () => answered } }) as never,
    learned: new LearnedAbilities(),
    startOfflineServer: () => Promise.reject(new Error('no server here')),
    makeEstimator: () => estimator,
    root: undefined,
    configuration: { readSettings: () => ({ settings, problems: [] }) },
    apiKey: { readFor: async () => ({ apiKey: 'a-key', mayGo: true }), mayGoTo: async () => true },
    notices: { warn: () => undefined },
    report: { log: () => undefined },
  });
  expect(access.origin).toBe('https://api.anthropic.com');
  settings = { ...settings, baseUrl: 'https://gate.example.com/v1' };
  const refreshed = access.refresh();
  expect(access.settings.valid.settings.baseUrl).toBe('');
  expect(access.origin).toBe('https://gate.example.com');
  answer();
  await refreshed;
  expect(access.settings.valid.settings.baseUrl).toBe('https://gate.example.com/v1');
});

it("lists the server's models with the current one, else the known models", async () => {
  const listed = [{ id: 'claude-x', name: 'Claude X', contextWindowTokens: 9_000 }];
  const access = (list: () => Promise<typeof listed>, model = 'claude-x') =>
    new ModelAccess({
      connect: async () => ({ catalog: { limitsOf: async () => ({}), list } }) as never,
      learned: new LearnedAbilities(),
      startOfflineServer: () => Promise.reject(new Error('no server here')),
      makeEstimator: () => estimatorTold(),
      root: undefined,
      configuration: {
        readSettings: () => ({ settings: { ...DEFAULT_SETTINGS, model }, problems: [] }),
      },
      apiKey: {
        readFor: async () => ({ apiKey: 'a-key', mayGo: true }),
        mayGoTo: async () => true,
      },
      notices: { warn: () => undefined },
      report: { log: () => undefined },
    });
  expect(await access(async () => listed).models()).toEqual(listed);
  const mine = { id: 'my-model', name: 'my-model' };
  expect(await access(async () => listed, 'my-model').models()).toEqual([mine, ...listed]);
  const known = await access(async () => []).models();
  expect(known.map(({ id }) => id)).toEqual(['claude-x', ...KNOWN_MODELS]);
  const failing = access(() => Promise.reject(new Error('no list')));
  expect(await failing.models()).toEqual(known);
});
