import { AT_WORK, type SessionRegistry } from '../../sessions/sessionRegistry';
import type { AgentController } from '../session/agentController';
import type { CommandDesk } from '../commands/commandDesk';
import { FiguresOfSessions } from './sessionFigures';
import type { HostParts } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import { summariserIn } from './onClose';
import { SessionCommands } from './sessionCommands';
import type { SessionDesk } from '../session/sessionDesk';
import type { ShownSession } from '../session/shownSession';

/** What the commands on sessions concern; called for, since some are built later. */
interface SessionsPlace {
  readonly parts: Pick<HostParts, 'now' | 'demoAuthor'>;
  readonly registry: SessionRegistry;
  readonly desk: SessionDesk;
  readonly access: ModelAccess;
  readonly shown: ShownSession;
  readonly commands: CommandDesk;
  readonly controller: () => AgentController;
  changed(): void;
}

/** Makes the commands on sessions. */
export function hostSessions(place: SessionsPlace): SessionCommands {
  const { parts, registry, desk, access, shown, commands, controller } = place;
  const { now, demoAuthor } = parts;
  const figures = new FiguresOfSessions({ registry, access, controller, demoAuthor, now });
  const whyNot = (file: string) =>
    controller().isAtWork(registry.inMemory(file)) ? AT_WORK : undefined;
  return new SessionCommands({
    registry,
    current: () => desk.file,
    figures: (listing) => figures.of(listing),
    open: (...wanted) => shown.show(...wanted),
    leave: (file) => {
      const why = whyNot(file);
      if (why === undefined && file === desk.file) controller().startNew();
      return why;
    },
    mayEnd: (session) => commands.mayEnd(session),
    summariser: (session) => summariserIn(access, session),
    whyNot,
    changed: () => place.changed(),
    now,
  });
}
