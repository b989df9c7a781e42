import { expect, it } from 'vitest';
import { KeptDraft } from '../../../src/editor/composer/keptDraft';

it('keeps the text being typed for the next window, and forgets it once it was sent', () => {
  const kept = new Map<string, unknown>();
  const memento = {
    get: <T>(key: string, otherwise?: T) => (kept.get(key) ?? otherwise) as T,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const inWindow = () =>
    new KeptDraft(memento as ConstructorParameters<typeof KeptDraft>[0], (work) => void work());
  inWindow().keep('While the agent works');
  expect(inWindow().text).toBe('While the agent works');
  inWindow().keep('');
  expect(inWindow().text).toBe('');
});
