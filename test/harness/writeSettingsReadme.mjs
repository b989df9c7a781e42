// `npm run docs`: writes the settings reference into src/settings/README.md, from package.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const BEGIN =
  '<!-- Written by `npm run docs` from here on: change package.json, not this text. -->';
const END = '<!-- End of what `npm run docs` writes. -->';

/** Longest default in the overview, in characters. */
const LONGEST_DEFAULT = 30;

/**
 * Writes the reference of the settings between the two marks of a page, from the sections of
 * package.json, and formats the page.
 */
export async function settingsReadme(page, sections) {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`The page needs the lines ${BEGIN} and ${END}`);
  const head = page.slice(0, begin + BEGIN.length);
  const written = `${head}\n\n${settingsReference(sections)}\n\n${page.slice(end)}`;
  const style = await prettier.resolveConfig(fileURLToPath(import.meta.url));
  return prettier.format(written, { ...style, parser: 'markdown', proseWrap: 'always' });
}

function settingsReference(sections) {
  const all = Object.assign({}, ...sections.map(({ properties }) => properties));
  const rows = Object.entries(all).map(
    ([name, schema]) => `| ${linkTo(name)} | ${inOverview(schema)} |`,
  );
  const overview = ['| setting | default |', '| --- | --- |', ...rows].join('\n');
  const written = sections.flatMap(({ title, properties }) => [
    `### ${title}`,
    ...Object.entries(properties).map(([name, schema]) => entryOf(name, schema)),
  ]);
  return withLinks([overview, ...written].join('\n\n'), all);
}

function inOverview(schema) {
  if (deprecationOf(schema) !== undefined) return 'deprecated';
  const code = codeOf(schema.default);
  return code.length > LONGEST_DEFAULT ? 'an object' : code;
}

function entryOf(name, schema) {
  const deprecation = deprecationOf(schema);
  const details = [...choicesOf(schema), ...keysOf(schema)];
  return [
    `#### \`${name}\``,
    ...(deprecation === undefined ? [] : [`**Deprecated.** ${deprecation}`]),
    descriptionOf(schema),
    `${factsOf(schema)}${details.length > 0 ? ':' : '.'}`,
    ...(details.length > 0 ? [details.map((detail) => `- ${detail}`).join('\n')] : []),
  ].join('\n\n');
}

function factsOf(schema) {
  // In an object with known keys, each key lists its own default.
  const value = schema.properties === undefined ? `Default: ${codeOf(schema.default)}. ` : '';
  const where = ['machine', 'application'].includes(schema.scope)
    ? 'Read from your user settings only. '
    : '';
  const takes = choicesOf(schema).length > 0 ? 'one of these' : formOf(schema);
  return `${value}${where}Takes ${takes}`;
}

function choicesOf({ enum: choices, enumDescriptions }) {
  if (choices === undefined || enumDescriptions === undefined) return [];
  return choices.map((choice, index) => `\`${choice}\`: ${enumDescriptions[index]}`);
}

/** The keys of an object, or the keys of each of its values. */
function keysOf({ properties, additionalProperties }) {
  return Object.entries(properties ?? additionalProperties?.properties ?? {}).map(
    ([key, schema]) => {
      const value = schema.default === undefined ? '' : ` Default: ${codeOf(schema.default)}.`;
      return `\`${key}\`: ${descriptionOf(schema)}${value} Takes ${formOf(schema)}.`;
    },
  );
}

const FORMS = {
  boolean: () => '`true` or `false`',
  integer: (schema) => `a whole number${boundsOf(schema)}`,
  number: ({ anyOf, ...schema }) => {
    const kinds = (anyOf ?? [{}]).filter(({ type }) => type !== 'null');
    return kinds.map((kind) => FORMS_OF_NUMBER[kind.type ?? 'number'](schema, kind)).join(', or ');
  },
  string: ({ enum: choices, pattern, patternErrorMessage }) => {
    if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ');
    return pattern === undefined
      ? 'text'
      : clauseOf(patternErrorMessage ?? `text of the form ${pattern}`);
  },
  array: ({ items }) => (items?.type === 'string' ? 'a list of texts' : 'a list'),
  object: ({ properties }) =>
    properties === undefined
      ? 'an object, each of its values an object with any of these keys'
      : 'an object with any of these keys',
};

/** A number may have one of several types, each with its own bounds. */
const FORMS_OF_NUMBER = {
  integer: (_, kind) => `a whole number${boundsOf(kind)}`,
  number: (schema, kind) => `a number${boundsOf({ ...schema, ...kind })}`,
};

/** Describes the allowed values. */
function formOf(schema) {
  const types = [schema.type].flat();
  return types.map((type) => (type === 'null' ? '`null`' : FORMS[type](schema))).join(', or ');
}

function boundsOf({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) {
  const bounds = [
    ...(exclusiveMinimum === undefined ? [] : [`above ${number(exclusiveMinimum)}`]),
    ...(minimum === undefined ? [] : [`of at least ${number(minimum)}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${number(exclusiveMaximum)}`]),
    ...(maximum === undefined ? [] : [`of at most ${number(maximum)}`]),
  ];
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

function descriptionOf({ markdownDescription, description }) {
  return markdownDescription ?? description ?? '';
}

function deprecationOf({ markdownDeprecationMessage, deprecationMessage }) {
  return markdownDeprecationMessage ?? deprecationMessage;
}

/**
 * Links the settings that a text names, bare or as `#name#`, the link form of the settings editor.
 */
function withLinks(text, properties) {
  return text.replace(/`#([\w.]+)#`|(?<![\w.`#])plimsoll(?:\.\w+)+(?![\w`#])/g, (named, marked) => {
    const name = marked ?? named;
    return name in properties ? linkTo(name) : `\`${name}\``;
  });
}

function linkTo(name) {
  return `[\`${name}\`](#${name.toLowerCase().replaceAll('.', '')})`;
}

function codeOf(value) {
  return `\`${JSON.stringify(value)}\``;
}

/** Turns a sentence into the end of another one. */
function clauseOf(sentence) {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}

function number(value) {
  return value.toLocaleString('en-US');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = new URL('../../src/settings/README.md', import.meta.url);
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { configuration } = JSON.parse(manifest).contributes;
  writeFileSync(page, await settingsReadme(readFileSync(page, 'utf8'), configuration));
}
