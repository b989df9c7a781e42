import type { RecordableAgent } from '../../recordings/captures/captureStore';
import { AGENTS } from '../../recordings/lens/findSessions';
import type { RecordsView } from '../session/state';

/** Whether an agent records its requests for Plimsoll. */
export interface RequestSwitch {
  readonly agent: RecordableAgent;
  readonly isOn: boolean;
  /** ms since the epoch; absent if it is not on, or was switched on elsewhere. */
  readonly since?: number;
}

/** Says for the panel whether an agent records its requests. */
export function recordsView(state: RequestSwitch | undefined): RecordsView | undefined {
  if (state === undefined) return undefined;
  const { agent, isOn, since } = state;
  if (!isOn) return { agent, isOn };
  const when =
    since === undefined
      ? ''
      : ` since ${new Date(since).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`;
  return { agent, isOn, words: `Recording requests${when}. Windows are exact ${fromWhen(agent)}.` };
}

function fromWhen(agent: RecordableAgent): string {
  if (agent === 'vscode') return 'once VS Code is reloaded, if a folder is open';
  const where = agent === 'codex' ? ' in a new terminal' : '';
  return `once ${AGENTS[agent].name} is restarted${where}`;
}
