import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  recordedFolder,
  withoutRecording,
  withRecording,
} from '../../../src/recordings/captures/claudeCodeSwitch';

const FOLDER = '/storage/requests/claude-code';
const LINE = '"OTEL_LOG_RAW_API_BODIES": "file:/storage/requests/claude-code"';

const on = (text: string | undefined) => {
  const changed = withRecording(text, FOLDER);
  if (!changed.ok) throw new Error(changed.message);
  return changed.text;
};
const off = (text: string) => {
  const changed = withoutRecording(text, FOLDER);
  if (!changed.ok) throw new Error(changed.message);
  return changed.text;
};

describe("the change of Claude Code's settings", () => {
  it('is one line, and undone it leaves every byte as it was', () => {
    const text = `{
    // My own.
    "model": "opus",
    "env": {
        "FOO": "1" /* kept */
    },
    "permissions": { "allow": ["Bash(ls)",], },
}
`;
    const added = on(text)
      .split('\n')
      .filter((line) => !text.includes(line));
    expect(added.join('\n')).toContain(LINE);
    expect(parse(on(text), [], { allowTrailingComma: true })).toMatchObject({
      model: 'opus',
      env: { FOO: '1', OTEL_LOG_RAW_API_BODIES: `file:${FOLDER}` },
    });
    expect(off(on(text))).toBe(text);
    expect(on(on(text))).toBe(on(text));
  });

  it.each([
    ['no file', undefined],
    ['an empty file', ''],
    ['an empty object', '{}\n'],
    ['settings without variables', '{\n\t"model": "opus"\n}\n'],
  ])('makes the variables where there are none: %s', (_, text) => {
    expect(parse(on(text)).env).toEqual({ OTEL_LOG_RAW_API_BODIES: `file:${FOLDER}` });
    expect(parse(off(on(text)))).toEqual(text ? parse(text) : {});
    expect(recordedFolder(on(text))).toBe(FOLDER);
  });

  it("keeps the file's indentation and line ends", () => {
    expect(on('{\r\n\t"model": "opus"\r\n}\r\n')).toContain('\r\n\t"env": {\r\n\t\t"OTEL');
    expect(on('{\n    "model": "opus"\n}\n')).toContain('\n    "env": {\n        "OTEL');
  });

  it.each([
    ['{ "model": ', /^line 1 is not JSON \(.+\)\. Repair it/],
    ['{\n  "a": 1,\n  b\n}', /^line 3 is not JSON/],
    ['[1]', /^it is not a JSON object\. Repair it/],
    ['{ "env": "x" }', /^its "env" is not an object\. Repair it/],
  ])('is refused for a file that cannot be read: %s', (text, message) => {
    for (const changed of [withRecording(text, FOLDER), withoutRecording(text, FOLDER)]) {
      expect(changed.ok).toBe(false);
      expect(!changed.ok && changed.message).toMatch(message);
    }
    expect(recordedFolder(text)).toBeUndefined();
  });

  it('leaves a variable alone that the user set', () => {
    const text = '{ "env": { "OTEL_LOG_RAW_API_BODIES": "file:/my/own" } }';
    const changed = withRecording(text, FOLDER);
    expect(!changed.ok && changed.message).toContain('already sets OTEL_LOG_RAW_API_BODIES');
    expect(off(text)).toBe(text);
    expect(recordedFolder(text)).toBe('/my/own');
    expect(recordedFolder('{ "env": { "OTEL_LOG_RAW_API_BODIES": "1" } }')).toBeUndefined();
  });
});
