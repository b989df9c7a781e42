import type { ModelAccess } from '../../../src/editor/model/modelAccess';
import type { CurrentSession } from '../../../src/editor/session/currentSession';
import { IDLE } from '../../../src/editor/session/agentWork';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import { Surfaces, type Surroundings } from '../../../src/editor/surfaces';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { estimate } from '../../support/player';
import { DEMO } from '../contextPanel/support/inspecting';

/** The idle state of the surfaces, in hidden pages. */
const STILL: Omit<Surroundings, 'access' | 'current' | 'panel'> = {
  agentView: { isLive: false, post: () => undefined },
  statusBar: { show: () => undefined },
  returning: { question: undefined },
  proposals: { revisedTexts: {} },
  rulesOf: () => ({ views: [] }),
  commands: { withOutput: new Set() },
  attachments: { items: [] },
  demoPrompts: [],
  demoAuthor: DEMO,
  now: () => 0,
};

/** Overrides of the current session. */
export interface SessionDifferences {
  readonly run?: Partial<SessionRun>;
  readonly changed?: () => void;
  readonly problem?: CurrentSession['problem'];
}

/** Makes surfaces of a session that a test owns. */
export function standInSurfaces(
  valid: ValidSettings,
  session: Pick<SessionRun, 'events' | 'window'>,
  { run = {}, changed = () => undefined, problem }: SessionDifferences,
  more: Partial<Omit<Surroundings, 'panel'>> & {
    readonly panel: Partial<Surroundings['panel']> & Pick<Surroundings['panel'], 'inspection'>;
  },
): Surfaces {
  const idle = {
    live: IDLE,
    turns: { queued: [], queue: {} },
    isBusy: false,
    questions: {},
  };
  const current = {
    get run() {
      return { ...idle, events: session.events, window: session.window, ...run };
    },
    background: [],
    registry: { fileOf: () => 'there' },
    changed,
    problem,
  } as unknown as CurrentSession;
  const access = {
    settings: { valid },
    settingNotices: [],
    estimator: { estimate },
  } as unknown as ModelAccess;
  const page = { isLive: false, post: () => undefined, readAhead: () => undefined };
  return new Surfaces({ ...STILL, current, access, ...more, panel: { ...page, ...more.panel } });
}
