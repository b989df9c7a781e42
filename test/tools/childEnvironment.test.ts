import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/tools/processes/childEnvironment';

describe('childEnvironment', () => {
  it("omits Plimsoll's secrets and the editor's internals, and keeps the rest", () => {
    const env = childEnvironment({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'sk',
      ANTHROPIC_BASE_URL: 'x',
      GITHUB_TOKEN: 'the user wants git to work',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      VSCODE_GIT_ASKPASS_MAIN: 'x',
      GIT_ASKPASS: 'x',
      FORCE_COLOR: '1',
      NODE_OPTIONS: '--require /x/ms-vscode.js-debug/bootloader.js',
      EMPTY: undefined,
    });
    expect(env).toEqual({
      PATH: '/bin',
      GITHUB_TOKEN: 'the user wants git to work',
      NO_COLOR: '1',
      TERM: 'dumb',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    });
  });

  it("keeps the user's node options and askpass", () => {
    expect(
      childEnvironment({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' }),
    ).toMatchObject({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' });
  });
});
