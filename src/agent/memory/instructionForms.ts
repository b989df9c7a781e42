import { visiblePath } from '../../contextWindow/visibleText';
import { frontMatterOf, globsIn } from './frontMatter';

/** A folder of instruction files that other agents read too. */
export interface InstructionForm {
  readonly folder: string;
  /** The end of the names of its files. */
  readonly suffix: string;
  /** The key of the globs that limit a file to some paths. */
  readonly scope: string;
  /** The keys that are understood, or that only describe a file. */
  readonly keys: readonly string[];
}

/** The documented forms, in the order of the request. */
export const INSTRUCTION_FORMS: readonly InstructionForm[] = [
  { folder: '.claude/rules', suffix: '.md', scope: 'paths', keys: ['paths', 'description'] },
  {
    folder: '.github/instructions',
    suffix: '.instructions.md',
    scope: 'applyTo',
    keys: ['applyTo', 'name', 'description'],
  },
  {
    folder: '.cursor/rules',
    suffix: '.mdc',
    scope: 'globs',
    keys: ['globs', 'alwaysApply', 'description'],
  },
  { folder: '.clinerules', suffix: '.md', scope: 'paths', keys: ['paths', 'description'] },
  { folder: '.clinerules', suffix: '.txt', scope: 'paths', keys: ['paths', 'description'] },
];

/** When a file applies, and what of it is not supported, as sentences. */
interface Scope {
  /** `always`, `never` without being asked for, or to the paths that match one of the globs. */
  readonly applies: 'always' | 'never' | readonly string[];
  readonly unsupported: readonly string[];
}

/** Globs that match every file. */
const EVERYTHING: ReadonlySet<string> = new Set(['**', '**/*', '*']);

/** Reads from a file's front matter when it applies. */
export function scopeOf(form: InstructionForm, path: string, text: string): Scope {
  const { fields } = frontMatterOf(text);
  const unknown = unknownKeys(path, [...fields.keys()], form.keys);
  const globs = globsIn(fields.get(form.scope) ?? []);
  if (fields.get('alwaysApply')?.[0] === 'true' || globs.some((glob) => EVERYTHING.has(glob))) {
    return { applies: 'always', unsupported: unknown };
  }
  if (globs.length > 0) return { applies: globs, unsupported: unknown };
  const isOptional = form.scope === 'paths';
  if (isOptional) return { applies: 'always', unsupported: unknown };
  const why = `${visiblePath(path)} has no ${form.scope} and is not sent: mention it with @ to use it.`;
  return { applies: 'never', unsupported: [...unknown, why] };
}

/** Reports the keys of a file's front matter that Plimsoll does not support. */
export function unknownKeys(
  path: string,
  found: readonly string[],
  known: readonly string[],
): readonly string[] {
  const unknown = found.filter((key) => !known.includes(key));
  if (unknown.length === 0) return [];
  return [
    `Plimsoll does not support ${unknown.join(', ')} in ${visiblePath(path)} and ignores it.`,
  ];
}

/** How far `@imports` are followed from a file. */
export const MOST_HOPS = 4;

/**
 * The paths that a CLAUDE.md imports with `@path`, in their order. Code is no import, and neither is an address or a
 * name without a dot or slash, such as `@param`.
 */
export function importsIn(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '').replace(/`[^`\n]*`/g, '');
  const found = [...prose.matchAll(/(?<![^\s(])@((?:~|\.{1,2})?[\w./\\-]+)/g)].map(([, path]) =>
    (path ?? '').replace(/[.,]+$/, ''),
  );
  return [...new Set(found.filter((path) => /[./]/.test(path) && !path.startsWith('@')))];
}
