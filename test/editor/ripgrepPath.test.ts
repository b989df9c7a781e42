import { describe, expect, it } from 'vitest';
import { ripgrepPath } from '../../src/editor/ripgrepPath';

describe('ripgrep', () => {
  const find = (...there: readonly string[]) =>
    ripgrepPath({
      appRoot: '/code',
      platform: 'linux',
      arch: 'x64',
      exists: (path) => there.includes(path),
    });
  const UNIVERSAL = '/code/node_modules/@vscode/ripgrep-universal/bin/linux-x64/rg';
  const PACKED = '/code/node_modules.asar.unpacked/@vscode/ripgrep/bin/rg';

  it('is found in the folder of this version of VS Code or an older one', () => {
    expect(find(UNIVERSAL, PACKED)).toBe(UNIVERSAL);
    expect(find(PACKED)).toBe(PACKED);
    expect(find()).toBeUndefined();
  });
});
