import { describe, expect, it, vi } from 'vitest';
import { serversOf } from '../../../src/editor/tools/toolsInForce';

vi.mock('vscode', () => ({}));

describe('the MCP server of a tool', () => {
  it('is what the names of its tools begin with', () => {
    const tools = ['mcp_everything_re_echo', 'mcp_everything_re_get-sum', 'mcp_git_status'];
    expect([...serversOf(tools).values()]).toEqual([
      'MCP server everything_re',
      'MCP server everything_re',
      'MCP server git',
    ]);
  });

  it('is no more of the names than the editor gives to servers', () => {
    const tools = ['mcp_a_very_long_name_one', 'mcp_a_very_long_name_two'];
    expect(new Set(serversOf(tools).values())).toEqual(new Set(['MCP server a_very_long']));
  });

  it('is there whatever the names are', () => {
    expect([...serversOf(['', 'x', 'mcp_', 'mcp_a_x', 'mcp_a_x']).values()]).toHaveLength(4);
  });
});
