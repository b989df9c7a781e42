import { describe, expect, it } from 'vitest';
import { parseSettings, SETTING_NAMES } from '../../src/settings/readSettings';
import { ADVANCED, DEFAULT_SETTINGS } from '../../src/settings/settings';
import {
  PACKAGE_DEFAULTS as defaults,
  PACKAGE_SETTINGS as properties,
  SETTINGS_SECTIONS,
  type SettingSchema,
} from '../support/packageSettings';

/** Values on the boundaries of every setting, and some of every other type. */
const NUMBERS = [-1, 0, 0.001, 0.5, 0.999, 1, 1.5, 2, 3, 80, 99, 100, 999, 1_000, 1_000.5, 1e6];
const TEXTS = ['', 'x', '0', '24h', ' 1.5 d ', '1w', ...words(properties)];
const OTHERS = [null, true, false, [], ['recall'], [1]];
const VALUES: readonly unknown[] = [...NUMBERS, ...TEXTS, ...OTHERS, {}];

/** Settings that accept any text of their type in package.json and are checked further in code. */
const CLOSER: Readonly<Record<string, readonly unknown[]>> = {
  'plimsoll.model': [''],
  'plimsoll.baseUrl': TEXTS.filter((text) => text !== ''),
  'plimsoll.telemetry.otlpEndpoint': TEXTS.filter((text) => text !== ''),
};

function words(schemas: typeof properties): readonly string[] {
  return Object.values(schemas).flatMap((schema) => schema.enum ?? []);
}

/** Says whether the settings editor accepts a value. */
function fits(value: unknown, schema: SettingSchema): boolean {
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(type, value))) {
    return false;
  }
  if (schema.anyOf !== undefined && !schema.anyOf.some((one) => fits(value, one))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(String(value))) return false;
  if (typeof value === 'string') {
    return schema.pattern === undefined || new RegExp(schema.pattern).test(value);
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema;
    const { maximum = Infinity, exclusiveMaximum = Infinity } = schema;
    const isBelow = value <= maximum && value < exclusiveMaximum;
    return value >= minimum && value > exclusiveMinimum && isBelow;
  }
  if (Array.isArray(value)) return value.every((item) => fits(item, schema.items ?? {}));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => {
    const known = schema.properties?.[key] ?? schema.additionalProperties ?? {};
    return typeof known === 'boolean' ? known : fits(inner, known);
  });
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/** Says whether Plimsoll accepts a value, apart from conflicts with other values. */
function isTaken(name: string, value: unknown): boolean {
  return parseSettings({ ...defaults, [name]: value }).ok;
}

/** The values that only one of the two accepts. */
function differences(
  name: string,
  wrapped: (value: unknown) => unknown,
  values = VALUES,
): readonly unknown[] {
  const schema = properties[name]!;
  return values
    .map(wrapped)
    .filter((value) => fits(value, schema) !== isTaken(name, value))
    .filter((value) => !(CLOSER[name] ?? []).includes(value));
}

/** Settings that a workspace must not make: servers, commands, outside files, rules, limits, secrets. */
const USER_ONLY = [
  'plimsoll.approvals',
  'plimsoll.baseUrl',
  'plimsoll.commands.environment',
  'plimsoll.memory.profile',
  'plimsoll.provider',
  'plimsoll.secrets.mask',
  'plimsoll.sessions.onClose',
  'plimsoll.sessions.onCloseCommand',
  'plimsoll.telemetry.otlpEndpoint',
  'plimsoll.turn.maxCost',
  'plimsoll.turn.maxSteps',
  'plimsoll.turn.maxTokens',
];

describe('the settings that package.json offers', () => {
  it('are read from the user settings if they name a server, a command, an outside file, a rule, a limit or secrets', () => {
    const scoped = Object.entries(properties).filter(([, { scope }]) => scope === 'application');
    expect(scoped.map(([name]) => name).toSorted()).toEqual(USER_ONLY);
    for (const name of ['model', 'effort', 'thinking.mode']) {
      expect(properties[`plimsoll.${name}`], name).not.toHaveProperty('scope');
    }
  });

  it('show the nine that matter first', () => {
    expect(Object.keys(SETTINGS_SECTIONS[0]?.properties ?? {})).toEqual([
      'plimsoll.provider',
      'plimsoll.model',
      'plimsoll.context.windowTokens',
      'plimsoll.context.highWatermark',
      'plimsoll.context.lowWatermark',
      'plimsoll.context.maxReplyTokens',
      'plimsoll.context.policy',
      'plimsoll.context.compaction',
      'plimsoll.approvals',
    ]);
  });

  it('are those of the shape', () => {
    expect(Object.keys(properties).toSorted()).toEqual([...SETTING_NAMES].toSorted());
  });

  it('have the defaults of the shape', () => {
    expect(parseSettings(defaults)).toEqual({ ok: true, settings: DEFAULT_SETTINGS });
  });

  it.each(SETTING_NAMES)('accept and refuse the same values: %s', (name) => {
    expect(differences(name, (value) => value)).toEqual([]);
  });

  it.each([...Object.keys(DEFAULT_SETTINGS.context.server), 'another'])(
    'accept and refuse the same values inside plimsoll.context.server: %s',
    (key) => {
      expect(differences('plimsoll.context.server', (value) => ({ [key]: value }))).toEqual([]);
      const part = properties['plimsoll.context.server']?.properties?.[key];
      expect(part?.default).toEqual(Reflect.get(DEFAULT_SETTINGS.context.server, key));
    },
  );

  it.each([...Object.keys(ADVANCED), 'another'])(
    'accept and refuse the same values inside plimsoll.advanced: %s',
    (key) => {
      expect(differences('plimsoll.advanced', (value) => ({ [key]: value }))).toEqual([]);
      const schema = properties['plimsoll.advanced']?.properties?.[key];
      const set = properties['plimsoll.advanced']?.default as Readonly<Record<string, unknown>>;
      expect(schema?.default).toEqual(set[key]);
    },
  );

  it.each([
    'windowTokens',
    'maxReplyTokens',
    'highWatermark',
    'lowWatermark',
    'prepareWatermark',
    'another',
  ])('accept and refuse the same values for one model: %s', (key) => {
    const forModel = (value: unknown) => ({ 'claude-*': { [key]: value } });
    expect(differences('plimsoll.context.models', forModel)).toEqual([]);
  });

  it('accept some values and refuse others', () => {
    for (const name of SETTING_NAMES) {
      const taken = VALUES.filter((value) => isTaken(name, value));
      expect(taken.length, name).toBeGreaterThan(0);
      expect(taken.length, name).toBeLessThan(VALUES.length);
    }
  });
});
