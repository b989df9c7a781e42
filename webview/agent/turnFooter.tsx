import type { VNode } from 'preact';
import type { TurnView } from '../../src/protocol/agentView';
import { formatElapsed } from '../ui/runningTime';
import { usageWords } from './usageWords';

/** Says how a turn ended where it did not simply finish, and what it took. */
export function TurnFooter({ turn }: { readonly turn: TurnView }): VNode | null {
  const { outcome, usage } = turn;
  const words = usageWords(usage);
  if (outcome === undefined && words.length === 0) return null;
  const isOver = outcome !== undefined && usage.elapsedMs > 0;
  const parts = isOver ? [...words, formatElapsed(usage.elapsedMs)] : words;
  return (
    <footer class="turn-footer" data-testid="turn-footer">
      {outcome?.message !== undefined && (
        <p class="outcome" data-testid="turn-outcome" data-outcome={outcome.type}>
          {outcome.message}
        </p>
      )}
      <p class="parts small quiet" data-testid="turn-usage">
        {parts.map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </p>
    </footer>
  );
}
