import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { ChangesResult } from '../../../src/agent/returning';
import { Session } from '../../../src/agent/session';
import type { NewEvent } from '../../../src/contextWindow/event';
import type { KnownFile } from '../../../src/contextWindow/idle';
import { Returning } from '../../../src/editor/session/returnQuestion';
import {
  type ContextSettings,
  DEFAULT_SETTINGS,
  type SessionSettings,
} from '../../../src/settings/settings';
import { promptEvent, stepEvents } from '../../support/drawing';
import { validWith } from '../contextPanel/support/inspecting';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
import { finishes, scene, settled } from './controllerScene';

export const DAY = 86_400_000;

export const CHANGES = {
  ok: true,
  files: [{ path: 'a.ts', how: 'written', isKnown: true }],
  isAll: true,
  by: 'git',
} as const satisfies ChangesResult;

const CALL = { id: 'toolu_1', name: 'a.ts', tokens: 40 };

/** The current session with one turn, its question, and a clock that the test sets. */
export function returnScene(
  given: Partial<SessionSettings> = {},
  context: Partial<ContextSettings> = {},
) {
  const settings: SessionSettings = {
    ...DEFAULT_SETTINGS.sessions,
    maxSessions: 0,
    ttl: DAY,
    ...given,
  };
  const clock = { now: 0 };
  const told: string[] = [];
  const looked: { readonly since: number; readonly known: readonly KnownFile[] }[] = [];
  const state = {
    changes: CHANGES as ChangesResult,
    left: undefined as string | undefined,
    isFull: false,
  };
  const rooms: string[] = [];
  let made = { ok: true, message: 'Pass 1.' } as { readonly ok: boolean; readonly message: string };
  // eslint-disable-next-line require-yield -- this pass tells of nothing
  const { current, seen } = scene(finishes, async function* (_deps, _signal, _words, of) {
    rooms.push(of);
    return made;
  });
  let isNextChosen = false;
  const show = (opened: Session | undefined, isChosen = false) => {
    isNextChosen = isChosen;
    current.openSession(opened);
  };
  const services = {
    access: {
      settings: { valid: validWith(context, { sessions: settings }) },
      estimator: STAND_IN_ESTIMATOR,
    },
    configuration: {
      storeSetting: async (_name: string, onReturn: unknown) =>
        void Object.assign(settings, { onReturn }),
    },
    context: {
      workspaceState: {
        get: () => state.left,
        update: async (_key: string, name: string) => void (state.left = name),
      },
    },
    loadTools: async () => ({
      changesSince: async (query: (typeof looked)[number]) => {
        looked.push(query);
        return state.changes;
      },
    }),
    notices: { tell: (message: string) => told.push(message) },
    now: () => clock.now,
    folders: { now: oneFolder('/work') },
  };
  const returning = new Returning(services as never, current);
  seen.gate = () => returning.mayBegin();
  seen.bugs = told;
  current.follow({
    shown: () => {
      returning.opened(current.run.session, isNextChosen);
      isNextChosen = false;
    },
  });
  const make = (name = 's'): Session => {
    const store = {
      append: () => {
        if (state.isFull) throw new Error('The log takes no more.');
      },
    };
    const one = new Session(store, () => clock.now);
    const begun: NewEvent = {
      type: 'sessionStarted',
      version: 3,
      sessionId: name,
      pinTaskAnchor: true,
    };
    for (const event of [begun, promptEvent('task'), ...stepEvents([CALL])]) one.append(event);
    return one;
  };
  return {
    current,
    seen,
    returning,
    settings,
    clock,
    told,
    looked,
    state,
    rooms,
    show,
    make,
    fails: (message: string) => (made = { ok: false, message }),
    shown: () => current.run.session,
    prompts: () => seen.prompts,
  };
}

/** The events of a session, except those of waiting prompts. */
export const workIn = ({ events }: Session) => events.filter(({ type }) => type !== 'queueChanged');

/** The texts of the notes in its window. */
export const notesOf = (session: Session) =>
  session.window.blocks.flatMap((block) => (block.kind === 'note' ? [block.text] : []));

/** Opens a session that has been idle for thirty days. */
export async function comeBack(given: Partial<SessionSettings> = {}, isChosen = false) {
  const made = returnScene(given);
  const session = made.make();
  made.clock.now = 30 * DAY;
  made.show(session, isChosen);
  await settled();
  return { ...made, session };
}
