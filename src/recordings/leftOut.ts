/**
 * For each thing an importer leaves out or repairs, the sentence that says so; `n` is how often.
 */
const SENTENCES = {
  thinking: (n: number) =>
    `${many(n, 'thinking block')} left out; thinking is signed for the server that wrote it.`,
  commandLine: (n: number) =>
    `${many(n, 'line')} of commands the user ran beside the conversation left out.`,
  interruptMark: (n: number) => `${many(n, 'mark')} that the user interrupted the agent left out.`,
  injectedText: (n: number) => `${many(n, 'text')} the other agent put in by itself left out.`,
  subagentLine: (n: number) => `${many(n, 'line')} of subagents left out.`,
  syntheticReply: (n: number) => `${many(n, 'reply', 'replies')} that no model wrote left out.`,
  emptyReply: (n: number) =>
    `${many(n, 'reply', 'replies')} without text and without calls left out.`,
  emptyPrompt: (n: number) => `${many(n, 'prompt')} without text left out.`,
  repeatedLine: (n: number) => `${many(n, 'repeated line')} left out.`,
  otherBranch: (n: number) =>
    `${many(n, 'entry', 'entries')} of branches the user went back from left out.`,
  orphanResult: (n: number) => `${many(n, 'tool result')} without a call left out.`,
  secondResult: (n: number) => `${many(n, 'second result')} for one call left out.`,
  interruptedCall: (n: number) =>
    `${many(n, 'call')} without a result got one that says it was interrupted.`,
  renamedCall: (n: number) => `${many(n, 'call')} got an id the API takes.`,
  earlyReply: (n: number) => `${many(n, 'reply', 'replies')} before the first prompt left out.`,
  summaryFirst: () => 'It begins with a summary; that stands as the first prompt.',
  unreadableInput: (n: number) =>
    `The arguments of ${many(n, 'call')} are not a JSON object and stand as text.`,
  openSchema: (n: number) =>
    `The schema of ${many(n, 'tool')} did not say that it is an object's; now it does, as the API wants it.`,
  unknownPart: (n: number) => `${many(n, 'part')} of a kind Plimsoll does not know left out.`,
  remoteAttachment: (n: number) =>
    `${many(n, 'image or document', 'images or documents')} not in the file itself left out.`,
  serverTool: (n: number) => `${many(n, 'server-side tool')} left out.`,
  systemMessage: (n: number) => `${many(n, 'system message')} behind the first prompt left out.`,
  subagentOnly: () =>
    'It is the recording of a subagent; its first prompt was written by an agent.',
  toolsAsText: () => 'Its tools are written in the text: every result stands as a prompt.',
  otherTask: (n: number) =>
    `It holds ${many(n + 1, 'task')}, one a line, and the first is shown. Put the line of another into a file of its own to open that.`,
  ownNote: (n: number) => `${many(n, 'note')} that Plimsoll put into the window left out.`,
  ownPass: (n: number) =>
    `${many(n, 'pass', 'passes')} of Plimsoll left out, each change by hand counted as one: what was said and done is replayed.`,
} as const satisfies Readonly<Record<string, (n: number) => string>>;

/** What can be left out or repaired. */
export type LeftOutKind = keyof typeof SENTENCES;

/** A line or message that cannot be read, and why. */
interface Unreadable {
  /** For example `line 12`. */
  readonly place: string;
  /** What is wrong, and where it can be told what to do about it. */
  readonly why: string;
}

/** More unreadable lines than this are counted, not named. */
const MOST_NAMED = 3;

/** Counts what an importer leaves out or repairs, and reports each kind in one sentence. */
export class LeftOut {
  private readonly counts = new Map<LeftOutKind, number>();
  private readonly unreadable: Unreadable[] = [];

  /** Leaves out one line or message that cannot be read; the others are read all the same. */
  addUnreadable(place: string, why: string): void {
    this.unreadable.push({ place, why });
  }

  /** What is wrong with the first line or message that cannot be read; undefined where all can. */
  get firstUnreadable(): string | undefined {
    const [first] = this.unreadable;
    return first === undefined ? undefined : `${first.place}: ${first.why}`;
  }

  add(kind: LeftOutKind, count = 1): void {
    if (count > 0) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  notes(): readonly string[] {
    const named = this.unreadable
      .slice(0, MOST_NAMED)
      .map(({ place, why }) => `${capitalised(place)} left out; it cannot be read: ${why}`);
    const more = this.unreadable.length - named.length;
    const last = this.unreadable.at(-1);
    return [
      ...named,
      ...(more === 0
        ? []
        : [`${more} more left out for the same or another reason, up to ${last?.place}.`]),
      ...[...this.counts].map(([kind, count]) => SENTENCES[kind](count)),
    ];
  }
}

function many(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
