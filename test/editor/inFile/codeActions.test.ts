import { beforeAll, expect, it, vi } from 'vitest';

const registered = vi.hoisted(() => [] as unknown[][]);

vi.mock('vscode', () => ({
  CodeAction: class {
    constructor(
      readonly title: string,
      readonly kind: string,
    ) {}
  },
  CodeActionKind: { QuickFix: 'quickfix', RefactorRewrite: 'refactor.rewrite' },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  languages: {
    registerCodeActionsProvider: (...given: unknown[]) => {
      registered.push(given);
      return { dispose: () => undefined };
    },
  },
}));

let actions: (range: boolean, severities: readonly number[], trigger: 1 | 2) => readonly string[];

beforeAll(async () => {
  vi.resetModules();
  const { registerCodeActions } = await import('../../../src/editor/inFile/codeActions');
  registerCodeActions();
  const [[selector, provider] = []] = registered;
  expect(selector).toEqual({ scheme: 'file' });
  const { provideCodeActions } = provider as { provideCodeActions(...given: unknown[]): Action[] };
  actions = (isSelected, severities, triggerKind) => {
    const diagnostics = severities.map((severity, line) => ({
      severity,
      range: { start: { line } },
    }));
    const given = [{ uri: 'a.ts' }, { isEmpty: !isSelected }, { diagnostics, triggerKind }];
    return provideCodeActions(...given).map(({ kind, title, command }) =>
      [kind, title, command.command, ...(command.arguments ?? [])].join(' '),
    );
  };
});

interface Action {
  readonly kind: string;
  readonly title: string;
  readonly command: { readonly command: string; readonly arguments?: readonly unknown[] };
}

it('offers Fix and Explain on an error or warning, with its line', () => {
  const both = [
    'quickfix Fix with Plimsoll plimsoll.fixProblem a.ts 2',
    'quickfix Explain with Plimsoll plimsoll.explain a.ts 2',
  ];
  expect(actions(false, [2, 0], 2)).toEqual(both);
  expect(actions(true, [3, 1], 2)).toEqual(both);
  expect(actions(false, [2, 3], 1)).toEqual([]);
});

it('offers Edit on a selection only if the user asks, so that no light bulb appears', () => {
  expect(actions(true, [], 1)).toEqual([
    'refactor.rewrite Edit with Plimsoll plimsoll.editSelection',
  ]);
  expect(actions(true, [], 2)).toEqual([]);
  expect(actions(false, [], 1)).toEqual([]);
});
