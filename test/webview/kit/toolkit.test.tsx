// @vitest-environment happy-dom
import { render } from 'preact';
import { describe, expect, it } from 'vitest';
import { callKindOf } from '../../../src/contextWindow/callEffect';
import { callIcon } from '../../../webview/kit/icon';
import { Button } from '../../../webview/kit/toolkit';

function drawn(disabled: boolean) {
  const clicks: Event[] = [];
  const root = document.createElement('div');
  render(
    <Button label="New session" disabled={disabled} onClick={(event) => clicks.push(event)}>
      +
    </Button>,
    root,
  );
  const button = root.querySelector<HTMLElement>('vscode-button');
  button!.click();
  return { button: button!, clicks };
}

describe('a button', () => {
  it('acts on a click and carries its name', () => {
    const { button, clicks } = drawn(false);
    expect(clicks).toHaveLength(1);
    expect(button.getAttribute('aria-label')).toBe('New session');
    expect(button.title).toBe('New session');
    expect(button.hasAttribute('aria-disabled')).toBe(false);
  });

  it('does nothing while disabled, and says so', () => {
    const { button, clicks } = drawn(true);
    expect(clicks).toEqual([]);
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the icon of a tool call', () => {
  it('shows the purpose of a call of any agent', () => {
    const icon = (name: string) => callIcon(callKindOf({ name, input: {} }));
    expect(['read_file', 'Read', 'view'].map(icon)).toEqual(['file', 'file', 'file']);
    expect(['Bash', 'shell', 'execute_command'].map(icon)).toEqual(Array(3).fill('terminal'));
    expect(['Edit', 'apply_patch', 'WebFetch', 'Task'].map(icon)).toEqual([
      'edit',
      'edit',
      'fetch',
      'agent',
    ]);
    expect(icon('constructor')).toBe('tool');
  });
});
