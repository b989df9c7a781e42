import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validWith } from './inspecting';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    };
  };
};

/** Every setting by its full name, with the default package.json has. */
export const PACKAGE_DEFAULTS = Object.fromEntries(
  Object.entries(manifest.contributes.configuration.properties).map(([name, setting]) => [
    name,
    setting.default,
  ]),
);

/** An input budget of 1,000 tokens, which a drawing of so many dots fills by as much. */
export const VALID = validWith({
  windowTokens: 1_001,
  maxReplyTokens: 1,
  safetyHeadroomTokens: 0,
  toolResultHeadroomTokens: 0,
  summariser: 'off',
});
