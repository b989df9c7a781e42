import type { VNode } from 'preact';
import type { LinkedSession, SessionLinks } from '../../src/editor/session/state';

interface LinkedSessionsProps {
  readonly links: SessionLinks | undefined;
  readonly onOpen: (session: string) => void;
}

/** Links to the sessions that this one continues and is continued in. */
export function LinkedSessions({ links, onOpen }: LinkedSessionsProps): VNode | null {
  if (links === undefined) return null;
  const { from, to } = links;
  return (
    <div class="linked small" data-testid="linked-sessions">
      {from !== undefined && (
        <p>
          <span class="quiet">Continues</span> <Link to={from} onOpen={onOpen} testId="link-from" />
        </p>
      )}
      {to.map((linked) => (
        <p key={linked.session}>
          <span class="quiet">Continued in</span>{' '}
          <Link to={linked} onOpen={onOpen} testId="link-to" />
        </p>
      ))}
    </div>
  );
}

interface LinkProps extends Pick<LinkedSessionsProps, 'onOpen'> {
  readonly to: LinkedSession;
  readonly testId: string;
}

/** A deleted session says so; when clicked, the host explains why it cannot be opened. */
function Link({ to, testId, onOpen }: LinkProps): VNode {
  const { session, title, isGone } = to;
  return (
    <button
      type="button"
      class="plain link"
      aria-disabled={isGone ? 'true' : undefined}
      title={isGone ? 'That session was deleted' : 'Open that session'}
      data-testid={testId}
      data-session={session}
      onClick={() => onOpen(session)}
    >
      {title}
      {isGone && ' (deleted)'}
    </button>
  );
}
