import { describe, expect, it, vi } from 'vitest';
import { serversOf } from '../../../src/editor/tools/toolsInForce';

vi.mock('vscode', () => ({}));

describe('the MCP server of a tool', () => {
  it('is the common prefix of its tool names', () => {
    const tools = ['mcp_everything_re_echo', 'mcp_everything_re_get-sum', 'mcp_git_status'];
    expect([...serversOf(tools).values()]).toEqual([
      'MCP server everything_re',
      'MCP server everything_re',
      'MCP server git',
    ]);
  });

  it('is at most the part of the names that VS Code gives to servers', () => {
    const tools = ['mcp_a_very_long_name_one', 'mcp_a_very_long_name_two'];
    expect(new Set(serversOf(tools).values())).toEqual(new Set(['MCP server a_very_long']));
  });

  it('is found whatever the names are', () => {
    expect([...serversOf(['', 'x', 'mcp_', 'mcp_a_x', 'mcp_a_x']).values()]).toHaveLength(4);
  });
});
