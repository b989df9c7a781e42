import type { RefObject, VNode } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Conversation } from '../../src/editor/conversation/state';
import { Icon } from '../kit/icon';
import { useVirtualRows, type VirtualRow } from '../kit/useVirtualRows';
import { useAgentView } from './agentViewStore';
import { type ConversationRow, ConversationRows } from './conversationRows';
import { undoableTurns } from './goBack';
import { RowContent, Turn } from './turn';
import { WORDS } from './words';

/**
 * Shows the conversation and follows its newest row unless the user has scrolled up. The page
 * contains only visible rows and the row that had the focus last.
 */
export function ConversationList({ conversation }: { readonly conversation: Conversation }): VNode {
  const { turns, offline, activity, queued } = conversation;
  const scroller = useRef<HTMLElement>(null);
  const [list] = useState(() => new ConversationRows());
  const replies = useAgentView().stepsInFlight.value;
  const rows = useMemo(() => list.of({ turns, offline }, replies), [turns, offline, replies]);
  const mayUndoPrompt = undoableTurns(conversation, replies.length > 0);
  const newest = turns.findLast(({ undonePrompt }) => undonePrompt === undefined);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? `${index}`, [rows]);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const kept = useMemo(() => indexOfKey(rows, focused), [rows, focused]);
  const virtual = useVirtualRows({
    scroller,
    count: rows.length,
    keyOf,
    heightOf: (index) => rows[index]?.height ?? 0,
    kept,
    fromEnd: true,
  });
  const { isFollowing, follow } = useFollowNewest(
    scroller,
    virtual.height,
    turns.length + queued.length,
  );
  return (
    <div class="turns-frame">
      <main class="turns" ref={scroller} aria-label={WORDS.turns.conversation} tabIndex={0}>
        <div
          class="rows"
          role="feed"
          aria-label={WORDS.turns.list}
          data-testid="turns"
          data-count={rows.length}
          style={{ height: `${virtual.height}px` }}
          onFocusIn={({ target }) => setFocused(keyOfRow(target) ?? focused)}
        >
          {byTurn(virtual.rows, rows).map(({ turn, top, height, drawn }) => (
            <Turn key={turn} turn={turn} turns={turns.length} top={top} height={height}>
              {drawn.map(({ row, place }) => (
                <div
                  key={row.key}
                  ref={virtual.measure}
                  class={classOf(row)}
                  data-row={row.key}
                  data-index={place.index}
                  style={{ top: `${place.start - top}px` }}
                >
                  <RowContent
                    row={row}
                    activity={activity}
                    mayUndoPrompt={mayUndoPrompt}
                    newest={newest}
                  />
                </div>
              ))}
            </Turn>
          ))}
        </div>
      </main>
      {!isFollowing && (
        <button type="button" class="newest plain small" data-testid="newest" onClick={follow}>
          <Icon name="down" /> {WORDS.turns.newest}
        </button>
      )}
    </div>
  );
}

/** The drawn part of one turn; CSS pixels. */
interface DrawnTurn {
  readonly turn: number;
  readonly top: number;
  height: number;
  readonly drawn: { readonly row: ConversationRow; readonly place: VirtualRow }[];
}

/** Groups drawn rows by turn. */
function byTurn(
  places: readonly VirtualRow[],
  rows: readonly ConversationRow[],
): readonly DrawnTurn[] {
  const turns: DrawnTurn[] = [];
  for (const place of places) {
    const row = rows[place.index];
    if (row === undefined) continue;
    let last = turns.at(-1);
    if (last?.turn !== row.turn) {
      last = { turn: row.turn, top: place.start, height: 0, drawn: [] };
      turns.push(last);
    }
    last.height = place.start + place.size - last.top;
    last.drawn.push({ row, place });
  }
  return turns;
}

function classOf(row: ConversationRow): string {
  const isTight = row.type === 'step' && row.isTight;
  return `row row-${row.type}${isTight ? ' tight' : ''}`;
}

/** The key of the row that contains an element. */
function keyOfRow(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return row?.dataset['row'];
}

function indexOfKey(rows: readonly ConversationRow[], key: string | undefined): number | undefined {
  const index = key === undefined ? -1 : rows.findLastIndex((row) => row.key === key);
  return index < 0 ? undefined : index;
}

/** Distance from the end that still counts as the end, CSS pixels. */
const NEAR = 32;

type Scrolled = Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>;

export function isNearEnd({ scrollTop, clientHeight, scrollHeight }: Scrolled): boolean {
  return scrollHeight - clientHeight - scrollTop <= NEAR;
}

/**
 * Follows the end of a growing list while the user is at its end. After the user scrolls up it
 * pauses until they come back, press Newest, or `restart` changes because they sent something.
 * `height`: of the list, CSS pixels.
 */
function useFollowNewest(
  scroller: RefObject<HTMLElement | null>,
  height: number,
  restart: number,
): { readonly isFollowing: boolean; readonly follow: () => void } {
  const [isFollowing, setFollowing] = useState(true);
  const follow = useCallback(() => setFollowing(true), []);

  useEffect(follow, [restart]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let lastTop = element.scrollTop;
    const onScroll = (): void => {
      const wentUp = element.scrollTop < lastTop;
      lastTop = element.scrollTop;
      // A list that has just grown is not at its end either; only the user scrolls up.
      if (isNearEnd(element)) setFollowing(true);
      else if (wentUp) setFollowing(false);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  }, [isFollowing, height]);

  useEffect(() => {
    if (!isFollowing || scroller.current === null) return undefined;
    const observer = new ResizeObserver(toEnd);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [isFollowing]);

  return { isFollowing, follow };
}
