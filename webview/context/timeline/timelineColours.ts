import { dotted, striped, type AreaFill } from './timelinePatterns';

/** What the timeline is painted with, as the theme in force has it. */
export interface TimelineColours {
  readonly system: AreaFill;
  readonly archive: AreaFill;
  readonly working: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly fresh: string;
  readonly low: string;
  readonly high: string;
  readonly budget: string;
  readonly text: string;
  readonly mark: string;
  readonly canvas: string;
  readonly font: string;
}

/** Reads the colours where `element` stands: a canvas knows no CSS variables. */
export function timelineColours(element: HTMLElement): TimelineColours {
  const probe = document.createElement('span');
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return style.color;
  };
  // High contrast themes tell areas apart by pattern, as in the bar.
  const isPlain = document.body.closest('[class*="vscode-high-contrast"]') === null;
  const canvas = colour('--canvas');
  const colours = {
    system: isPlain ? colour('--system') : dotted(colour('--system'), canvas),
    archive: isPlain ? colour('--archive') : striped(colour('--archive'), canvas),
    working: colour('--working'),
    cacheRead: colour('--cache-read'),
    cacheWrite: colour('--cache-write'),
    fresh: colour('--fresh'),
    low: colour('--low'),
    high: colour('--high'),
    budget: colour('--limit'),
    text: colour('--quiet'),
    mark: colour('--vscode-foreground'),
    canvas,
    font: style.fontFamily,
  };
  probe.remove();
  return colours;
}
