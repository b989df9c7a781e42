import type { AgentSettings } from '../../../../src/agent/agentDeps';
import type { ModelRequest } from '../../../../src/agent/model';
import type { Session } from '../../../../src/agent/session';
import { sentBody } from '../../../../src/model/requestBody';
import type { SessionEvent } from '../../../../src/contextWindow/event';
import type { Estimate } from '../../../../src/contextWindow/truncate';
import { fold } from '../../../../src/contextWindow/fold';
import type { Inspected } from '../../../../src/editor/session/inspected';
import type { WorkspaceFiles } from '../../../../src/editor/checkpoints/workspaceFiles';
import { Inspection, INTRO_SEEN } from '../../../../src/editor/contextPanel/inspection';
import { DEFAULT_SETTINGS, type Settings } from '../../../../src/settings/settings';
import { turnSettings } from '../../../../src/settings/turnSettings';
import type { ValidSettings } from '../../../../src/settings/windowBudget';
import { budgetFor } from '../../../support/budgetFor';
import { estimate as estimateOf } from '../../../support/player';
import { inspectedOf } from './inspectedScene';

/** The signature of the scripted model. */
export const DEMO = 'the demo';

/** Valid settings with some changes to the context. */
export function validWith(
  context: Partial<Settings['context']> = {},
  more: Partial<Settings> = {},
): ValidSettings {
  const settings = {
    ...DEFAULT_SETTINGS,
    ...more,
    context: { ...DEFAULT_SETTINGS.context, ...context },
  };
  const result = budgetFor(settings);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join(' '));
  return result.valid;
}

/** Settings for a window of 12,000 tokens with an input budget of 10,000. */
export const SMALL: Partial<Settings['context']> = {
  windowTokens: 12_000,
  maxReplyTokens: 1_000,
  safetyHeadroomTokens: 500,
  toolResultHeadroomTokens: 500,
  prepareWatermark: 0,
};

/** The resources of an agent with the settings that the panel shows. */
export const agentSettings = (valid: ValidSettings): AgentSettings => ({
  ...turnSettings(valid),
  costOf: () => undefined,
});

/** A session as the panel sees it. */
export function lookedAt(
  { events, window }: Pick<Session, 'events' | 'window'>,
  inForce = validWith(SMALL),
): Inspected {
  const { settings, budget } = inForce;
  return { ...inspectedOf(window, budget, { events, settings }), inForce };
}

/** The panel's inspection of the session that `inspected` returns. */
export function inspecting(
  inspected: () => Inspected,
  estimate: Estimate = estimateOf,
  filesNow: WorkspaceFiles['filesNow'] = async () => undefined,
  warm: (texts: readonly string[]) => Promise<void> = async () => undefined,
) {
  const warmed: string[] = [];
  const services = {
    access: {
      estimator: {
        estimate,
        warm: async (texts: readonly string[]) => {
          warmed.push(...texts);
          await warm(texts);
        },
      },
    },
    context: {
      globalState: { get: (key: string) => key === INTRO_SEEN },
      workspaceState: { get: () => [] },
    },
    demoAuthor: DEMO,
  };
  const shown = {
    get inspected() {
      return inspected();
    },
  };
  const inspection = new Inspection(services, shown, { filesNow });
  return { inspection, warmed };
}

/** An inspection of a log. */
export function inspectionOf(events: readonly SessionEvent[], inForce = validWith(SMALL)) {
  return inspecting(() => lookedAt({ events, window: fold(events) }, inForce)).inspection;
}

/** The bytes of a request as sent. */
export const bytes = (request: ModelRequest) => JSON.stringify(sentBody(request));

/** The bytes of the request shown for a step. */
export function shownFor(inspection: Inspection, step: number | 'next'): string {
  return bytes(inspection.requestAt(step)!.request);
}

/** The steps of a log. */
export function repliesOf(events: readonly SessionEvent[]) {
  return events.filter((event) => event.type === 'replyReceived');
}
