import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { frontMatterOf, globsIn } from '../../src/agent/memory/frontMatter';
import { importsIn } from '../../src/agent/memory/instructionForms';
import { lastingKind } from '../../src/agent/lastingFiles';
import { calls, says } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';
import { agentIn, eventsOf, notes, notices, reads, told } from './support/memoryAgent';

const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

async function toldIn(files: Record<string, string>) {
  const agent = agentIn(tempFolder(files), [says('Yes.'), says('Yes.')]);
  await agent.run('hello');
  return agent;
}

describe('instruction files of other agents', () => {
  it('follow the system prompt when they apply to all files', async () => {
    const agent = await toldIn({
      'AGENTS.md': 'Agents.',
      '.claude/CLAUDE.md': 'Claude.',
      '.claude/rules/deep/style.md': 'Style.',
      '.clinerules/01-cline.md': 'Cline.',
      '.clinerules/notes.txt': 'Notes.',
      '.cursor/rules/always.mdc': '---\nalwaysApply: true\nglobs: *.ts\n---\nAlways.',
      '.github/copilot-instructions.md': 'Copilot.',
      '.github/instructions/all.instructions.md': "---\napplyTo: '**'\n---\nAll.",
      '.plimsoll/memory.md': '- Own.\n',
      'CLAUDE.local.md': 'Local.',
    });
    expect(paths(told(agent))).toEqual([
      'AGENTS.md',
      '.claude/CLAUDE.md',
      'CLAUDE.local.md',
      '.github/copilot-instructions.md',
      '.claude/rules/deep/style.md',
      '.github/instructions/all.instructions.md',
      '.cursor/rules/always.mdc',
      '.clinerules/01-cline.md',
      '.clinerules/notes.txt',
      '.plimsoll/memory.md',
    ]);
    expect(notices(agent)).toEqual([]);
  });

  it('may be one file named .clinerules', async () => {
    expect(paths(told(await toldIn({ '.clinerules': 'Cline.' })))).toEqual(['.clinerules']);
  });

  it('follow the results of the first step that reads a matching file, and keep the prefix', async () => {
    const root = tempFolder({
      '.claude/rules/ts.md': '---\npaths:\n  - "src/**/*.{ts,tsx}"\n---\nNo any.',
      '.github/instructions/py.instructions.md': '---\napplyTo: "**/*.py, **/*.ts"\n---\nTests.',
      '.cursor/rules/css.mdc': '---\nglobs: *.css,*.ts\nalwaysApply: false\n---\nColours.',
      '.cursor/rules/go.mdc': '---\nglobs: *.go\n---\nGo.',
      'src/a.ts': 'a',
      'src/b.ts': 'b',
      'README.txt': 'r',
    });
    const agent = agentIn(root, [
      calls([reads('toolu_1', 'README.txt')]),
      calls([reads('toolu_2', 'src/a.ts')]),
      calls([reads('toolu_3', 'src/b.ts')]),
      says('Done.'),
    ]);
    await agent.run('look');
    expect(notes(agent)).toEqual([
      '.claude/rules/ts.md',
      '.github/instructions/py.instructions.md',
      '.cursor/rules/css.mdc',
    ]);
    expect(eventsOf(agent, 'preambleSet')).toHaveLength(1);
    expect(eventsOf(agent, 'noteAdded')[0]!.source).toMatchObject({ globs: ['src/**/*.{ts,tsx}'] });
    const [before, after] = [agent.requests[1]!, agent.requests[2]!];
    expect(after.system).toEqual(before.system);
    expect(JSON.stringify(after.messages.at(-1))).toContain(
      'Applies to files that match src/**/*.{ts,tsx}.',
    );
    expect(JSON.stringify(before.messages)).not.toContain('No any.');
  });

  it('report once what is not supported', async () => {
    const agent = await toldIn({
      '.claude/rules/a.md': '---\nmodel: opus\n---\nRule.',
      '.cursor/rules/b.mdc': '---\ndescription: Only on request\n---\nManual.',
    });
    await agent.run('again');
    expect(paths(told(agent))).toEqual(['.claude/rules/a.md']);
    expect(notices(agent)).toEqual([
      'Plimsoll does not support model in .claude/rules/a.md and ignores it.',
      '.cursor/rules/b.mdc has no globs and is not sent: mention it with @ to use it.',
    ]);
  });

  it('wait for approval when they appear during the session', async () => {
    const root = tempFolder({ 'AGENTS.md': 'Agents.' });
    const agent = agentIn(root, [says('One.'), says('Two.')], {
      approve: () => Promise.resolve({ approved: false }),
    });
    await agent.run('a');
    writeFileSync(join(root, '.clinerules'), 'Obey.');
    await agent.run('b');
    expect(paths(told(agent))).toEqual(['AGENTS.md']);
    expect(eventsOf(agent, 'memoryAnswered')).toMatchObject([
      { path: '.clinerules', allowed: false },
    ]);
  });

  it('are not read through links out of the workspace', async () => {
    const outside = tempFolder({ 'rules/a.md': 'Outside.' });
    const root = tempFolder({ '.claude/settings.json': '{}' });
    symlinkSync(join(outside, 'rules'), join(root, '.claude/rules'));
    const agent = agentIn(root, [says('Yes.')]);
    await agent.run('hello');
    expect(told(agent)).toEqual([]);
  });

  it('are at most 50 of one folder', async () => {
    const rules = Array.from({ length: 51 }, (_, at) => [
      `.claude/rules/r${at + 100}.md`,
      `R${at}`,
    ]);
    const agent = await toldIn(Object.fromEntries(rules) as Record<string, string>);
    expect(told(agent)).toHaveLength(50);
    expect(notices(agent)).toEqual([
      'Plimsoll reads 50 files of .claude/rules; the others are not used.',
    ]);
  });

  it('report hooks and permissions of another agent once, which do not hold here', async () => {
    const root = tempFolder({
      '.claude/settings.json':
        '{"hooks":{"PreToolUse":[{}]},"permissions":{"deny":["Read(.env)"]}}',
      '.claude/settings.local.json': '{"hooks":{},"permissions":[',
    });
    const agent = agentIn(root, [says('One.'), says('Two.')]);
    await agent.run('a');
    await agent.run('b');
    expect(told(agent)).toEqual([]);
    expect(notices(agent)).toEqual([
      'Plimsoll does not use the hooks and permissions in .claude/settings.json.',
    ]);
  });

  it('outlast the session', () => {
    const files = [
      'web/AGENTS.md',
      '.claude/rules/a.md',
      '.github/copilot-instructions.md',
      '.github/instructions/a.instructions.md',
      '.cursor/rules/a.mdc',
      '.clinerules/a.md',
    ];
    expect(files.map(lastingKind)).toEqual(files.map(() => 'instructions'));
  });
});

describe('imports of a CLAUDE.md', () => {
  it('are files of their own, followed four times, each once', async () => {
    const agent = await toldIn({
      'CLAUDE.md': 'See @docs/1.md.',
      'docs/1.md': 'One, @2.md and @../CLAUDE.md',
      'docs/2.md': 'Two, @./3.md',
      'docs/3.md': 'Three, @4.md',
      'docs/4.md': 'Four, @5.md',
      'docs/5.md': 'Five.',
    });
    expect(paths(told(agent))).toEqual([
      'CLAUDE.md',
      'docs/1.md',
      'docs/2.md',
      'docs/3.md',
      'docs/4.md',
    ]);
    expect(notices(agent)).toEqual([
      'Imports are followed 4 times: docs/5.md, imported by docs/4.md, is not used.',
    ]);
  });

  it('are never read outside the workspace', async () => {
    const agent = await toldIn({ 'CLAUDE.md': '@~/own.md @../x.md @/etc/hosts @missing.md' });
    expect(paths(told(agent))).toEqual(['CLAUDE.md']);
    expect(notices(agent)).toEqual([
      'Left out of the project memory: CLAUDE.md imports ~/own.md, which is outside the workspace.',
      'Left out of the project memory: CLAUDE.md imports ../x.md, which is outside the workspace.',
      'Left out of the project memory: CLAUDE.md imports /etc/hosts, which is outside the workspace.',
    ]);
  });

  it('are not names in code, addresses, or words without a dot or slash', () => {
    const text = 'a@b.com `@x.md` @param @y.md\n```\n@z.md\n```\n@dir/file';
    expect(importsIn(text)).toEqual(['y.md', 'dir/file']);
  });
});

describe('front matter', () => {
  it('has texts, lists, and globs that are not YAML', () => {
    const text =
      "---\na: 'x, y' # why\nb: [\"p\", q]\nc:\n  - one\n  - 'two'\nd: >\n  long\n  text\ne: **/*.ts,*.{js,mjs}\n---\n\nBody";
    const { fields, body } = frontMatterOf(text);
    expect(Object.fromEntries(fields)).toEqual({
      a: ['x, y'],
      b: ['p', 'q'],
      c: ['one', 'two'],
      d: ['long text'],
      e: ['**/*.ts,*.{js,mjs}'],
    });
    expect(globsIn(fields.get('e')!)).toEqual(['**/*.ts', '*.{js,mjs}']);
    expect(body).toBe('Body');
    expect(frontMatterOf('---\nnever closed').body).toBe('---\nnever closed');
  });
});
