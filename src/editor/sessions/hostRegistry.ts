import { SessionRegistry } from '../../sessions/sessionRegistry';
import type { SessionLimits } from '../../sessions/heldSessions';
import type { HostParts } from '../hostParts';
import type { SessionSettings } from '../../settings/settings';

/** What the registry needs to know of the host. */
export interface RegistryPlace {
  /** The folder of the logs of this workspace. */
  readonly folder: string;
  readonly settings: SessionSettings;
  readonly isAtWork: (file: string) => boolean;
  readonly log: (error: unknown) => void;
}

/** Makes the registry of the workspace's sessions, with this computer's clock. */
export function hostRegistry(
  { now, makeId }: Pick<HostParts, 'now' | 'makeId'>,
  { folder, settings, isAtWork, log }: RegistryPlace,
): SessionRegistry {
  return new SessionRegistry(
    {
      folder,
      now,
      makeId,
      isAtWork,
      every(ms, work) {
        const timer = setInterval(work, ms);
        return () => clearInterval(timer);
      },
      report: log,
    },
    sessionLimits(settings),
  );
}

/** The limits that the settings set. */
export function sessionLimits({ maxSessions, ttl }: SessionSettings): SessionLimits {
  return { maxSessions, ttlMs: ttl };
}
