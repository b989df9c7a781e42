import type { AgentEvent } from '../../agent/agentEvent';
import type { TurnOutcome } from '../../contextWindow/event';
import { labelOfCall } from '../../contextWindow/label';
import { filesOfTurn } from '../../contextWindow/fileChanges';
import { visibleText } from '../../contextWindow/visibleText';
import { approvalNotice } from '../approvals/approvalNotice';
import { approvalView } from '../session/derive';
import { turnEndText } from '../session/turnNotices';
import type { SessionRun } from '../session/sessionRun';

interface ChatButton {
  readonly command: string;
  readonly title: string;
}

/** The part of VS Code's response stream that a turn writes to. */
export interface ChatStream {
  markdown(text: string): void;
  progress(text: string): void;
  button(button: ChatButton): void;
  /** Adds a button that answers the question about a call. */
  answer(title: string, sessionId: string, toolUseId: string, approved: boolean): void;
  /** Links a file of the workspace. */
  file(path: string): void;
}

const SHOW: ChatButton = { command: 'plimsoll.focusAgent', title: 'Show in the Agent View' };

const WAITS_FOR_TURN = 'Waiting for the running turn to end';

const ASKED_FIRST =
  'This session was idle for a long time. The prompt waits until you choose in the Agent view how to continue.';

const LEFT = 'Another session is open now. The prompt is in the Agent view.';

/**
 * Sends a prompt and writes the turn to the chat: the reply, a line for each call, questions with
 * buttons, and the changed files. Returns why the turn ended early.
 */
export function runChatTurn(
  run: SessionRun,
  prompt: string,
  stream: ChatStream,
  { stopped, isShown }: { readonly stopped: AbortSignal; readonly isShown: () => boolean },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const words = new ChatWords(run, stream, isShown);
    const waiting = () => run.queued.find(({ id, text }) => id !== undefined && text === prompt);
    const withdraw = (): void => {
      const id = waiting()?.id;
      if (id !== undefined) run.turns.change((queue) => queue.remove(id));
    };
    const end = (why?: string): void => {
      forget();
      stopped.removeEventListener('abort', stop);
      resolve(why);
    };
    const stop = (): void => {
      if (waiting() === undefined) return run.stop();
      withdraw();
      end();
    };
    const forget = run.follow({
      heard: (event) => {
        if (waiting() === undefined) words.heard(event);
      },
      ended: (outcome) => {
        if (waiting() === undefined) return end(words.ended(outcome));
        if (outcome.type === 'finished') return;
        withdraw();
        end('The turn before this prompt ended early. The prompt was not sent.');
      },
      refused: ({ message }) => {
        // A prompt left in the Agent view's queue would be sent twice when the user retries here.
        void run.settled().then(withdraw);
        end(message);
      },
      broke: () => end('Something went wrong; the notification says what.'),
      left: () => end(LEFT),
    });
    stopped.addEventListener('abort', stop);
    const refusal = run.submit(prompt);
    if (refusal !== undefined) return end(refusal);
    if (!run.isBusy) {
      stream.markdown(`${ASKED_FIRST}\n\n`);
      stream.button(SHOW);
    } else if (waiting() !== undefined) stream.progress(WAITS_FOR_TURN);
    if (stopped.aborted) stop();
  });
}

/** Writes the events of a turn to the chat. */
class ChatWords {
  /** The step whose reply is being written. */
  #step = 0;
  /** An exclamation mark that may begin an image. */
  #held = '';

  constructor(
    private readonly run: SessionRun,
    private readonly stream: ChatStream,
    private readonly isShown: () => boolean,
  ) {}

  heard(event: AgentEvent): void {
    const { stream } = this;
    switch (event.type) {
      case 'textDelta':
        if (this.#step !== 0 && this.#step !== event.step) stream.markdown('\n\n');
        this.#step = event.step;
        return this.#write(event.text);
      case 'replyReceived':
        return this.#release();
      case 'retrying':
        return stream.progress(pictureless(event.message));
      case 'askedAgain':
        this.#release();
        if (this.#step !== 0) stream.markdown('\n\n*The reply starts again.*\n\n');
        return;
      case 'toolStarted':
        return stream.progress(pictureless(labelOfCall(event.use)));
      case 'approvalAsked':
        return this.#ask(event);
      case 'approvalAnswered':
        return stream.progress(event.approved ? 'Allowed' : 'Denied');
      case 'passProposed':
        stream.markdown('\n\nA pass waits for your review in the Context panel.\n\n');
        return stream.button({
          command: 'plimsoll.openContextPanel',
          title: 'Open the Context Panel',
        });
      case 'notice':
      case 'warning':
        return stream.progress(pictureless(event.message));
      default:
    }
  }

  /** Lists the changed files; returns why the turn ended early. */
  ended(outcome: TurnOutcome): string | undefined {
    const { run, stream } = this;
    this.#release();
    const files = filesOfTurn(run.events, run.window.turn);
    if (files.length > 0) stream.markdown('\n\nChanged files:\n');
    for (const { path } of files) {
      stream.markdown('\n- ');
      stream.file(path);
    }
    if (outcome.type === 'finished' || outcome.type === 'stopped') return undefined;
    const why = `${turnEndText(outcome)}.`.replace(/\.\.$/, '.');
    return `${why.charAt(0).toUpperCase()}${why.slice(1)}`;
  }

  /** Offers Allow and Deny only if the user sees everything the question is about. */
  #ask(event: Extract<AgentEvent, { readonly type: 'approvalAsked' }>): void {
    const { run, stream } = this;
    const { use, request } = event;
    this.#release();
    const view = approvalView(use.id, request, event);
    // For the session that is shown, the diff of an edit opens with the question.
    const { mayAnswer } = approvalNotice(view, this.isShown() ? undefined : '');
    stream.markdown(
      `\n\n**${pictureless(view.title)}?**\n\n${fenced(visibleText(view.subject))}\n\n`,
    );
    if (mayAnswer) {
      stream.answer('Allow', run.window.sessionId, use.id, true);
      stream.answer('Deny', run.window.sessionId, use.id, false);
    }
    stream.button(SHOW);
  }

  #write(text: string): void {
    const whole = this.#held + text;
    this.#held = whole.endsWith('!') ? '!' : '';
    const said = whole.slice(0, whole.length - this.#held.length);
    if (said !== '') this.stream.markdown(pictureless(said));
  }

  #release(): void {
    if (this.#held !== '') this.stream.markdown(this.#held);
    this.#held = '';
  }
}

/** An image would be fetched from any address in the text. */
function pictureless(text: string): string {
  return text.replaceAll('![', '!\\[');
}

/** A text as a code block, whatever it contains. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
