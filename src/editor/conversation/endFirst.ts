import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentFact } from './state';
import { readLogEnd } from '../../sessions/logSummary';
import { openingView } from './derive';
import type { WebviewPage } from '../page';
import type { Services } from '../services';
import { isLongLog } from '../session/workLeft';
import { errorText } from '../../contextWindow/result';

/** How long a new window may take to show the Agent view, ms; often it stays closed. */
const PAGE_MS = 250;

/** How long the page may then take until it listens, ms. */
const LISTENING_MS = 1_000;

type EndServices = Pick<Services, 'access' | 'demoAuthor' | 'report'>;

/** Shows the last turns of a long session before the whole log has been read. */
export class EndFirst {
  constructor(private readonly services: EndServices) {}

  /** Posts the last turns if the log is long. */
  show(file: string, post: (fact: AgentFact) => void): void {
    if (!isLongLog(file)) return;
    const { access, demoAuthor, report } = this.services;
    try {
      const end = readLogEnd(file);
      if (end === undefined) return;
      const conversation = openingView(end, {
        settings: access.settings.valid.settings,
        demoAuthor,
      });
      post({ type: 'conversationChanged', conversation });
    } catch (error) {
      report.log(errorText(error));
    }
  }

  /**
   * Posts the last turns to the page of an Agent view that VS Code is about to show, once it
   * listens; gives up if there is none soon. `latest` returns the log that will be opened.
   */
  async showSoon(page: Promise<WebviewPage>, latest: () => string | undefined): Promise<void> {
    const shown = await within(PAGE_MS, page);
    if (shown === undefined) return;
    const isListening = shown.isListening.then(() => true);
    if ((await within(LISTENING_MS, isListening)) !== true) return;
    const file = latest();
    if (file !== undefined) this.show(file, (fact) => shown.post(fact));
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const timer = sleep(ms, undefined, { signal: late.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, timer]);
  } finally {
    late.abort();
  }
}
