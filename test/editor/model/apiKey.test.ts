import { describe, expect, it, vi } from 'vitest';
import { ApiKey } from '../../../src/editor/model/apiKey';

const { window } = vi.hoisted(() => ({
  window: { createInputBox: vi.fn(), showWarningMessage: vi.fn(), showInformationMessage: vi.fn() },
}));
vi.mock('vscode', () => ({ window, ThemeIcon: class {} }));

/** VS Code's field, with the user at it. */
function field() {
  const on = { accept: async () => {}, hide: () => {}, button: () => {} };
  const box = {
    value: '',
    prompt: '',
    enabled: true,
    validationMessage: undefined as string | undefined,
    isGone: false,
    onDidHide: (listener: () => void) => void (on.hide = listener),
    onDidTriggerButton: (listener: () => void) => void (on.button = listener),
    onDidChangeValue: () => undefined,
    onDidAccept: (listener: () => Promise<void>) => void (on.accept = listener),
    show: () => undefined,
    dispose: () => {
      box.isGone = true;
    },
  };
  window.createInputBox.mockReset().mockReturnValue(box);
  const enter = (value: string): Promise<void> => {
    box.value = value;
    return on.accept();
  };
  return { box, on, enter };
}

const accepted = async () => ({ type: 'accepted' }) as const;

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
    const { enter } = field();
    const asked = Promise.all([key.askAndStore(OTHER, accepted), key.askAndStore(OTHER, accepted)]);
    await enter(' sk-ant-another ');
    expect(await asked).toEqual(['stored', 'stored']);
    expect(window.createInputBox).toHaveBeenCalledTimes(1);
    expect(await key.readFor(OTHER)).toEqual({ apiKey: 'sk-ant-another', mayGo: true });
  });
});

describe('a server without a key', () => {
  it('gets none, and is not asked about, once the user says so', async () => {
    const key = stored();
    window.showWarningMessage.mockReset().mockResolvedValue('Use It Without a Key');
    expect(await key.mayGoTo(OTHER)).toBe(true);
    const none = { apiKey: undefined, mayGo: true, isKeyless: true };
    expect(await key.readFor(OTHER)).toEqual(none);
    expect(await key.mayGoTo(OTHER)).toBe(true);
    expect(window.showWarningMessage).toHaveBeenCalledTimes(1);
    const anthropic = await key.readFor('https://api.anthropic.com');
    expect(anthropic).toEqual({ apiKey: 'sk-ant-only-for-this-test', mayGo: true });
  });

  it('gets a key again once the user enters one for it', async () => {
    const key = stored();
    await key.useWithoutKey(OTHER);
    await key.useWithoutKey('http://localhost:11434');
    const { enter } = field();
    const asked = key.askAndStore(OTHER, accepted);
    await enter('sk-another');
    await asked;
    expect(await key.readFor(OTHER)).toEqual({ apiKey: 'sk-another', mayGo: true });
    expect(await key.readFor('http://localhost:11434')).toMatchObject({ isKeyless: true });
  });
});

describe('the field for the key', () => {
  const KEPT = { apiKey: 'sk-ant-only-for-this-test', mayGo: false };

  it('stays open and saves nothing while the server refuses the key', async () => {
    const key = stored();
    const { box, enter } = field();
    const asked = key.askAndStore(OTHER, async (typed) =>
      typed === 'sk-ant-right'
        ? { type: 'accepted' }
        : { type: 'refused', message: 'The server does not know it.' },
    );
    await enter('sk-ant-wrong');
    expect(box.validationMessage).toBe('The key was not saved: The server does not know it.');
    expect([box.isGone, box.enabled]).toEqual([false, true]);
    expect(await key.readFor(OTHER)).toEqual(KEPT);
    await enter('sk-ant-right');
    expect(await asked).toBe('stored');
    expect(window.showInformationMessage.mock.lastCall).toEqual([
      "The key is saved in VS Code's secret storage. gateway.example accepted it.",
    ]);
  });

  it.each([
    [
      'the server cannot be reached',
      async () => ({ type: 'unknown', message: 'No route.' }) as const,
    ],
    ['the check fails', () => Promise.reject(new Error('No route.'))],
  ])('saves the key and says that it was not checked, if %s', async (_, check) => {
    const key = stored();
    const { enter } = field();
    const asked = key.askAndStore(OTHER, check);
    await enter('sk-ant-another');
    expect(await asked).toBe('stored');
    expect(await key.readFor(OTHER)).toEqual({ apiKey: 'sk-ant-another', mayGo: true });
    expect(window.showWarningMessage.mock.lastCall?.[0]).toMatch(
      /could not be checked: No route\./,
    );
  });

  it('leads to another server, and saves nothing when it is closed', async () => {
    const key = stored();
    const { on } = field();
    const other = key.askAndStore(OTHER, accepted);
    on.button();
    expect(await other).toBe('otherServer');
    const closing = field();
    const closed = key.askAndStore(OTHER, accepted);
    closing.on.hide();
    expect(await closed).toBe('cancelled');
    expect(await key.readFor(OTHER)).toEqual(KEPT);
  });

  it('says that a key replaces that of another server', async () => {
    const key = stored();
    const { box, enter } = field();
    const asked = key.askAndStore(OTHER, accepted);
    await vi.waitFor(() =>
      expect(box.prompt).toMatch(/ It replaces your key for api\.anthropic\.com\.$/),
    );
    await enter('sk-another');
    await asked;
    const again = field();
    void key.askAndStore(OTHER, accepted);
    await key.readFor(OTHER);
    expect(again.box.prompt).not.toContain('replaces');
  });

  it('takes no blank key', async () => {
    const key = stored();
    const { box, enter } = field();
    void key.askAndStore(OTHER, accepted);
    await enter(' ');
    expect([box.validationMessage, box.isGone]).toEqual(['The key must not be blank.', false]);
  });
});
