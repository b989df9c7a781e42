import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of a setting's schema in package.json that tests check. */
export interface SettingSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly anyOf?: readonly SettingSchema[];
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: boolean | SettingSchema;
  readonly default?: unknown;
  readonly scope?: string;
  readonly markdownDescription?: string;
}

export interface SettingsSection {
  readonly title: string;
  readonly properties: Readonly<Record<string, SettingSchema>>;
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  readonly contributes: { readonly configuration: readonly SettingsSection[] };
};

/** The sections of the settings in package.json. */
export const SETTINGS_SECTIONS = manifest.contributes.configuration;

/** Every setting in package.json, by its full name. */
export const PACKAGE_SETTINGS: Readonly<Record<string, SettingSchema>> = Object.assign(
  {},
  ...SETTINGS_SECTIONS.map(({ properties }) => properties),
);

/** The default of every setting in package.json, by its full name. */
export const PACKAGE_DEFAULTS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(PACKAGE_SETTINGS).map(([name, schema]) => [name, schema.default]),
);

/** The defaults with changes, where `plimsoll.advanced.keepTurns` names a key of the object. */
export function withSettings(change: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const raw: Record<string, unknown> = { ...PACKAGE_DEFAULTS };
  for (const [name, value] of Object.entries(change)) {
    const [, key] = /^plimsoll\.advanced\.(\w+)$/.exec(name) ?? [];
    if (key === undefined) raw[name] = value;
    else raw['plimsoll.advanced'] = { ...(raw['plimsoll.advanced'] as object), [key]: value };
  }
  return raw;
}
