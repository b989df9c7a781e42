import { createTwoFilesPatch } from 'diff';

/** Longest difference that is told, characters. */
const LONGEST = 4_000;

/** Tells the model what the user made of its proposal: a unified diff from the one to the other. */
export function revisedText(edit: {
  readonly path: string;
  readonly proposed: string;
  readonly written: string;
}): string {
  const { path, proposed, written } = edit;
  const patch = createTwoFilesPatch('proposed', 'written', proposed, written, '', '', {
    context: 2,
  });
  // Without the line of equals signs before it.
  const lines = patch.slice(patch.indexOf('--- '));
  const shown =
    lines.length > LONGEST
      ? `${lines.slice(0, LONGEST)}\n[The rest of the difference is left out: read ${path}.]`
      : lines;
  return `The user changed the proposal before allowing it. What was written differs from it:\n${shown}`;
}
