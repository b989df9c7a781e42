import { refused, type Result } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { frontMatterOf } from './frontMatter';
import { unknownKeys } from './instructionForms';

/** A folder of prompts that the user calls by name; other agents have them too. */
interface CommandForm {
  readonly folder: string;
  /** The end of the names of its files. */
  readonly suffix: string;
}

/** The documented forms; of two commands with one name the first keeps it. */
export const COMMAND_FORMS: readonly CommandForm[] = [
  { folder: '.plimsoll/commands', suffix: '.md' },
  { folder: '.claude/commands', suffix: '.md' },
  { folder: '.github/prompts', suffix: '.prompt.md' },
];

/** The keys that are understood, or that only describe a file. */
const KEYS = ['description', 'argument-hint', 'name'];

/** A prompt in a file, called as `/name arguments`. */
export interface CustomCommand {
  /** Without the slash; folders are separated by colons. */
  readonly name: string;
  readonly path: string;
  /** '' if the file has none. */
  readonly description: string;
  /** The arguments it takes, for the user: "[file] [line]"; '' for none. */
  readonly hint: string;
  readonly body: string;
  /** What of the file is not supported, as sentences. */
  readonly unsupported: readonly string[];
}

/** Longest command file; characters. */
const LONGEST_COMMAND = 24_000;
/** Longest description or hint that a list shows; characters. */
const LONGEST_SHOWN = 200;

/** The variables of VS Code's prompts, each with its name and placeholder. */
const INPUT = /\$\{input:([\w-]+)(?::([^}\n]*))?\}/g;

/** Reads a command from its file. */
export function customCommand(form: CommandForm, path: string, text: string): CustomCommand {
  const { fields, body } = frontMatterOf(text);
  const said = (key: string) =>
    visibleLine((fields.get(key) ?? []).join(', ').slice(0, LONGEST_SHOWN));
  const inputs = inputsIn(body).map(({ name }) => `[${name}]`);
  const shell = /(^|\s)!`[^`\n]+`/.test(body)
    ? [`Plimsoll does not run the ! lines of ${visibleLine(path)}: the agent reads them as text.`]
    : [];
  // A list such as [file] is the usual form of a hint.
  const listed = fields.get('argument-hint') ?? [];
  const hint = /^argument-hint:\s*\[/m.test(text)
    ? `[${listed.join(', ')}]`
    : said('argument-hint');
  return {
    name: nameOf(form, path),
    path,
    description: said('description'),
    hint: visibleLine(hint.slice(0, LONGEST_SHOWN)) || inputs.join(' '),
    body,
    unsupported: [...unknownKeys(path, [...fields.keys()], KEYS), ...shell],
  };
}

/** `frontend:test` for `frontend/test.md`; any character that is awkward to type becomes a hyphen. */
function nameOf({ folder, suffix }: CommandForm, path: string): string {
  const words = path.slice(folder.length + 1, -suffix.length).split('/');
  return words.map((word) => word.replace(/[^\p{L}\p{N}_.-]+/gu, '-')).join(':');
}

/**
 * The commands with names of their own. One whose name is `taken`, or that an earlier one has, is
 * called by its folder of the workspace, if there are several, or by its agent's too:
 * `server:review`, `claude:review`.
 */
export function withOwnNames(
  commands: readonly CustomCommand[],
  taken: ReadonlySet<string>,
): readonly CustomCommand[] {
  const used = new Set(taken);
  return commands.flatMap((command) => {
    const names = command.path.split('/');
    const at = names.findIndex((one) => one.startsWith('.'));
    const owners = [names.slice(0, at).join('-'), names[at]?.slice(1) ?? ''];
    const longer = owners.filter((one) => one !== '').map((one) => `${one}:${command.name}`);
    const name = [command.name, ...longer].find((one) => !used.has(one));
    if (name === undefined) return [];
    used.add(name);
    return [{ ...command, name }];
  });
}

/** The name and the arguments of a prompt that calls a command; undefined for another prompt. */
export function calledIn(
  typed: string,
): { readonly name: string; readonly given: string } | undefined {
  const [, name, given = ''] = /^\/([^\s/]+)(?:\s+([^]*))?$/.exec(typed.trim()) ?? [];
  return name === undefined ? undefined : { name, given };
}

/** The text of a command with its arguments, or why it cannot be sent. */
export function expanded(
  { name, path, body }: CustomCommand,
  given: string,
): Result<{ readonly text: string }> {
  if (body.length > LONGEST_COMMAND) {
    const [has, most] = [body.length, LONGEST_COMMAND].map((one) => one.toLocaleString('en-US'));
    return refused(
      `/${name} was not sent: ${visibleLine(path)} has ${has} characters, and the limit is ${most}.`,
    );
  }
  const words = wordsOf(given);
  const inputs = inputValues(inputsIn(body), words, given);
  const missing = inputsIn(body).filter((input) => !inputs.has(input.name));
  if (missing.length > 0) {
    const named = missing.map((input) =>
      input.about === '' ? input.name : `${input.name} (${visibleLine(input.about)})`,
    );
    const [first] = missing;
    return refused(
      `/${name} was not sent: it needs ${named.join(', ')}. Add ${first?.name}=… after its name.`,
    );
  }
  // In one go, so that an argument that looks like a variable stays as it was typed.
  const variable = new RegExp(`${INPUT.source}|\\$(ARGUMENTS\\b|[1-9](?!\\d))`, 'g');
  const text = body.replace(variable, (whole, input?: string, _about?: string, which?: string) => {
    if (input !== undefined) return inputs.get(input) ?? whole;
    return which === 'ARGUMENTS' ? given : (words[Number(which) - 1] ?? '');
  });
  return { ok: true, text };
}

interface Input {
  readonly name: string;
  readonly about: string;
}

/** The inputs that a body asks for, each once. */
function inputsIn(body: string): readonly Input[] {
  const found = new Map<string, string>();
  for (const [, name = '', about = ''] of body.matchAll(INPUT)) {
    if (!found.get(name)) found.set(name, about.slice(0, LONGEST_SHOWN));
  }
  return [...found].map(([name, about]) => ({ name, about }));
}

/** The value of each input: `name=value`, else the next word; a single input takes all that was typed. */
function inputValues(
  inputs: readonly Input[],
  words: readonly string[],
  given: string,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const rest: string[] = [];
  for (const word of words) {
    const [, name = '', value = ''] = /^([\w-]+)=([^]*)$/.exec(word) ?? [];
    if (inputs.some((input) => input.name === name)) values.set(name, value);
    else rest.push(word);
  }
  const open = inputs.filter(({ name }) => !values.has(name));
  const [only] = inputs;
  if (inputs.length === 1 && only !== undefined && open.length === 1 && rest.length > 0) {
    return new Map([[only.name, given]]);
  }
  for (const [index, { name }] of open.entries()) {
    const value = rest[index];
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The words of the arguments; quotes keep several words together, also after `name=`. */
function wordsOf(given: string): readonly string[] {
  return [...given.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*'|["'])+/g)].map(([word]) =>
    word.replace(
      /"([^"]*)"|'([^']*)'/g,
      (_whole, one?: string, other?: string) => one ?? other ?? '',
    ),
  );
}
