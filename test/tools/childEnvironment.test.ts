import { describe, expect, it } from 'vitest';
import { secretVariables, setLetThrough } from '../../src/agent/secrets/secretNames';
import { childEnvironment } from '../../src/tools/processes/childEnvironment';

describe('childEnvironment', () => {
  it("omits Plimsoll's secrets and the editor's internals, and keeps the rest", () => {
    const env = childEnvironment({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'sk',
      ANTHROPIC_BASE_URL: 'x',
      GITHUB_TOKEN: 'abc',
      DATABASE_URL: 'postgres://app:s3cretpw9@db.internal/app',
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
      NO_COLOR: '1',
      TERM: 'dumb',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    });
  });

  it('has the secrets that the user lets through', () => {
    const env = {
      GITHUB_TOKEN: 'abc',
      NPM_TOKEN: 'def',
      SSH_AUTH_SOCK: '/run/agent',
      EMPTY_KEY: '',
    };
    setLetThrough(['GITHUB_TOKEN']);
    try {
      const kept = childEnvironment(env);
      expect(kept).toMatchObject({ GITHUB_TOKEN: 'abc', SSH_AUTH_SOCK: '/run/agent' });
      expect(kept).not.toHaveProperty('NPM_TOKEN');
      expect(secretVariables(env)).toEqual([
        { name: 'GITHUB_TOKEN', isLetThrough: true },
        { name: 'NPM_TOKEN', isLetThrough: false },
      ]);
    } finally {
      setLetThrough([]);
    }
  });

  it("keeps the user's node options and askpass", () => {
    expect(
      childEnvironment({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' }),
    ).toMatchObject({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' });
  });
});
