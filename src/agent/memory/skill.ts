import { visiblePath } from '../../contextWindow/visibleText';
import { frontMatterOf } from './frontMatter';
import { unknownKeys } from './instructionForms';

/** The folders of skills, each skill in a folder of its own. */
export const SKILL_FOLDERS = ['.claude/skills', '.github/skills'] as const;

export const SKILL_FILE = 'SKILL.md';

/** What every request says of a skill; its text is read on demand. */
export interface Skill {
  readonly name: string;
  readonly description: string;
}

const KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'version'];
const ONLY_BY_USER = 'disable-model-invocation';

/** Longest description that is sent; characters. */
const LONGEST_DESCRIPTION = 1_024;

/** Reads a skill's name and description; undefined for one that is not offered. */
export function skillIn(
  path: string,
  text: string,
): { readonly skill: Skill | undefined; readonly unsupported: readonly string[] } {
  const { fields } = frontMatterOf(text);
  const unknown = unknownKeys(path, [...fields.keys()], [...KEYS, ONLY_BY_USER]);
  const left = (why: string) => ({
    skill: undefined,
    unsupported: [...unknown, `${visiblePath(path)} ${why}: mention it with @ to use it.`],
  });
  if (fields.get(ONLY_BY_USER)?.[0] === 'true') return left('is not offered to the agent');
  const description = (fields.get('description') ?? []).join(' ').slice(0, LONGEST_DESCRIPTION);
  if (description.trim() === '') return left('has no description and is not offered');
  const folder = path.split('/').at(-2) ?? '';
  const named = fields.get('name')?.[0] ?? '';
  const name = (/^[\w.-]{1,64}$/.test(named) ? named : folder).replace(/[^\p{L}\p{N}_.-]+/gu, '-');
  return { skill: { name, description: description.toWellFormed() }, unsupported: unknown };
}
