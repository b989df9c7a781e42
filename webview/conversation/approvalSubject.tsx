import type { RefObject, VNode } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import { VisibleText } from '../kit/visibleText';

export interface ApprovalSubjectProps {
  readonly box: RefObject<HTMLPreElement | null>;
  readonly subject: string;
  /** What it is, for a screen reader: "Command, 12 lines". */
  readonly label: string;
  /** It is a stop of the keyboard, from where one scrolls. */
  readonly isLong: boolean;
}

/** Shows all of what is asked about, in a box that scrolls when it is long. */
export function ApprovalSubject({ box, subject, label, isLong }: ApprovalSubjectProps): VNode {
  return (
    <pre
      ref={box}
      class="output mono approval-subject"
      data-testid="approval-subject"
      role="group"
      aria-label={label}
      tabIndex={isLong ? 0 : undefined}
      dir="ltr"
    >
      <VisibleText text={subject} />
    </pre>
  );
}

/** Pixels by which sizes may differ for no reason but rounding. */
const ROUNDING = 2;

/** Where the last line of a box is. */
export interface EndInSight {
  /** It is in sight, or was. */
  readonly wasSeen: boolean;
  /** It was out of sight, at first or later. */
  readonly isLong: boolean;
  /** Scrolls on by what is in sight at once. */
  readonly showMore: () => void;
}

/**
 * Watches whether the last line of a box was in sight: the box is scrolled to its end, and no other
 * box or the view's edge cuts it off. True at once without a box.
 */
export function useEndInSight(box: RefObject<HTMLElement | null>): EndInSight {
  const [wasSeen, setWasSeen] = useState(false);
  const [isLong, setIsLong] = useState(false);
  useLayoutEffect(() => {
    if (wasSeen) return undefined;
    const look = (): void => {
      if (box.current === null || isEndInSight(box.current)) setWasSeen(true);
      else setIsLong(true);
    };
    look();
    // Any box around it may scroll; scrolling does not bubble, so it is heard on its way down.
    document.addEventListener('scroll', look, true);
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    if (box.current !== null) sizes.observe(box.current);
    return () => {
      document.removeEventListener('scroll', look, true);
      sizes.disconnect();
    };
  }, [wasSeen]);
  const showMore = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    // A line stays in sight, so that one sees where it goes on.
    const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 0;
    element.scrollTop += Math.max(line, element.clientHeight - 2 * line);
    element.scrollIntoView({ block: 'nearest' });
  }, []);
  return { wasSeen, isLong, showMore };
}

function isEndInSight(box: HTMLElement): boolean {
  if (box.scrollTop + box.clientHeight < box.scrollHeight - ROUNDING) return false;
  const { bottom } = box.getBoundingClientRect();
  for (let around = box.parentElement; around !== null; around = around.parentElement) {
    const { overflowY } = getComputedStyle(around);
    const isCut = overflowY !== 'visible' && overflowY !== '';
    if (isCut && bottom > around.getBoundingClientRect().bottom + ROUNDING) return false;
  }
  return bottom <= window.innerHeight + ROUNDING;
}
