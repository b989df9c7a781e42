import { describe, expect, it, vi } from 'vitest';
import { ApiKey } from '../../../src/editor/model/apiKey';

const { window } = vi.hoisted(() => ({
  window: { showInputBox: vi.fn(), showWarningMessage: vi.fn() },
}));
vi.mock('vscode', () => ({ window }));

const OTHER = 'https://gateway.example';

/** A secret storage with a key for Anthropic. */
function stored() {
  const kept = new Map([['plimsoll.anthropicApiKey', 'sk-ant-only-for-this-test']]);
  const secrets = {
    get: async (name: string) => kept.get(name),
    store: async (name: string, value: string) => void kept.set(name, value),
    delete: async (name: string) => void kept.delete(name),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return new ApiKey(secrets as unknown as ConstructorParameters<typeof ApiKey>[0], {});
}

describe('a question about the key', () => {
  it('is asked once for sessions that need the answer at the same time', async () => {
    const key = stored();
    window.showWarningMessage.mockResolvedValue('Send It There');
    expect(await Promise.all([key.mayGoTo(OTHER), key.mayGoTo(OTHER)])).toEqual([true, true]);
    expect(window.showWarningMessage).toHaveBeenCalledTimes(1);
    expect(await key.mayGoTo(OTHER)).toBe(true);
    expect(window.showWarningMessage).toHaveBeenCalledTimes(1);
  });

  it('opens one field for the key, however often it is asked for', async () => {
    const key = stored();
    window.showInputBox.mockResolvedValue(' sk-ant-another ');
    expect(await Promise.all([key.askAndStore(OTHER), key.askAndStore(OTHER)])).toEqual([
      true,
      true,
    ]);
    expect(window.showInputBox).toHaveBeenCalledTimes(1);
    expect(await key.readFor(OTHER)).toEqual({ apiKey: 'sk-ant-another', mayGo: true });
  });
});
