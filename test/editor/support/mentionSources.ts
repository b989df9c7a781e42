import { PromptAttachments } from '../../../src/editor/composer/promptAttachments';
import { Mentions, type MentionSources } from '../../../src/editor/composer/mentions';

/** The files of the workspace. */
export const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Loads',
  'src/loadLine.js': 'const load = 1;',
  'src/ship/hull.js': 'let hull;',
  'test/loadLine.test.js': 'it();',
};

/** Mention sources of a workspace and an editor; each can be replaced. */
export function mentionSources(parts: Partial<MentionSources> = {}): MentionSources {
  return {
    workspace: async () => ({
      readFile: async (path) => {
        const text = FILES[path];
        return text === undefined
          ? { ok: false, message: `${path} does not exist.` }
          : { ok: true, text };
      },
      listFiles: async ({ path, limit }) => {
        const paths = Object.keys(FILES).filter(
          (one) => path === '.' || one.startsWith(`${path}/`),
        );
        return { ok: true, paths: paths.slice(0, limit), more: paths.length > limit };
      },
    }),
    media: async () => undefined,
    selection: () => undefined,
    problems: () => [],
    recent: () => [],
    symbols: async () => [],
    symbolText: async () => undefined,
    changes: async () => undefined,
    terminal: async () => ({ ok: false, message: 'There is no terminal.' }),
    hasTerminal: () => false,
    fetchPage: async (url) => ({ ok: true, text: `the page at ${url}` }),
    now: () => 0,
    ...parts,
  };
}

/** Attachments of a prompt in which every character is a token. */
export function promptAttachments(
  changed: () => void = () => undefined,
  sources: Partial<MentionSources> = {},
): PromptAttachments {
  const estimator = {
    warm: async () => undefined,
    estimate: (text: string) => text.length,
    media: () => 1_000,
  };
  return new PromptAttachments(new Mentions(mentionSources(sources)), { estimator }, changed);
}
