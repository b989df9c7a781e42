import { textsOf } from '../../contextWindow/account/guesses';
import { fold } from '../../contextWindow/log/fold';
import { readSessionLog } from '../../sessions/readSessionLog';
import type { SessionListing } from '../../sessions/sessionList';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import { sessionFigures, type FigureFacts, type SessionFigures } from './sessionFigures';
import type { AgentController } from '../session/agentController';
import type { ModelAccess } from '../model/modelAccess';

/** What the figures of sessions are worked out from. */
export interface FiguresParts {
  readonly registry: Pick<SessionRegistry, 'inMemory' | 'heldFile'>;
  readonly access: Pick<ModelAccess, 'settings' | 'estimator'>;
  readonly controller: () => Pick<AgentController, 'atWork'>;
  readonly demoAuthor: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a log was read as, while it is as long as it was. */
interface Read {
  readonly bytes: number;
  readonly inForce: unknown;
  readonly figures: SessionFigures;
}

/**
 * Works out what sessions cost and how full their windows are, as the views would show it with the settings
 * of now. A log that is not in memory is read once while nothing is added to it.
 */
export class FiguresDesk {
  readonly #read = new Map<string, Read>();

  constructor(private readonly parts: FiguresParts) {}

  /** Undefined where the log cannot be read. */
  async of(listing: SessionListing): Promise<SessionFigures | undefined> {
    const { registry, access, demoAuthor, now } = this.parts;
    const { file, bytes } = listing;
    const inForce = access.settings.valid;
    const doing = this.#doing(listing);
    const { settings, budget } = inForce;
    const { ttl } = settings.sessions;
    const held = registry.inMemory(file);
    const known = held === undefined && doing === 'nothing' ? this.#read.get(file) : undefined;
    if (known?.bytes === bytes && known.inForce === inForce) {
      const isOver = ttl > 0 && now() - listing.usedAt >= ttl && known.figures.state === 'idle';
      return isOver ? { ...known.figures, state: 'expired' } : known.figures;
    }
    const source = held ?? eventsOf(file);
    if (source === undefined) return undefined;
    const { events, window } = source;
    await access.estimator.warm(textsOf(window));
    const figures = sessionFigures({
      events,
      window,
      budget,
      estimate: (text) => access.estimator.estimate(text),
      offline: settings.provider === 'offline',
      demoAuthor,
      now: doing,
      at: now(),
      ttlMs: ttl,
    });
    this.#read.set(file, { bytes, inForce, figures });
    return figures;
  }

  #doing({ file, openIn }: SessionListing): FigureFacts['now'] {
    if (openIn !== undefined) return 'open';
    const { registry, controller } = this.parts;
    const run = controller().atWork.find(
      ({ session }) => session !== undefined && registry.heldFile(session) === file,
    );
    if (run === undefined) return 'nothing';
    return run.questions.isWaiting ? 'waiting' : 'working';
  }
}

function eventsOf(file: string): Pick<FigureFacts, 'events' | 'window'> | undefined {
  const read = readSessionLog(file);
  return read.ok ? { events: read.events, window: fold(read.events) } : undefined;
}
