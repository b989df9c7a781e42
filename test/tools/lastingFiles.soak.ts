import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { runCommand } from '../../src/tools/processes/runCommand';
import { call } from './support/callTool';
import { tempFolder } from './support/tempFolder';

describe.skipIf(process.platform === 'win32')('a workspace of 41,000 entries', () => {
  it('has its new hooks and instructions reported, and the user hears what was not checked', async () => {
    const root = tempFolder({ '.git/config': '' });
    execFileSync('bash', ['-c', 'mkdir big && cd big && touch {1..41000}'], { cwd: root });
    const command = 'mkdir .git/hooks; echo x > .git/hooks/pre-commit; echo x > AGENTS.md';
    const output = await call(
      runCommand,
      { command },
      makeNodeWorkspace({ folders: oneFolder(root) }),
    );
    expect(output.lasting).toEqual([
      { path: '.git/hooks/pre-commit', how: 'made' },
      { path: 'AGENTS.md', how: 'made' },
    ]);
    expect(output.notice).toContain('too many files to check all of them for new instructions');
    expect(output.text).toContain(`[${output.notice}]`);
  });
});
