import type { VNode } from 'preact';

/** Draws a path in a row: where there is no room for all of it, its folders are cut, and its file stays in sight. */
export function PathName({ path }: { readonly path: string }): VNode {
  const file = Math.max(0, path.lastIndexOf('/'));
  return (
    <>
      <span class="path-folder ellipsis">{path.slice(0, file)}</span>
      <span class="path-file ellipsis">{path.slice(file)}</span>
    </>
  );
}
