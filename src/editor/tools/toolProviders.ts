/** Longest beginning that the editor gives the tools of one MCP server, characters. */
const LONGEST_BEGINNING = 18;

/**
 * Names the MCP servers of tools, as far as names tell: the editor calls a tool `mcp_`, then the server,
 * cut short, then what the server calls it. It does not say where one ends, so tools count as those of
 * one server that begin alike.
 */
export function serversOf(tools: readonly string[]): ReadonlyMap<string, string> {
  const alike = new Map<string, string[]>();
  for (const tool of tools) {
    const first = tool.split('_')[1] ?? '';
    alike.set(first, [...(alike.get(first) ?? []), tool]);
  }
  return new Map(
    [...alike].flatMap(([first, names]) => {
      const server = names.length === 1 ? first : serverIn(names) || first;
      return names.map((name) => [name, `MCP server ${server}`] as const);
    }),
  );
}

/** The server in what all names begin with, up to their last common `_`. */
function serverIn([first = '', ...others]: readonly string[]): string {
  let length = Math.min(first.length, LONGEST_BEGINNING);
  while (others.some((other) => other.slice(0, length) !== first.slice(0, length))) length -= 1;
  const end = first.slice(0, length).lastIndexOf('_');
  return first.slice('mcp_'.length, Math.max('mcp_'.length, end));
}
