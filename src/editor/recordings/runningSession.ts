import { tokenText } from '../../contextWindow/amount';
import { modelSize } from '../../model/modelWindows';
import { agentName } from '../../recordings/lens/findSessions';
import type { FoundSession } from '../../recordings/lens/foundSession';

/** The status bar item for another agent's running session; undefined if its size is unknown. */
export function runningSession(
  session: FoundSession,
): { readonly text: string; readonly tooltip: string } | undefined {
  const { agent, model, tokens, title } = session;
  if (tokens === undefined) return undefined;
  const name = agentName(agent);
  const table = modelSize(model ?? '', {});
  const windowTokens = session.windowTokens ?? table.windowTokens;
  const source = session.windowTokens === undefined ? table.source : 'from its file';
  // An assumed window may be another one.
  const mark = session.windowTokens === undefined ? '≈ ' : '';
  return {
    text: `$(pulse) ${name} ${thousands(tokens)} / ${mark}${thousands(windowTokens)}`,
    tooltip: [
      `${name}: ${title}`,
      `${tokenText(tokens)} tokens in its newest request and reply, by its server's count`,
      `Context window ${mark}${tokenText(windowTokens)} (${source})`,
      '',
      'Click to see its window',
    ].join('\n'),
  };
}

function thousands(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`;
}
