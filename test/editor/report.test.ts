import { afterEach, describe, expect, it, vi } from 'vitest';
import { SECRET_MARK } from '../../src/agent/secrets/knownSecrets';
import { ScriptedEditor } from './support/scriptedEditor';

/** A report with a visible channel. */
async function report() {
  const editor = new ScriptedEditor();
  vi.resetModules();
  vi.doMock('vscode', () => editor.module);
  const { Report } = await import('../../src/editor/report');
  // The secrets exist once for each load of the modules.
  const secrets = await import('../../src/agent/secrets/knownSecrets');
  return { editor, report: new Report(), keep: secrets.keepSecret };
}

afterEach(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

describe('the output channel', () => {
  it('gets each message at its level', async () => {
    const { editor, report: channel } = await report();
    channel.trace('one');
    channel.debug('two');
    channel.info('three');
    channel.warn('four');
    channel.log('five');
    channel.show();
    expect(editor.logged).toEqual([
      'trace: one',
      'debug: two',
      'info: three',
      'warn: four',
      'error: five',
      'shown',
    ]);
  });

  it('masks a key at every level', async () => {
    const { editor, report: channel, keep } = await report();
    keep('sk-ant-0123456789');
    const levels = ['trace', 'debug', 'info', 'warn', 'log'] as const;
    for (const level of levels) channel[level]('sent sk-ant-0123456789');
    channel.bug(new Error('sk-ant-0123456789'));
    expect(editor.logged.join('\n')).not.toContain('sk-ant-0123456789');
    expect(editor.logged.filter((line) => line.includes(SECRET_MARK))).toHaveLength(6);
    expect(editor.errors.join()).not.toContain('sk-ant');
  });

  it('remembers the kinds of the last ten errors, not their messages', async () => {
    const { report: channel } = await report();
    channel.log(new Error('the first'));
    for (let at = 0; at < 10; at += 1) channel.log(new TypeError(`/home/me/${at}`));
    expect(channel.errorKinds).toEqual(Array.from({ length: 10 }, () => 'TypeError'));
  });
});
