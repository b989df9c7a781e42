/** One event in a hand-made recording. */
export type Move =
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'said'; readonly text: string }
  | {
      readonly type: 'call';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly result: string;
    };

export const prompt = (text: string): Move => ({ type: 'prompt', text });
export const said = (text: string): Move => ({ type: 'said', text });
export const read = (path: string, result: string): Move => ({
  type: 'call',
  name: 'Read',
  input: { file_path: path },
  result,
});
export const edit = (path: string, before: string, after: string): Move => ({
  type: 'call',
  name: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
  result: 'done',
});
export const run = (command: string, result: string): Move => ({
  type: 'call',
  name: 'Bash',
  input: { command },
  result,
});

/** The share of replaced texts that were visible; 0..1. */
export function filler(word: string, tokens: number): string {
  return `${word} ${'lorem ipsum dolor '.repeat(Math.ceil(tokens / 6))}`.slice(0, tokens * 3);
}

/** The messages of a recording in the form of the Messages API; calls are named t1, t2, ... */
export function recorded(...moves: readonly Move[]): readonly object[] {
  return moves.flatMap((move, index): object[] => {
    switch (move.type) {
      case 'prompt':
        return [{ role: 'user', content: move.text }];
      case 'said':
        return [{ role: 'assistant', content: move.text }];
      case 'call': {
        const id = `t${index}`;
        const { name, input, result } = move;
        return [
          { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
        ];
      }
    }
  });
}
