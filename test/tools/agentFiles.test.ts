import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { findAgents } from '../../src/tools/files/agentFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { tempFolder } from './support/tempFolder';

const TOOLS = ['read_file', 'search_text', 'list_files', 'edit_file', 'create_file', 'run_command'];

function found(files: Readonly<Record<string, string>>) {
  return findAgents(makeNodeWorkspace({ folders: oneFolder(tempFolder(files)) }), TOOLS);
}

describe('files that describe sub-agents', () => {
  it('are those of Claude Code and of Copilot', async () => {
    const { agents, problems } = await found({
      '.claude/agents/reviewer.md':
        '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep, Bash\nmodel: haiku\ncolor: blue\n---\nBe strict.\n',
      '.github/agents/writer.agent.md': "---\ndescription: Writes.\ntools: ['edit']\n---\nWrite.",
    });
    expect(problems).toEqual([]);
    expect(agents).toEqual([
      {
        name: 'reviewer',
        description: 'Reviews changes.',
        instructions: 'Be strict.',
        model: 'haiku',
        tools: ['read_file', 'search_text', 'run_command'],
      },
      {
        name: 'writer',
        description: 'Writes.',
        instructions: 'Write.',
        tools: ['edit_file', 'create_file'],
      },
    ]);
  });

  it('that have no description or a taken name are not used, and the user hears why', async () => {
    const { agents, problems } = await found({
      '.claude/agents/a.md': 'Do it.',
      '.claude/agents/b.md': '---\nname: x\ndescription: One.\nmodel: inherit\n---\n',
      '.github/agents/c.md': '---\nname: x\ndescription: Two.\n---\n',
      '.github/agents/d.md': '---\ndescription: Four.\ntools: Telepathy\nhooks: none\n---\n',
    });
    expect(agents.map(({ name, description }) => [name, description])).toEqual([
      ['x', 'One.'],
      ['d', 'Four.'],
    ]);
    expect(agents[0]).not.toHaveProperty('model');
    expect(problems).toEqual([
      '.claude/agents/a.md is not used as a sub-agent: it has no description.',
      '.github/agents/c.md is not used: another file has its name.',
      'Plimsoll does not support hooks in .github/agents/d.md and ignores it.',
      'The sub-agent d works without Telepathy: there is no such tool.',
    ]);
  });
});
