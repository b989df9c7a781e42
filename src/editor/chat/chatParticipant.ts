import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Refusal } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import type { CurrentSession } from '../session/currentSession';
import type { ApprovalAnswers } from '../approvals/approvalAnswers';
import { ANSWER_IN_CHAT, type ChatAnswers } from './chatRegistration';
import { type OpenFolders, pathBelow } from '../openFolders';
import { runChatTurn, type ChatStream } from './chatTurn';
import type { SessionRun } from '../session/sessionRun';

interface ChatServices {
  readonly current: Pick<
    CurrentSession,
    'atWork' | 'open' | 'problem' | 'registry' | 'run' | 'startNew'
  >;
  readonly answers: Pick<ApprovalAnswers, 'answerElsewhere'>;
  /** The folder the agent works in; undefined if none is open. */
  readonly folders: Pick<OpenFolders, 'now'>;
  readonly notices: { tell(message: string): void };
}

const OPEN_VIEW = { command: 'plimsoll.focusAgent', title: 'Open the Agent View' };

/**
 * The agent as `@plimsoll` in the editor's chat. A chat thread is a session, named in its replies,
 * so the Agent view and the Context panel show it and it has a log like any other.
 */
export class ChatParticipant implements ChatAnswers {
  constructor(private readonly services: ChatServices) {}

  readonly answer: vscode.ChatRequestHandler = async (request, { history }, stream, token) => {
    const opened = await this.#open(sessionOf(history), stream);
    if (typeof opened === 'string') return { errorDetails: { message: opened } };
    const run = opened;
    const problem = run.isBusy ? undefined : this.services.current.problem;
    if (problem !== undefined) {
      stream.button(OPEN_VIEW);
      return ended(run, problem.message);
    }
    const left = this.#leftOut(request);
    if (left.length > 0) {
      stream.progress(`Plimsoll can only use files of the workspace. Left out: ${left.join(', ')}`);
    }
    const stopped = new AbortController();
    const cancelled = token.onCancellationRequested(() => stopped.abort());
    if (token.isCancellationRequested) stopped.abort();
    try {
      const prompt = this.#promptOf(request);
      const isShown = (): boolean => this.services.current.run === run;
      const how = { stopped: stopped.signal, isShown };
      return ended(run, await runChatTurn(run, prompt, this.#streamTo(stream), how));
    } finally {
      cancelled.dispose();
    }
  };

  /** Answers a question through a button of the chat. */
  async answerQuestion(sessionId: unknown, toolUseId: unknown, approved: unknown): Promise<void> {
    const run = this.services.current.atWork.find(
      ({ window, questions }) =>
        window.sessionId === sessionId && questions.isOpen(String(toolUseId)),
    );
    if (run === undefined)
      return this.services.notices.tell('This question has been answered already.');
    await this.services.answers.answerElsewhere(String(toolUseId), approved === true, run);
  }

  /**
   * Shows the session of a thread, or a new one if it has none; says why it could not be opened.
   */
  async #open(
    sessionId: string | undefined,
    stream: Pick<vscode.ChatResponseStream, 'progress'>,
  ): Promise<SessionRun | string> {
    const { current } = this.services;
    const { registry } = current;
    const file = sessionId === undefined ? undefined : registry.fileOf(sessionId);
    if (file === undefined) {
      if (sessionId !== undefined) {
        stream.progress('The session of this chat was deleted. A new one starts');
      }
      current.startNew();
      return current.run;
    }
    const showing = current.open(file, 'chat');
    const run = current.run;
    await showing;
    if (run.whyReadOnly !== undefined) return run.whyReadOnly;
    const isIt = run.session !== undefined && registry.heldFile(run.session) === file;
    return isIt ? run : 'The session of this chat could not be opened; the notification says why.';
  }

  /** The prompt and the names of the files the user added to it; the agent reads them itself. */
  #promptOf({ prompt, references }: vscode.ChatRequest): string {
    const names = references.flatMap(({ value }) => {
      const name = this.#nameOf(value);
      return name === undefined ? [] : [`- ${name}`];
    });
    const list = [...new Set(names)].join('\n');
    return list === '' ? prompt : `${prompt}\n\nFiles I mean:\n${list}`;
  }

  /** Names added files and images that are not sent, so that the user does not assume they were. */
  #leftOut({ references }: vscode.ChatRequest): readonly string[] {
    const names = references.flatMap(({ value }) => {
      if (this.#nameOf(value) !== undefined) return [];
      const uri = value instanceof vscode.Location ? value.uri : value;
      if (uri instanceof vscode.Uri) {
        const name = visibleLine(basename(uri.fsPath));
        return pathBelow(this.services.folders, uri) === '.'
          ? []
          : [`\`${name.replaceAll('`', '')}\``];
      }
      return typeof value === 'object' && value !== null && 'mimeType' in value ? ['an image'] : [];
    });
    return [...new Set(names)];
  }

  #nameOf(value: unknown): string | undefined {
    const uri = value instanceof vscode.Location ? value.uri : value;
    const isFile = uri instanceof vscode.Uri && !this.#isFolder(uri);
    const name = isFile ? pathBelow(this.services.folders, uri) : undefined;
    if (name === undefined) return undefined;
    if (!(value instanceof vscode.Location)) return name;
    const { start, end } = value.range;
    return `${name}, lines ${start.line + 1} to ${end.line + 1}`;
  }

  /** Whether it is a folder of the workspace, which VS Code may add by itself. */
  #isFolder({ fsPath }: vscode.Uri): boolean {
    return this.services.folders.now?.all.some(({ root }) => root === fsPath) === true;
  }

  #streamTo(stream: vscode.ChatResponseStream): ChatStream {
    return {
      markdown: (text) => stream.markdown(text),
      progress: (text) => stream.progress(text),
      button: (button) => stream.button(button),
      answer: (title, ...given) =>
        stream.button({ command: ANSWER_IN_CHAT, title, arguments: given }),
      file: (path) => {
        const file = this.services.folders.now?.absolute(path);
        if (file !== undefined) stream.anchor(vscode.Uri.file(file), path);
      },
    };
  }
}

/** The session that the replies of a thread name; undefined before the first. */
function sessionOf(history: vscode.ChatContext['history']): string | undefined {
  for (const turn of history.toReversed()) {
    const named: unknown = 'result' in turn ? turn.result.metadata?.['sessionId'] : undefined;
    if (typeof named === 'string' && named !== '') return named;
  }
  return undefined;
}

/** The result of a reply: its session, and what went wrong. */
function ended({ window }: SessionRun, problem: Refusal): vscode.ChatResult {
  const { sessionId } = window;
  return {
    ...(sessionId === '' ? {} : { metadata: { sessionId } }),
    ...(problem === undefined ? {} : { errorDetails: { message: problem } }),
  };
}
