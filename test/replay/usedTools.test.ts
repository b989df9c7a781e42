import { describe, expect, it } from 'vitest';
import { withUsedTools } from '../../src/replay/recording';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { prompt, read, recorded, run } from './support/recording';

const MESSAGES = recorded(prompt('Go'), read('a.ts', 'A'), run('ls', 'a.ts'), read('b.ts', 'B'));

describe('the tools a recording uses', () => {
  it('are defined once each, open to any input, if the recording defines none', () => {
    const { tools } = withUsedTools(transcriptOf(MESSAGES));
    expect(tools.map(({ name }) => name)).toEqual(['Read', 'Bash']);
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
      { type: 'object' },
      { type: 'object' },
    ]);
  });

  it('stay as the recording defines them', () => {
    const tools = [{ name: 'Read', description: 'Reads', input_schema: { type: 'object' } }];
    const transcript = transcriptOf({ messages: MESSAGES, tools });
    expect(withUsedTools(transcript)).toBe(transcript);
  });

  it('are not defined by a name that the API rejects', () => {
    const messages = JSON.parse(
      JSON.stringify(MESSAGES).replaceAll('"Bash"', '"my.bash"'),
    ) as object[];
    expect(withUsedTools(transcriptOf(messages)).tools.map(({ name }) => name)).toEqual(['Read']);
  });
});
