import type { AgentController } from '../../../src/editor/session/agentController';
import type { SettingsInForce } from '../../../src/editor/model/settingsInForce';
import { Surfaces, type SurfaceParts } from '../../../src/editor/surfaces';
import type { ValidSettings } from '../../../src/settings/windowBudget';
import { IDLE } from '../../../src/editor/session/agentWork';
import { estimate } from '../../support/player';
import { DEMO } from '../contextPanel/support/inspecting';

/** What the surfaces are drawn from where nothing is at work, in a page nobody looks at. */
const STILL: Omit<SurfaceParts, 'controller' | 'settings' | 'inspection'> = {
  estimate,
  agentView: { isLive: false, post: () => undefined },
  contextPanel: { isLive: false, post: () => undefined },
  statusBar: { show: () => undefined },
  demoPrompts: [],
  isThere: () => true,
  demoAuthor: DEMO,
  problem: () => undefined,
  settingNotices: () => [],
  returning: () => undefined,
  rules: () => [],
  withOutput: () => new Set(),
  attached: () => [],
  revisedTexts: () => ({}),
  showBusy: () => undefined,
  publishAgain: () => undefined,
  readAhead: () => undefined,
  now: () => 0,
};

/** Makes surfaces of a session that a test keeps; `controller` and `more` say what differs. */
export function standInSurfaces(
  valid: ValidSettings,
  session: Pick<AgentController, 'events' | 'window'>,
  controller: Partial<AgentController>,
  more: Partial<SurfaceParts> & Pick<SurfaceParts, 'inspection'>,
): Surfaces {
  const idle = {
    live: IDLE,
    turns: { queued: [], queue: {} },
    isBusy: false,
    questions: {},
    background: [],
  };
  return new Surfaces({
    ...STILL,
    controller: () => ({ ...session, ...idle, ...controller }) as unknown as AgentController,
    settings: { valid } as SettingsInForce,
    ...more,
  });
}
