import { isObject, type JsonLine } from './readJson';
import {
  messagesIn,
  type RecordedCompaction,
  type RecordedItem,
  type RecordedMessage,
} from './recordedItem';

type Fields = JsonLine['value'];

/** A boundary whose summary has not come yet. */
interface OpenBoundary {
  /** Of its line, which that of its summary names as its parent. */
  readonly uuid: unknown;
  /** Its place among the items. */
  readonly at: number;
}

/**
 * Puts the compactions of a Claude Code session among its items. A compaction is a boundary and,
 * in a line of its own, its summary, which may come late: other lines can be written in between.
 */
export class ClaudeCodeCompactions {
  #open: readonly OpenBoundary[] = [];

  /** Adds to `items`; `lines` are those of the session itself. */
  constructor(
    private readonly items: RecordedItem[],
    private readonly lines: readonly JsonLine[],
  ) {}

  /** Takes a system line, if it says that room was made. */
  takeBoundary(value: Fields, line: number): void {
    if (value['subtype'] === 'compact_boundary') {
      const kept = this.#keptBy(value['compactMetadata']);
      this.#open = [...this.#open, { uuid: value['uuid'], at: this.items.length }];
      this.items.push({ type: 'compacted', line, kept });
    } else if (value['subtype'] === 'microcompact_boundary') {
      const metadata = value['microcompactMetadata'];
      const clearedCallIds = textsIn(isObject(metadata) ? metadata['compactedToolIds'] : undefined);
      this.items.push({ type: 'compacted', line, clearedCallIds });
    }
  }

  /** Gives a summary to its boundary, where room was made; one without any stands for itself. */
  takeSummary(summary: RecordedCompaction, parentUuid: string | null | undefined): void {
    const own = this.#open.find(({ uuid }) => typeof uuid === 'string' && uuid === parentUuid);
    const at = (own ?? this.#open.findLast((open) => this.#isUnanswered(open)))?.at;
    const boundary = this.items[at ?? -1];
    if (at === undefined || boundary?.type !== 'compacted') {
      this.items.push(summary);
      return;
    }
    this.#open = this.#open.filter((open) => open.at !== at);
    this.items[at] = { ...summary, ...boundary };
  }

  /** No reply came since: the model cannot have gone on without the summary. */
  #isUnanswered({ at }: OpenBoundary): boolean {
    return this.items.slice(at).every(({ type }) => type !== 'reply');
  }

  /** What a boundary says was kept: the messages it names, or all from one to another. */
  #keptBy(metadata: unknown): readonly RecordedMessage[] {
    const { preservedMessages: named, preservedSegment: segment } = isObject(metadata)
      ? metadata
      : {};
    const uuids = new Set(isObject(named) ? textsIn(named['uuids']) : []);
    const lineOf = (uuid: unknown) =>
      this.lines.find(({ value }) => typeof uuid === 'string' && value['uuid'] === uuid)?.line;
    const [from, to] = isObject(segment)
      ? [lineOf(segment['headUuid']), lineOf(segment['tailUuid'])]
      : [];
    const kept = this.lines.filter(({ line, value }) =>
      uuids.size > 0
        ? uuids.has(String(value['uuid']))
        : from !== undefined && to !== undefined && line >= from && line <= to,
    );
    const lines = new Set(kept.map(({ line }) => line));
    return messagesIn(this.items).filter((item) => lines.has(item.line ?? 0));
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
